import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { BLOCK_TOKENS, rootHash } from '../../../agent/simulator/kv/block-hash.ts';
import { BlockPool } from '../../../agent/simulator/kv/block-pool.ts';
import { Scheduler } from '../../../agent/simulator/scheduler.ts';
import type { Generation, Sequence } from '../../../agent/simulator/sequence.ts';

const TIMING = { tokenMs: 10, decodeSlopeUs: 0, prefillUs: 50 };

/** A generation that samples 1, 2, 3 … and records what happened to it. */
class Count implements Generation {
  readonly model = 'm';
  readonly root: number;
  readonly prompt: Int32Array;
  readonly salt: string | null;
  readonly outputTokens: number;
  sampled = 0;
  cached = -1;
  held = 0;
  isCut = false;

  constructor(tokens: Int32Array, outputTokens: number, salt: string | null = null) {
    this.prompt = tokens;
    this.outputTokens = outputTokens;
    this.salt = salt;
    this.root = rootHash('m', salt);
  }

  get finished(): boolean {
    return this.sampled === this.outputTokens;
  }

  admitted(cachedTokens: number): void {
    this.cached = cachedTokens;
  }

  sample(): number {
    return ++this.sampled;
  }

  cut(): void {
    this.isCut = true;
  }

  holdMs(): number {
    return this.held;
  }
}

function prompt(tokens: number, first = 0): Int32Array {
  return Int32Array.from({ length: tokens }, (_, index) => first + index);
}

function makeScheduler(
  limits: { blocks?: number; budget?: number; running?: number; cuts?: boolean } = {},
): Scheduler {
  return new Scheduler(new BlockPool(limits.blocks ?? 1_000), TIMING, {
    tokenBudget: limits.budget ?? 64,
    runningMax: limits.running ?? 8,
    cutsWhenFull: limits.cuts ?? false,
  });
}

/** Runs steps until nothing is left to do. Returns the duration of each step. */
function drain(scheduler: Scheduler): number[] {
  const durations: number[] = [];
  for (let step = scheduler.begin(0); step; step = scheduler.begin(0)) {
    durations.push(step.durationMs);
    scheduler.complete(step, 0);
  }
  return durations;
}

interface Seen {
  readonly count: Count;
  readonly sequence: Sequence;
}

function stepOnce(scheduler: Scheduler): void {
  const next = scheduler.begin(0);
  if (next) scheduler.complete(next, 0);
}

test('a prompt is computed in chunks of the budget, then each step gives one token', () => {
  const scheduler = makeScheduler({ budget: 64 });
  const count = new Count(prompt(150), 3);
  scheduler.submit(count, 0);
  expect(drain(scheduler)).toEqual([3.2, 3.2, 1.1, 10, 10]);
  expect(count.sampled).toBe(3);
});

test('decoding goes first, and prefill takes what the budget leaves', () => {
  const scheduler = makeScheduler({ budget: 64 });
  const early = new Count(prompt(10), 5);
  scheduler.submit(early, 0);
  const first = scheduler.begin(0);
  if (first) scheduler.complete(first, 0);
  const late = new Count(prompt(100, 500), 1);
  scheduler.submit(late, 0);
  const step = scheduler.begin(0);
  expect(step?.decodes).toHaveLength(1);
  expect(step?.prefills.map(({ tokens }) => tokens)).toEqual([63]);
  expect(step?.durationMs).toBeCloseTo(10 + 63 * 0.05);
});

test('the second request for a prefix finds all of its full blocks but the last token', () => {
  const scheduler = makeScheduler();
  const first = new Count(prompt(64), 1);
  scheduler.submit(first, 0);
  drain(scheduler);
  const again = new Count(prompt(64), 1);
  const longer = new Count(prompt(80), 1);
  scheduler.submit(again, 0);
  scheduler.submit(longer, 0);
  drain(scheduler);
  expect(first.cached).toBe(0);
  expect(again.cached).toBe(48);
  expect(longer.cached).toBe(64);
  expect(scheduler.totals('m')).toEqual({
    preemptions: 0,
    cacheQueries: 64 + 64 + 80,
    cacheHits: 48 + 64,
    promptTokens: 64 + 64 + 80,
    generationTokens: 3,
  });
});

test('an engine that cuts when its cache is full ends all that run, and serves who waits', () => {
  const scheduler = makeScheduler({ blocks: 8, cuts: true, running: 4 });
  const long = Array.from({ length: 4 }, (_, nth) => new Count(prompt(16, nth * 100), 100));
  const late = new Count(prompt(16, 900), 2);
  for (const count of [...long, late]) scheduler.submit(count, 0);
  drain(scheduler);
  expect(long.map(({ isCut }) => isCut)).toEqual([true, true, true, true]);
  expect(long.every(({ sampled }) => sampled > 0 && sampled < 100)).toBe(true);
  expect([late.isCut, late.sampled]).toEqual([false, 2]);
  expect(scheduler.totals('m').preemptions).toBe(0);
  expect(scheduler.running.size).toBe(0);
});

