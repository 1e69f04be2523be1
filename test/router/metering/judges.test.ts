/**
 * The three comparisons of the audit (recounts, bands, cache shares), with honest hosts, dishonest
 * hosts and dishonest referees.
 */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Alarms } from '../../../router/metering/alarms.ts';
import { Bands, unitsOf } from '../../../router/metering/bands.ts';
import { CacheShares } from '../../../router/metering/cache-shares.ts';
import { fairMedian } from '../../../router/metering/fair-median.ts';
import { Recounts } from '../../../router/metering/recounts.ts';
import { type Alarm, type Subject, SUBJECTS_MAX } from '../../../router/metering/subject.ts';
import { makeLog } from '../../../shared/log.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const subjectOf = (agent: string): Subject => ({
  worker: `${agent}/engine`,
  agent,
  model: 'lab/m',
});

/** Samples of one host, each recounted by a referee. `counts` says how each referee counts. */
function recount(
  referees: Readonly<Record<string, (tokens: number) => number>>,
  samples: readonly { tokens: number; reported: number }[],
  judge = new Recounts(),
): Alarm[] {
  const subject = subjectOf('judged');
  const agents = Object.keys(referees);
  return samples.flatMap(({ tokens, reported }) => {
    const referee = judge.referee(subject, agents);
    if (referee === null) return [];
    const counted = (referees[referee] as (of: number) => number)(tokens);
    return judge.compare(subject, 'completion', { reported, counted, referee, agents }) ?? [];
  });
}

const honest = (tokens: number) => tokens;
/** Answers of real lengths, with as many tokens as a tokenizer counts, or a few more. */
const answers = fc.array(
  fc.record({
    tokens: fc.integer({ min: 1, max: 2_000 }),
    more: fc.double({ min: 0, max: 0.09, noNaN: true }),
  }),
  { minLength: 40, maxLength: 200 },
);

describe('counted again', () => {
  test('a host whose tokens differ a little from those of its text is never suspected', () => {
    const property = fc.property(answers, (all) => {
      const samples = all.map(({ tokens, more }) => ({
        tokens,
        reported: Math.floor(tokens * (1 + more)) + 3,
      }));
      expect(recount({ a: honest, b: honest, c: honest }, samples)).toEqual([]);
    });
    fc.assert(property);
  });

  test.each([1, 2, 3, 9])(
    'one that adds a fifth is found by %i others within 24 samples',
    (others) => {
      const referees = Object.fromEntries(
        Array.from({ length: others }, (_, i) => [`r${i}`, honest]),
      );
      const samples = Array.from({ length: 24 }, () => ({ tokens: 100, reported: 120 }));
      const alarms = recount(referees, samples);
      expect(alarms[0]).toEqual({
        ...subjectOf('judged'),
        kind: 'completion_inflated',
        by: 'recount',
        ratio: 1.2,
        samples: 8 * Math.min(3, others),
      });
    },
  );

  test('one that was honest for long is found as soon as it is not', () => {
    const judge = new Recounts();
    const referees = { a: honest, b: honest, c: honest };
    const before = Array.from({ length: 5_000 }, () => ({ tokens: 100, reported: 101 }));
    expect(recount(referees, before, judge)).toEqual([]);
    const after = Array.from({ length: 72 }, () => ({ tokens: 100, reported: 120 }));
    expect(recount(referees, after, judge)).not.toEqual([]);
  });

  test('a referee that lies among three neither frames a host nor covers one', () => {
    const property = fc.property(answers, fc.constantFrom('a', 'b', 'c'), (all, liar) => {
      const referees = { a: honest, b: honest, c: honest };
      const tell = (counts: (tokens: number) => number) => ({ ...referees, [liar]: counts });
      const fair = all.map(({ tokens }) => ({ tokens, reported: tokens + 1 }));
      expect(
        recount(
          tell((tokens) => Math.ceil(tokens / 2)),
          fair,
        ),
      ).toEqual([]);
      const unfair = Array.from({ length: 24 }, () => ({ tokens: 200, reported: 240 }));
      expect(
        recount(
          tell((tokens) => tokens * 2),
          unfair,
        ),
      ).not.toEqual([]);
    });
    fc.assert(property, { numRuns: 30 });
  });

  test('referees that are gone do not vouch for what a host does now', () => {
    const judge = new Recounts();
    const fair = Array.from({ length: 100 }, () => ({ tokens: 100, reported: 100 }));
    recount({ a: honest, b: honest, c: honest }, fair, judge);
    const unfair = Array.from({ length: 24 }, () => ({ tokens: 100, reported: 120 }));
    expect(recount({ d: honest, e: honest, f: honest }, unfair, judge)).not.toEqual([]);
  });
});

/** The tokens that a host reports per unit of text, one sample at a time. */
function learn(bands: Bands, agent: string, rates: readonly number[], isJudged = true): Alarm[] {
  return rates.flatMap(
    (rate) =>
      bands.learn(subjectOf(agent), 'completion', { reported: rate * 100, units: 100, isJudged }) ??
      [],
  );
}
const rates = fc.array(fc.double({ min: 0.87, max: 1.16, noNaN: true }), {
  minLength: 40,
  maxLength: 40,
});

