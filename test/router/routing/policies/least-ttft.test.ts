import { expect, test } from 'vitest';
import { leastTtft } from '../../../../router/routing/policies/least-ttft.ts';
import type { Candidate, RoutingQuery } from '../../../../router/routing/policies/policy.ts';
import { rendezvous } from '../../../../router/routing/policies/rendezvous.ts';
import { seededRandom } from '../../../../shared/random.ts';

const question: RoutingQuery = {
  promptTokens: 10_000,
  pressure: 1,
  matched: true,
  affinityHash: 7,
  turn: 1,
};

function worker(id: string, fields: Partial<Candidate> = {}): Candidate {
  return {
    id,
    inFlight: 0,
    waiting: 0,
    slots: 64,
    kvUse: 0,
    kvAfter: 0,
    cachedTokens: 0,
    rttSeconds: 0,
    queueSeconds: 0,
    prefillSeconds: 1,
    decodeSeconds: 0,
    queuedTokens: 0,
    contextTokens: 0,
    stored: 0,
    ...fields,
  };
}

function pickOf(candidates: readonly Candidate[], asked: Partial<RoutingQuery> = {}): string {
  return leastTtft({ ...question, ...asked }, candidates, seededRandom(1)).id;
}

test('a cached prefix is worth a queue that is shorter than what it saves', () => {
  const cached = worker('cached', { prefillSeconds: 0.2, queueSeconds: 0.7 });
  expect(pickOf([worker('cold'), cached])).toBe('cached');
  expect(pickOf([worker('cold'), { ...cached, queueSeconds: 0.9 }])).toBe('cold');
});

test('under pressure a cached prefix is worth a longer queue', () => {
  const cached = worker('cached', { prefillSeconds: 0.2, queueSeconds: 0.9 });
  expect(pickOf([worker('cold'), cached], { pressure: 2 })).toBe('cached');
});

test('a far worker, one that decodes much and one whose memory is full cost what they cost', () => {
  expect(pickOf([worker('far', { rttSeconds: 0.2 }), worker('near')])).toBe('near');
  expect(pickOf([worker('busy', { decodeSeconds: 0.2 }), worker('calm')])).toBe('calm');
  expect(pickOf([worker('full', { kvAfter: 0.95 }), worker('free', { kvAfter: 0.9 })])).toBe(
    'free',
  );
});

test('where forecasts do not tell workers apart, prompts that begin alike go the same way', () => {
  const equal = Array.from({ length: 8 }, (_, index) =>
    worker(`w${index}`, { queueSeconds: index * 0.002, inFlight: index }),
  );
  const lots = Array.from({ length: 200 }, (_, lot) => pickOf(equal, { affinityHash: lot }));
  expect(lots[3]).toBe(pickOf(equal.toReversed(), { affinityHash: 3 }));
  // All workers have their share.
  for (const { id } of equal) expect(lots.filter((one) => one === id).length).toBeGreaterThan(10);
});

test('where nobody knows the prompt, the one with the fewest requests has it', () => {
  const few = worker('few', { inFlight: 2, queueSeconds: 0.015 });
  expect(pickOf([worker('many', { inFlight: 3 }), few], { matched: false })).toBe('few');
});

test('a worker that leaves moves only the prompts that were its own', () => {
  const workers = Array.from({ length: 10 }, (_, index) => worker(`w${index}`));
  const rest = workers.slice(1);
  for (let lot = 0; lot < 300; lot++) {
    const before = rendezvous(lot, workers);
    if (before !== workers[0]) expect(rendezvous(lot, rest)).toBe(before);
  }
});