test('another salt finds nothing, and the same salt does', () => {
  const scheduler = makeScheduler();
  const run = (salt: string | null) => {
    const count = new Count(prompt(64), 1, salt);
    scheduler.submit(count, 0);
    drain(scheduler);
    return count.cached;
  };
  expect([run('a'), run('b'), run(null), run('a'), run(null)]).toEqual([0, 0, 0, 48, 48]);
});

test('an answer that comes back in the next prompt is found too', () => {
  const scheduler = makeScheduler();
  const first = new Count(prompt(24), 41);
  scheduler.submit(first, 0);
  drain(scheduler);
  const conversation = Int32Array.from([...first.prompt, ...prompt(41, 1), 7, 7, 7]);
  const second = new Count(conversation, 1);
  scheduler.submit(second, 0);
  drain(scheduler);
  // 24 + 41 tokens, of which the last sampled one was never computed: four full blocks.
  expect(second.cached).toBe(64);
});

test('a request waits while the KV of its prompt does not fit, and those behind it wait with it', () => {
  const scheduler = makeScheduler({ blocks: 10, budget: 1_000 });
  const large = new Count(prompt(128), 16);
  const next = new Count(prompt(64, 1_000), 64);
  const small = new Count(prompt(16, 2_000), 1);
  for (const count of [large, next, small]) scheduler.submit(count, 0);
  const step = scheduler.begin(0);
  expect(scheduler.running.size).toBe(1);
  expect(scheduler.waiting.size).toBe(2);
  expect(scheduler.pool.usage).toBeCloseTo(0.8);
  if (step) scheduler.complete(step, 0);
  drain(scheduler);
  expect([large.sampled, next.sampled, small.sampled]).toEqual([16, 64, 1]);
  expect(scheduler.pool.usage).toBe(0);
});

test('when no block is left, the youngest gives up all of its own and comes back first', () => {
  const scheduler = makeScheduler({ blocks: 10, budget: 1_000 });
  const [oldest, youngest, waiting] = [
    new Count(prompt(64), 40),
    new Count(prompt(80, 1_000), 40),
    new Count(prompt(32, 2_000), 1),
  ].map((count) => ({ count, sequence: scheduler.submit(count, 0) })) as [Seen, Seen, Seen];
  // Both run, with nine blocks of ten. Each needs one more for its answer, and the oldest gets it.
  stepOnce(scheduler);
  expect(scheduler.running.size).toBe(2);
  stepOnce(scheduler);
  expect([oldest.sequence.phase, youngest.sequence.phase]).toEqual(['running', 'waiting']);
  expect([...scheduler.waiting].map(({ generation }) => generation)).toEqual([
    youngest.count,
    waiting.count,
  ]);
  expect([youngest.sequence.blocks.length, youngest.sequence.promised]).toEqual([0, 0]);
  expect(scheduler.totals('m').preemptions).toBe(1);
  drain(scheduler);
  expect([oldest.count, youngest.count].map(({ sampled }) => sampled)).toEqual([40, 40]);
});

test('what is computed again is counted by the cache, and nowhere else', () => {
  const scheduler = makeScheduler({ blocks: 10, budget: 1_000 });
  const counts = [new Count(prompt(64), 60), new Count(prompt(64, 1_000), 60)];
  for (const count of counts) scheduler.submit(count, 0);
  drain(scheduler);
  const totals = scheduler.totals('m');
  expect(totals.preemptions).toBeGreaterThan(0);
  expect(counts.map(({ cached }) => cached)).toEqual([0, 0]);
  expect(totals).toMatchObject({ promptTokens: 128, generationTokens: 120 });
  expect(totals.cacheQueries).toBeGreaterThan(128);
});

test('an answer that was preempted is in the cache as if it had not been', () => {
  const cachedAfter = (blocks: number) => {
    const scheduler = makeScheduler({ blocks, budget: 1_000 });
    const first = new Count(prompt(70, 5_000), 60);
    scheduler.submit(new Count(prompt(70), 70), 0);
    scheduler.submit(first, 0);
    drain(scheduler);
    const isPreempted = scheduler.totals('m').preemptions > 0;
    const again = new Count(Int32Array.from([...first.prompt, ...prompt(60, 1), 7]), 1);
    scheduler.submit(again, 0);
    drain(scheduler);
    return [isPreempted, again.cached];
  };
  expect(cachedAfter(1_000)).toEqual([false, 128]);
  expect(cachedAfter(12)).toEqual([true, 128]);
});

test('no more run at once than may', () => {
  const scheduler = makeScheduler({ running: 2 });
  const counts = [0, 1, 2].map((index) => new Count(prompt(16, index * 100), 2));
  for (const count of counts) scheduler.submit(count, 0);
  scheduler.begin(0);
  expect(scheduler.running.size).toBe(2);
});

