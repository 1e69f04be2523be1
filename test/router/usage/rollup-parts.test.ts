/** The parts that rollups are made of: histograms, cells, buckets of time. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { CellReader, CellWriter, placeOf } from '../../../router/usage/rollups/cells.ts';
import { BUCKETS, bucketOf, percentilesOf } from '../../../router/usage/rollups/histogram.ts';
import { SHAPES, shapeOf, DIMENSIONS } from '../../../router/usage/rollups/shapes.ts';
import {
  bump,
  COST,
  DURATION,
  figuresOf,
  noSums,
  REQUESTS,
  type Sums,
  TIMED_COMPLETION,
  TTFT,
} from '../../../router/usage/rollups/sums.ts';
import { DAY_MS } from '../../../shared/durations.ts';
import {
  BUCKET_NAMES,
  keptFrom,
  oldestChunk,
  chunkOf,
  ordinalOf,
  startOf,
} from '../../../router/usage/time-buckets.ts';

test('a time of its own has a percentile within five per cent, rounded to whole milliseconds', () => {
  for (let ms = 0; ms <= 20_000; ms++) {
    const counts = new Float64Array(BUCKETS);
    counts[bucketOf(ms)] = 1;
    const error = Math.abs((percentilesOf(counts, 0)?.p50 ?? Number.NaN) - ms);
    expect.soft(error, `${ms} ms`).toBeLessThanOrEqual(ms * 0.05 + 0.5);
  }
});

test('a percentile is within five per cent of the value itself, rounded to whole milliseconds', () => {
  const values = fc.array(fc.integer({ min: 0, max: 14_000_000 }), {
    minLength: 1,
    maxLength: 300,
  });
  const property = fc.property(values, (all) => {
    const counts = new Float64Array(BUCKETS);
    for (const value of all) counts[bucketOf(value)] = (counts[bucketOf(value)] as number) + 1;
    const sorted = all.toSorted((a, b) => a - b);
    const found = percentilesOf(counts, 0);
    for (const [name, share] of [
      ['p50', 0.5],
      ['p90', 0.9],
      ['p99', 0.99],
    ] as const) {
      const exact = sorted[Math.ceil(share * sorted.length) - 1] as number;
      const error = Math.abs((found?.[name] ?? Number.NaN) - exact);
      expect(error).toBeLessThanOrEqual(exact * 0.05 + 0.5);
    }
  });
  fc.assert(property, { numRuns: 500 });
});

test('what takes longer than any histogram reaches counts as its longest', () => {
  expect(bucketOf(1e12)).toBe(BUCKETS - 1);
  expect(percentilesOf(new Float64Array(BUCKETS), 0)).toBeNull();
});

const cell = fc.record({
  offset: fc.integer({ min: 0, max: 59 }),
  outcome: fc.integer({ min: 0, max: 3 }),
  stored: fc.array(fc.oneof(fc.nat(), fc.maxSafeNat()), { minLength: 8, maxLength: 8 }),
  ttft: fc.array(fc.integer({ min: 0, max: BUCKETS - 1 }), { maxLength: 20 }),
  duration: fc.array(fc.integer({ min: 0, max: BUCKETS - 1 }), { maxLength: 20 }),
});

test('a chunk is read as it was written, whatever is in it', () => {
  const cells = fc.uniqueArray(cell, {
    maxLength: 30,
    selector: ({ offset, outcome }) => placeOf(offset, outcome),
  });
  const property = fc.property(cells, (drawn) => {
    const writer = new CellWriter();
    const all = new Map<number, Sums>();
    writer.begin();
    const sorted = drawn.toSorted(
      (a, b) => placeOf(a.offset, a.outcome) - placeOf(b.offset, b.outcome),
    );
    for (const { offset, outcome, stored, ttft, duration } of sorted) {
      const sums = noSums();
      for (const [at, value] of stored.entries()) sums[at + 1] = value;
      // The pico-USD part of a sum is always less than a dollar.
      sums[COST + 1] = (sums[COST + 1] as number) % 1e12;
      sums[COST + 3] = (sums[COST + 3] as number) % 1e12;
      sums[REQUESTS] = 1 + ((stored[0] as number) % 1_000);
      const touched: number[] = [];
      for (const bucket of ttft) touched.push(TTFT + bucket);
      for (const bucket of duration) touched.push(DURATION + bucket);
      for (const at of touched) sums[at] = (sums[at] as number) + 1;
      writer.add(placeOf(offset, outcome), sums, touched);
      all.set(placeOf(offset, outcome), sums);
    }
    const bytes = writer.end();
    expect(bytes === null).toBe(all.size === 0);
    if (bytes === null) return;
    const reader = new CellReader(bytes);
    const read: number[] = [];
    while (reader.next()) {
      const expected = all.get(reader.place) as Sums;
      const sums = noSums();
      reader.addTo(sums, true);
      expect(sums.subarray(0, 9)).toEqual(expected.subarray(0, 9));
      expect(sums.subarray(TTFT)).toEqual(expected.subarray(TTFT));
      read.push(reader.place);
    }
    expect(read).toEqual([...all.keys()]);
  });
  fc.assert(property, { numRuns: 300 });
});

test('every instant is in the bucket that begins at or before it, and in no later one', () => {
  const property = fc.property(
    fc.constantFrom(...BUCKET_NAMES),
    fc.integer({ min: 0, max: Date.UTC(2100, 0) }),
    (name, instant) => {
      const ordinal = ordinalOf(name, instant);
      expect(startOf(name, ordinal)).toBeLessThanOrEqual(instant);
      expect(startOf(name, ordinal + 1)).toBeGreaterThan(instant);
      expect(ordinalOf(name, startOf(name, ordinal))).toBe(ordinal);
    },
  );
  fc.assert(property);
  expect(startOf('month', ordinalOf('month', Date.UTC(2028, 1, 29)))).toBe(Date.UTC(2028, 1));
});

test('a query that is allowed asks for nothing that a fold since then left out', () => {
  const instants = fc.integer({ min: Date.UTC(2025, 0), max: Date.UTC(2100, 0) });
  const property = fc.property(
    instants,
    fc.integer({ min: 0, max: 400 * DAY_MS }),
    (asked, ago) => {
      for (const name of ['minute', 'hour'] as const) {
        const first = chunkOf(name, ordinalOf(name, keptFrom(name, asked) as number));
        expect(oldestChunk(name, asked - ago)).toBeLessThanOrEqual(first);
      }
    },
  );
  fc.assert(property);
});

test('whatever is asked for, there is a shape that tells apart just that, and a key with what it has', () => {
  for (const dimensions of fc.sample(fc.subarray([...DIMENSIONS]), 200)) {
    expect(SHAPES).toContain(shapeOf(dimensions));
  }
  expect(shapeOf([])).toBe(0);
  expect(shapeOf(['key'])).toBe(shapeOf(['key', 'member', 'source']));
});

test('the speed is that of all completion tokens between first token and end', () => {
  const sums = noSums();
  const add = (tokens: number, ttft: number, duration: number) => {
    bump(sums, TIMED_COMPLETION, tokens);
    bump(sums, TTFT + bucketOf(ttft), 1);
    bump(sums, DURATION + bucketOf(duration), 1);
  };
  expect(figuresOf(sums).tokens_per_second).toBeNull();
  add(1_000, 200, 10_200);
  add(50, 1_000, 2_000);
  // 1,050 tokens in 11 seconds.
  expect(figuresOf(sums).tokens_per_second).toBeGreaterThan(85);
  expect(figuresOf(sums).tokens_per_second).toBeLessThan(106);
  // A response that came at once has no speed.
  const atOnce = noSums();
  bump(atOnce, TIMED_COMPLETION, 10);
  bump(atOnce, TTFT + bucketOf(100), 1);
  bump(atOnce, DURATION + bucketOf(100), 1);
  expect(figuresOf(atOnce).tokens_per_second).toBeNull();
});
