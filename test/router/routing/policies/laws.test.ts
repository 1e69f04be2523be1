/** The laws that policies obey, tested for every policy in the table. The exceptions are listed. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { blockCost } from '../../../../router/routing/policies/block-cost.ts';
import type {
  Candidate,
  Policy,
  RoutingQuery,
} from '../../../../router/routing/policies/policy.ts';
import { POLICIES } from '../../../../router/routing/policies/table.ts';
import { seededRandom } from '../../../../shared/random.ts';

const seconds = fc.double({ min: 0, max: 60, noNaN: true });
const share = fc.double({ min: 0, max: 1, noNaN: true });

const questions: fc.Arbitrary<RoutingQuery> = fc.record({
  promptTokens: fc.integer({ min: 1, max: 200_000 }),
  pressure: fc.double({ min: 1, max: 2.2, noNaN: true }),
  matched: fc.boolean(),
  affinityHash: fc.nat(2 ** 31),
  turn: fc.nat(1e6),
});

const candidates: fc.Arbitrary<Candidate[]> = fc
  .array(
    fc.record({
      inFlight: fc.nat(2000),
      waiting: fc.nat(500),
      slots: fc.integer({ min: 1, max: 2000 }),
      kvUse: share,
      kvAfter: share,
      cachedTokens: fc.nat(100_000),
      rttSeconds: share,
      queueSeconds: seconds,
      prefillSeconds: seconds,
      decodeSeconds: share,
      queuedTokens: fc.nat(1e6),
      contextTokens: fc.nat(1e6),
      stored: fc.nat(1e6),
    }),
    { minLength: 1, maxLength: 40 },
  )
  .map((list) => list.map((one, index) => ({ id: `w${index}`, ...one })));

function worker(id: string, fields: Partial<Candidate> = {}): Candidate {
  return {
    id,
    inFlight: 0,
    waiting: 0,
    slots: 1024,
    kvUse: 0,
    kvAfter: 0,
    cachedTokens: 0,
    rttSeconds: 0,
    queueSeconds: 0,
    prefillSeconds: 0.05,
    decodeSeconds: 0,
    queuedTokens: 0,
    contextTokens: 0,
    stored: 0,
    ...fields,
  };
}

const cold: RoutingQuery = {
  promptTokens: 750,
  pressure: 1,
  matched: false,
  affinityHash: 1,
  turn: 0,
};

const all: readonly [string, Policy][] = [
  ...Object.entries(POLICIES),
  ['block-cost as it ships', blockCost(1)],
];
/** Policies that ignore load, or look at the load of only two workers. */
const blind = new Set(['round-robin']);
const shortSighted = new Set(['power-of-two']);

describe.each(all)('%s', (name, policy) => {
  test('picks one of the candidates and changes none', () => {
    fc.assert(
      fc.property(questions, candidates, fc.integer(), (question, list, seed) => {
        const before = structuredClone(list);
        expect(list).toContain(policy(question, list, seededRandom(seed)));
        expect(list).toEqual(before);
      }),
    );
  });

  test('the same state and the same chance give the same worker', () => {
    fc.assert(
      fc.property(questions, candidates, fc.integer(), (question, list, seed) => {
        const first = policy(question, list, seededRandom(seed));
        expect(policy(question, list, seededRandom(seed))).toBe(first);
      }),
    );
  });

  if (!blind.has(name))
    test('never picks a worker that is worse in everything', () => {
      const worst = worker('worst', {
        inFlight: 9999,
        waiting: 9999,
        slots: 1,
        kvUse: 1,
        kvAfter: 2,
        rttSeconds: 9,
        queueSeconds: 999,
        prefillSeconds: 999,
        decodeSeconds: 9,
        queuedTokens: 1e8,
        contextTokens: 1e8,
        stored: 1e8,
      });
      fc.assert(
        fc.property(questions, candidates, fc.integer(), (question, list, seed) => {
          expect(policy(question, [...list, worst], seededRandom(seed))).not.toBe(worst);
        }),
      );
    });

  if (!shortSighted.has(name))
    test('equal workers under a burst stay within one request', () => {
      const random = seededRandom(7);
      const loads = Array.from({ length: 8 }, () => 0);
      for (let turn = 0; turn < 803; turn++) {
        const workers = loads.map((inFlight, index) =>
          worker(`w${index}`, {
            inFlight,
            queueSeconds: inFlight * 0.05,
            queuedTokens: inFlight * 750,
            contextTokens: inFlight * 1050,
            stored: inFlight * 3,
          }),
        );
        const picked = policy({ ...cold, turn }, workers, random);
        (loads[workers.indexOf(picked)] as number) += 1;
      }
      expect(Math.max(...loads) - Math.min(...loads)).toBeLessThanOrEqual(1);
    });
});