test('an abort frees the blocks at once, in any phase', () => {
  const scheduler = makeScheduler({ blocks: 20, budget: 32 });
  const running = scheduler.submit(new Count(prompt(100), 20), 0);
  const waiting = scheduler.submit(new Count(prompt(100, 500), 200), 0);
  const step = scheduler.begin(0);
  expect(scheduler.pool.usage).toBeGreaterThan(0);
  scheduler.abort(waiting);
  scheduler.abort(running);
  expect(scheduler.pool.available).toBe(20);
  // The step in progress skips it.
  if (step) scheduler.complete(step, 0);
  scheduler.abort(running);
  expect(scheduler.running.size + scheduler.waiting.size).toBe(0);
  expect(scheduler.begin(0)).toBeNull();
  expect(scheduler.pool.held).toMatchObject({ referenced: 0, promised: 0 });
});

test('the tail of a prefix is evicted before its head', () => {
  const scheduler = makeScheduler({ blocks: 8 });
  const run = (count: Count) => {
    scheduler.submit(count, 0);
    drain(scheduler);
    return count.cached;
  };
  run(new Count(prompt(6 * BLOCK_TOKENS), 1));
  // Its seven blocks leave one free. This prompt takes three more, so two blocks of the tail are
  // evicted.
  run(new Count(prompt(3 * BLOCK_TOKENS - 1, 9_000), 1));
  expect(run(new Count(prompt(6 * BLOCK_TOKENS), 1))).toBe(5 * BLOCK_TOKENS);
  run(new Count(prompt(4 * BLOCK_TOKENS - 1, 5_000), 1));
  const cached = run(new Count(prompt(6 * BLOCK_TOKENS), 1));
  expect(cached).toBeGreaterThan(0);
  expect(cached).toBeLessThan(5 * BLOCK_TOKENS);
});

test('a held request gives nothing, keeps its place, and goes on when it is resumed', () => {
  const scheduler = makeScheduler();
  const count = new Count(prompt(16), 3);
  count.held = Infinity;
  scheduler.submit(count, 0);
  expect(scheduler.begin(0)).toBeNull();
  expect(scheduler.running.size).toBe(1);
  expect(scheduler.nextResumeMs()).toBe(Infinity);
  count.held = 0;
  scheduler.resume();
  drain(scheduler);
  expect(count.sampled).toBe(3);
});

interface Ask {
  readonly promptTokens: number;
  readonly family: number;
  readonly outputTokens: number;
  readonly abortAtStep: number | null;
}

const ask = fc.record<Ask>({
  promptTokens: fc.integer({ min: 1, max: 200 }),
  family: fc.integer({ min: 0, max: 2 }),
  outputTokens: fc.integer({ min: 1, max: 40 }),
  abortAtStep: fc.option(fc.integer({ min: 0, max: 30 }), { nil: null }),
});

/** Runs a history and returns everything observable, checking the invariants on the way. */
function history(asks: readonly Ask[], budget: number): unknown[] {
  const pool = new BlockPool(24);
  const scheduler = new Scheduler(pool, TIMING, { tokenBudget: budget, runningMax: 4 });
  const counts = asks.map(
    (each) => new Count(prompt(each.promptTokens, each.family), each.outputTokens),
  );
  const sequences: Sequence[] = counts.map((count) => scheduler.submit(count, 0));
  const seen: unknown[] = [];
  for (let at = 0; ; at++) {
    for (const [index, { abortAtStep }] of asks.entries()) {
      const sequence = sequences[index];
      if (abortAtStep === at && sequence) scheduler.abort(sequence);
    }
    const step = scheduler.begin(at);
    if (!step) break;
    const prefill = step.prefills.reduce((sum, { tokens }) => sum + tokens, 0);
    expect(step.decodes.length + prefill).toBeLessThanOrEqual(budget);
    expect(scheduler.running.size).toBeLessThanOrEqual(4);
    expect(pool.available).toBeGreaterThanOrEqual(0);
    const promised = sequences.reduce((sum, each) => sum + each.promised, 0);
    expect(pool.held.promised).toBe(promised);
    expect(pool.usage).toBeLessThanOrEqual(1);
    scheduler.complete(step, at);
    seen.push([step.durationMs, counts.map(({ sampled }) => sampled)]);
  }
  expect(scheduler.waiting.size + scheduler.running.size).toBe(0);
  expect(pool.held).toMatchObject({ referenced: 0, promised: 0 });
  for (const [index, count] of counts.entries()) {
    if (asks[index]?.abortAtStep === null) expect(count.sampled).toBe(count.outputTokens);
  }
  return [...seen, counts.map(({ cached }) => cached), scheduler.totals('m')];
}

test('whatever is asked: within budget and pool, preempted or not, all ends, and twice the same', () => {
  const fits = ask.filter((each) => each.promptTokens + each.outputTokens <= 24 * BLOCK_TOKENS);
  fc.assert(
    fc.property(
      fc.array(fits, { maxLength: 12 }),
      fc.integer({ min: 4, max: 64 }),
      (asks, budget) => {
        expect(history(asks, budget)).toEqual(history(asks, budget));
      },
    ),
  );
});