describe('held against what is usual', () => {
  test('texts that differ by a third raise no alarm', () => {
    const property = fc.property(fc.array(rates, { minLength: 2, maxLength: 6 }), (hosts) => {
      const bands = new Bands();
      hosts.forEach((host, i) => expect(learn(bands, `h${i}`, host)).toEqual([]));
    });
    fc.assert(property);
  });

  test('half as much again is found, whichever host it is, and nobody else is', () => {
    const usual = Array.from({ length: 32 }, (_, i) => 0.9 + (i % 5) / 20);
    for (const liar of [0, 1, 2]) {
      const bands = new Bands();
      for (let round = 0; round < 2; round++) {
        for (const host of [0, 1, 2]) {
          const alarms = learn(
            bands,
            `h${host}`,
            host === liar ? usual.map((r) => r * 1.5) : usual,
          );
          if (host !== liar) expect(alarms).toEqual([]);
          else if (round === 1)
            expect(alarms.map(({ kind }) => kind)).toContain('completion_inflated');
        }
      }
    }
  });

  test('a host alone is held against nobody', () => {
    expect(
      learn(
        new Bands(),
        'alone',
        Array.from({ length: 100 }, (_, i) => i),
      ),
    ).toEqual([]);
  });

  test('many workers of one agent are one vote', () => {
    const bands = new Bands();
    const lean = Array.from({ length: 32 }, () => 0.5);
    for (let i = 0; i < 9; i++) {
      for (const rate of lean) {
        const subject = { ...subjectOf('framer'), worker: `framer/${i}` };
        bands.learn(subject, 'completion', { reported: rate * 100, units: 100, isJudged: false });
      }
    }
    const usual = Array.from({ length: 32 }, () => 1);
    learn(bands, 'b', usual, false);
    expect(learn(bands, 'a', usual)).toEqual([]);
  });

  test('of several workers of an agent the one counts that speaks for the judged', () => {
    const bands = new Bands();
    for (const [worker, rate] of [
      ['other/1', 100],
      ['other/2', 50],
    ] as const) {
      const subject = { ...subjectOf('other'), worker };
      for (let i = 0; i < 32; i++) {
        bands.learn(subject, 'completion', { reported: rate, units: 100, isJudged: false });
      }
    }
    expect(
      learn(
        bands,
        'judged',
        Array.from({ length: 32 }, () => 1),
      ),
    ).toEqual([]);
  });

  test("an agent's other workers do not vouch for it", () => {
    const bands = new Bands();
    learn(
      bands,
      'honest',
      Array.from({ length: 32 }, () => 1),
      false,
    );
    const second = { ...subjectOf('liar'), worker: 'liar/second' };
    for (let i = 0; i < 32; i++) {
      bands.learn(second, 'completion', { reported: 150, units: 100, isJudged: false });
    }
    expect(
      learn(
        bands,
        'liar',
        Array.from({ length: 32 }, () => 1.5),
      ),
    ).not.toEqual([]);
  });

  test('a unit is about a token, whatever the text', () => {
    const prose = 'The valve was opened before the water had come to the mill by the old bridge.';
    expect(unitsOf(prose)).toBeGreaterThan(10);
    expect(unitsOf(prose)).toBeLessThan(26);
    expect(unitsOf('水車小屋の水')).toBeGreaterThan(4);
    expect(unitsOf('水車小屋の水')).toBeLessThan(10);
  });
});

describe('cached tokens', () => {
  const serve = (caches: CacheShares, agent: string, share: number, times = 40): Alarm[] =>
    Array.from({ length: times }).flatMap(
      () => caches.learn(subjectOf(agent), { predicted: 1_000, reported: 1_000 * share }) ?? [],
    );

  test('who says nothing of what others say is found', () => {
    const caches = new CacheShares();
    for (const agent of ['a', 'b']) expect(serve(caches, agent, 0.9)).toEqual([]);
    expect(serve(caches, 'liar', 0)[0]).toMatchObject({ kind: 'cached_understated', ratio: 0 });
  });

  test("an agent's other workers do not vouch for it", () => {
    const caches = new CacheShares();
    serve(caches, 'honest', 0.9);
    for (const worker of ['liar/1', 'liar/2']) {
      const subject = { ...subjectOf('liar'), worker };
      const alarms = Array.from({ length: 40 }).flatMap(
        () => caches.learn(subject, { predicted: 1_000, reported: 0 }) ?? [],
      );
      expect(alarms).not.toEqual([]);
    }
  });

  test('a smaller cache, a fleet that caches little and a prediction that is too low are no alarms', () => {
    const caches = new CacheShares();
    for (const [agent, share] of [
      ['a', 0.9],
      ['b', 0.6],
      ['c', 1.4],
    ] as const) {
      expect(serve(caches, agent, share)).toEqual([]);
    }
    const cold = new CacheShares();
    for (const [agent, share] of [
      ['a', 0.1],
      ['b', 0.1],
      ['c', 0],
    ] as const) {
      expect(serve(cold, agent, share)).toEqual([]);
    }
  });
});

test('the median of two is the one that favours the judged, and of none there is none', () => {
  expect([fairMedian([3, 1], 'low'), fairMedian([3, 1], 'high')]).toEqual([1, 3]);
  expect([fairMedian([9, 1, 2], 'low'), fairMedian([9, 1, 2], 'high')]).toEqual([2, 2]);
  expect(fairMedian([], 'low')).toBeNull();
});

test('what agents name takes no more memory than its bound', () => {
  const alarms = new Alarms({ clock: new ManualClock(), log: makeLog('test', 'silent') });
  const raise = (worker: string) =>
    alarms.raise({
      worker,
      agent: 'agent',
      model: 'model',
      kind: 'prompt_inflated',
      by: 'band',
      ratio: 2,
      samples: 1,
    });
  for (let n = 0; n < 2 * SUBJECTS_MAX; n++) {
    raise(`worker ${n}`);
    raise('worker 0');
  }
  const workers = new Set([...alarms.all()].map(({ worker }) => worker));
  expect(workers.size).toBe(SUBJECTS_MAX);
  expect([workers.has('worker 0'), workers.has('worker 1')]).toEqual([true, false]);
});
