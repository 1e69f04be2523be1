import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../../shared/random.ts';
import { BlockPool } from './model/block-pool.ts';
import { prefillS, stepS } from './model/costs.ts';
import { Timeline } from './model/timeline.ts';
import { oracle } from './routers/oracle.ts';
import { HEARS_NOTHING, type Router } from './routers/router.ts';
import { type Setting, simulate } from './simulate.ts';
import { makeLoad } from './trace/load.ts';
import { parseTextTrace } from './trace/text.ts';

const EXCERPT = parseTextTrace(readFileSync(join(import.meta.dirname, 'excerpt.txt'), 'utf8'));

function roundRobin(workers: number): Router {
  let turn = 0;
  return {
    ...HEARS_NOTHING,
    dispatch: () => {
      turn = (turn + 1) % workers;
      return turn;
    },
  };
}

function run(blocks: number, makeRouters: Setting['makeRouters']) {
  const options = { requestsPerS: 0.21, requestsMax: 1e4, routers: 1, tokenErrorDeviation: 0 };
  const load = makeLoad(EXCERPT, options, seededRandom(1));
  return simulate({ load, workers: 2, blocks, makeRouters });
}

describe('the worker model', () => {
  // The results of the study's own model for this excerpt. The two implementations share no code.
  test.each([
    [48, { hit: 0.082, mean: 2.996, p50: 0.623, p90: 10.865, p99: 22.145, good: 0.7551 }],
    [64, { hit: 0.1217, mean: 1.119, p50: 0.528, p90: 1.794, p99: 19.304, good: 0.9082 }],
    [100, { hit: 0.1933, mean: 0.567, p50: 0.462, p90: 1.427, p99: 1.794, good: 1 }],
  ])('with %i blocks a worker gives the figures of its reference', (blocks, expected) => {
    const figures = run(blocks, () => [roundRobin(2)]);
    expect(figures.hitRate).toBeCloseTo(expected.hit, 4);
    expect(figures.ttftMeanS).toBeCloseTo(expected.mean, 3);
    expect(figures.ttftP50S).toBeCloseTo(expected.p50, 3);
    expect(figures.ttftP90S).toBeCloseTo(expected.p90, 3);
    expect(figures.ttftP99S).toBeCloseTo(expected.p99, 3);
    expect(figures.goodput).toBeCloseTo(expected.good, 4);
  });

  test('lets the oracle do better than turns', () => {
    const turns = run(64, () => [roundRobin(2)]);
    const known = run(64, (fleet, timeline) => [
      oracle(fleet, { timeline, random: seededRandom(1) }),
    ]);
    expect(known.ttftMeanS).toBeLessThan(turns.ttftMeanS);
    expect(known.hitRate).toBeGreaterThan(turns.hitRate);
  });

  test('refuses a request that no worker could hold, rather than wait for ever', () => {
    expect(() => run(24, () => [roundRobin(2)])).toThrow(/does not fit/);
  });

  test('a step takes at least the reading of the weights, and attention grows with the position', () => {
    const idle = { tokens: 1, attentionS: 0, contextTokens: 0 };
    expect(stepS(idle)).toBeCloseTo(0.0152, 6);
    expect(stepS({ ...idle, tokens: 2048 })).toBeGreaterThan(0.13);
    expect(prefillS(30_000, 31_000)).toBeGreaterThan(prefillS(0, 1000) * 1.9);
  });
});

describe("a worker's cache", () => {
  /** A request for blocks with these ids that was computed and has ended. */
  function pass(pool: BlockPool, ids: readonly number[]): void {
    const blocks = Uint32Array.from(ids);
    const depth = pool.depth(blocks, ids.length);
    const held = ids.slice(0, depth).map((id) => pool.hold(id));
    let reserved = pool.reserve(ids.length - depth);
    for (const id of ids.slice(depth)) {
      const slot = pool.publish(id);
      if (slot === null) continue;
      held.push(slot);
      reserved--;
    }
    pool.release(held, reserved);
  }

  test('gives up the tail of the prompt used longest ago first', () => {
    const pool = new BlockPool(4);
    pass(pool, [1, 2]);
    pass(pool, [3, 4]);
    pass(pool, [5]);
    expect([1, 2, 3, 4, 5].map((id) => pool.has(id))).toEqual([true, false, true, true, true]);
    pass(pool, [1]);
    pass(pool, [6]);
    expect([1, 3, 4, 5, 6].map((id) => pool.has(id))).toEqual([true, true, false, true, true]);
  });

  test('never evicts what a running request holds', () => {
    const pool = new BlockPool(2);
    pass(pool, [1]);
    const slot = pool.hold(1);
    expect(pool.fits(2, Uint32Array.of(1), 1)).toBe(false);
    expect(pool.reserve(2)).toBe(1);
    expect(pool.has(1)).toBe(true);
    pool.release([slot], 1);
    expect(pool.available).toBe(2);
  });

  test('has every block available again once all are gone', () => {
    const prompts = fc.array(fc.uniqueArray(fc.nat(30), { minLength: 1, maxLength: 12 }));
    fc.assert(
      fc.property(prompts, (list) => {
        const pool = new BlockPool(12);
        for (const ids of list) {
          pass(pool, ids);
          expect(pool.depth(Uint32Array.from(ids), ids.length)).toBe(ids.length);
          expect(pool.available).toBe(12);
        }
      }),
    );
  });
});

describe('virtual time', () => {
  test('runs what is due in its order, and what is due at once as it was asked for', () => {
    const times = fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 60 });
    fc.assert(
      fc.property(times, (list) => {
        const timeline = new Timeline();
        const ran: [number, number][] = [];
        for (const [order, atS] of list.entries()) {
          timeline.at(atS, () => {
            expect(timeline.nowS).toBe(atS);
            ran.push([atS, order]);
          });
        }
        timeline.finish();
        expect(ran).toEqual(ran.toSorted((a, b) => a[0] - b[0] || a[1] - b[1]));
        expect(ran).toHaveLength(list.length);
      }),
    );
  });

  test('stands where it was moved to, with only what came before it done', () => {
    const timeline = new Timeline();
    const ran: number[] = [];
    for (const atS of [1, 2, 3]) timeline.at(atS, () => ran.push(atS));
    timeline.advance(2);
    expect(ran).toEqual([1]);
    expect(timeline.nowS).toBe(2);
  });
});
