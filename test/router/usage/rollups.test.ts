/**
 * MONEY 21: usage is folded in order after its settlement. A query adds the usage that is not
 * folded yet to the rollups.
 */
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { usageFolds } from '../../../router/usage/rollups/fold-task.ts';
import { prepareFold, writeFold } from '../../../router/usage/rollups/fold.ts';
import type { SummaryQuery } from '../../../router/usage/rollups/summary-query.ts';
import { ordinalOf } from '../../../router/usage/time-buckets.ts';
import { Rig } from '../ledger/rig.ts';
import { type Drawn, expectSame, KEYS, MEMBERS, MODELS, Usages } from './rollup-rig.ts';

const DAY_MS = 86_400_000;

let rig: Rig;
beforeAll(async () => {
  rig = await Rig.start();
  // Avoids an instant at which a day, a month and an hour begin together.
  rig.clock.advance(37 * DAY_MS + 5_000_000);
  // The check of meters assumes that requests end within days of their arrival. These took weeks.
  rig.damaged = true;
});
afterAll(() => rig[Symbol.asyncDispose]());

const drawn: fc.Arbitrary<Drawn> = fc.record({
  model: fc.integer({ min: 0, max: 1 }),
  key: fc.integer({ min: 0, max: 4 }),
  status: fc.integer({ min: 0, max: 6 }),
  prompt: fc.integer({ min: 10, max: 5_000 }),
  cached: fc.integer({ min: 0, max: 10 }),
  completion: fc.integer({ min: 0, max: 900 }),
  ttft: fc.option(fc.integer({ min: 0, max: 90_000 })),
  duration: fc.integer({ min: 0, max: 4_000_000 }),
  agoMs: fc.oneof(
    fc.integer({ min: 0, max: 10 * 60_000 }),
    fc.integer({ min: 0, max: 2 * DAY_MS }),
    fc.integer({ min: 0, max: 35 * DAY_MS }),
  ),
});

/** One or more of the values; undefined: any. */
const optional = <Value>(values: readonly Value[]) =>
  fc.option(fc.subarray([...values], { minLength: 1 }), { nil: undefined });
const query: fc.Arbitrary<Partial<SummaryQuery>> = fc
  .record({
    bucket: fc.constantFrom('minute', 'hour', 'day', 'month'),
    groupBy: fc.constantFrom(null, 'model', 'key', 'member', 'source'),
    groups: fc.integer({ min: 1, max: 4 }),
    status: optional(['2xx', '4xx', '5xx'] as const),
    filters: fc.record({
      model: optional(MODELS),
      key: optional(KEYS),
      member: optional(MEMBERS),
      source: optional(['api', 'playground'] as const),
    }),
    spanMs: fc.constantFrom(60 * 60_000, DAY_MS, 20 * DAY_MS, 40 * DAY_MS),
    skipMs: fc.constantFrom(0, 0, 30 * 60_000, 3 * DAY_MS),
  })
  .map(({ spanMs, skipMs, ...rest }) => {
    const { bucket } = rest;
    const longest = { minute: DAY_MS, hour: 20 * DAY_MS, day: 40 * DAY_MS, month: 40 * DAY_MS };
    const span = Math.min(spanMs, longest[bucket]);
    const end = rig.clock.now() - skipMs;
    return {
      ...rest,
      from: ordinalOf(bucket, end - span),
      until: ordinalOf(bucket, end) + 1,
    };
  });

type Slice = Parameters<(typeof writeFold)['run']>[1];
type Step =
  | { kind: 'settle'; drawn: readonly Drawn[] }
  | { kind: 'fold'; rows: number }
  | { kind: 'reverse'; index: number }
  /** A fold that was prepared, and whose router was killed before writing it. */
  | { kind: 'crash'; rows: number };
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('settle' as const),
      drawn: fc.array(drawn, { minLength: 1, maxLength: 12 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('fold' as const),
      rows: fc.integer({ min: 1, max: 15 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('reverse' as const), index: fc.nat(100) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('crash' as const),
      rows: fc.integer({ min: 1, max: 15 }),
    }),
  },
);

test('however usage is folded, crashed over and given back, each query answers what all rows add up to', async () => {
  const property = fc.asyncProperty(
    fc.array(step, { minLength: 1, maxLength: 12 }),
    fc.array(query, { minLength: 4, maxLength: 8 }),
    async (steps, queries) => {
      const usages = await Usages.open(rig);
      const { organization } = usages;
      for (const one of steps) {
        if (one.kind === 'settle') await usages.settle(one.drawn);
        else if (one.kind === 'fold') await usages.fold(one.rows);
        else if (one.kind === 'reverse') await usages.reverse(one.index);
        else
          await rig.store.call(prepareFold, { organization, rows: one.rows, now: rig.clock.now() });
      }
      for (const ask of queries) expectSame(await usages.ask(ask), await usages.naive(ask));
    },
  );
  await fc.assert(property, { numRuns: 60 });
});

const one: Drawn = {
  model: 1,
  key: 1,
  status: 0,
  prompt: 100,
  cached: 10,
  completion: 50,
  ttft: 100,
  duration: 1_000,
  agoMs: 0,
};
const several = (count: number, more: Partial<Drawn> = {}) =>
  Array.from({ length: count }, (_, n) => ({ ...one, prompt: 100 + n, ...more }));

test('the newest request is in the answer before and after it was folded', async () => {
  const usages = await Usages.open(rig);
  for (const count of [1, 2, 3]) {
    await usages.settle([one]);
    expect(
      (await usages.ask({ bucket: 'minute', from: ordinalOf('minute', rig.clock.now()) })).totals
        .requests,
    ).toBe(count);
    if (count === 2) expect(await usages.fold()).toBe('folded');
  }
});

test('two routers fold at once: one of them is overtaken, and nothing is counted twice', async () => {
  const usages = await Usages.open(rig);
  const { organization } = usages;
  await usages.settle(several(8));
  const now = rig.clock.now();
  const prepare = (rows: number) => rig.store.call(prepareFold, { organization, rows, now });
  const [first, second] = (await Promise.all([prepare(5), prepare(8)])) as [Slice, Slice];
  expect(await rig.store.call(writeFold, first)).toBe(true);
  expect(await rig.store.call(writeFold, second)).toBe(false);
  await Promise.all([usages.fold(2), usages.fold(2), usages.fold(3)]);
  while ((await usages.fold()) !== 'nothing');
  expect((await usages.ask({})).totals.requests).toBe(8);
  expectSame(await usages.ask({ groupBy: 'key' }), await usages.naive({ groupBy: 'key' }));
});

test('a charge that is given back while a fold is under way is taken off by the next one', async () => {
  const usages = await Usages.open(rig);
  const { organization } = usages;
  await usages.settle(several(3));
  const slice = await rig.store.call(prepareFold, {
    organization,
    rows: 100,
    now: rig.clock.now(),
  });
  await usages.reverse(1);
  expect(await rig.store.call(writeFold, slice as Slice)).toBe(true);
  expectSame(await usages.ask({}), await usages.naive({}));
  expect(await usages.fold()).toBe('folded');
  expect(await usages.fold()).toBe('nothing');
  const answer = await usages.ask({});
  expectSame(answer, await usages.naive({}));
  expect(answer.totals).toMatchObject({ requests: 3, errors: 1 });
  const left = `SELECT * FROM usage_reversals WHERE organization = '${organization}'`;
  expect(await rig.sql(left)).toEqual([]);
});

test('a request belongs to the day it arrived in, though it ended and was folded in the next', async () => {
  const usages = await Usages.open(rig);
  await usages.settle([one]);
  await usages.fold();
  await usages.settle([{ ...one, agoMs: DAY_MS, duration: DAY_MS }]);
  await usages.fold();
  const today = ordinalOf('day', rig.clock.now());
  const { cells } = await usages.ask({});
  expect(cells.map(({ ordinal, figures }) => [ordinal, figures.requests])).toEqual([
    [today - 1, 1],
    [today, 1],
  ]);
});

test('sums go beyond 64 bits without losing a picodollar', async () => {
  const usages = await Usages.open(rig, 4_000_000_000_000_000_000n, 10_000_000n);
  // Each costs close to a million dollars, and the account is topped up again and again.
  for (let n = 0; n < 12; n++) {
    await usages.settle([{ ...one, prompt: 22_499 + n, cached: 0, completion: 0 }]);
    await usages.fold();
    const { organization } = usages;
    await rig.place.sql(
      `UPDATE accounts SET balance = 4000000000000000000 WHERE id = '${organization}'`,
    );
  }
  const answer = await usages.ask({ bucket: 'month' });
  expect(Number(answer.totals.cost)).toBeGreaterThan(2 ** 63 / 1e12);
  expectSame(answer, await usages.naive({ bucket: 'month' }));
});

test('playground sessions, each with a key of its own, are one group', async () => {
  const usages = await Usages.open(rig);
  await usages.settle([...several(3, { key: 3 }), one]);
  await usages.fold(2);
  const { groups } = await usages.ask({ groupBy: 'key' });
  expect(groups.map(({ value, figures }) => [value, figures.requests])).toEqual([
    ['', 3],
    ['key_b', 1],
  ]);
});

test('minutes are kept for two weeks, and days for ever', async () => {
  const usages = await Usages.open(rig);
  await usages.settle(several(2));
  await usages.fold();
  const levels = async () =>
    (await rig.sql(
      `SELECT DISTINCT level FROM usage_rollups WHERE organization = '${usages.organization}' ORDER BY level`,
    )) as { level: bigint }[];
  expect(await levels()).toHaveLength(4);
  rig.clock.advance(16 * DAY_MS);
  await usages.settle([{ ...one, agoMs: 16 * DAY_MS }]);
  await usages.fold();
  expect(await levels()).toEqual([{ level: 1n }, { level: 2n }, { level: 3n }]);
  const days = await usages.ask({});
  expect(days.totals.requests).toBe(3);
});

test('the task folds whoever has many rows waiting, and everybody with its first pass', async () => {
  await using own = await Rig.start();
  const usages = await Usages.open(own);
  const unfolded = async () =>
    Number(
      (
        (await own.sql(
          `SELECT a.usage_seq - coalesce(f.folded_seq, 0) AS rest FROM accounts a
           LEFT JOIN usage_folds f ON f.organization = a.id WHERE a.id = '${usages.organization}'`,
        )) as { rest: bigint }[]
      )[0]?.rest,
    );
  await usages.settle(several(20));
  const task = usageFolds(own.parts);
  await task.run();
  expect(await unfolded()).toBe(0);
  await usages.settle(several(20));
  await task.run();
  expect(await unfolded()).toBe(20);
  for (let n = 0; n < 10; n++) await usages.settle(several(100));
  await task.run();
  expect(await unfolded()).toBe(0);
});

test('the task takes off what was given back after the last row was folded', async () => {
  await using own = await Rig.start();
  const usages = await Usages.open(own);
  await usages.settle(several(3));
  const task = usageFolds(own.parts);
  await task.run();
  await usages.reverse(1);
  for (let pass = 0; pass < 150; pass++) await task.run();
  expect(await own.sql('SELECT request FROM usage_reversals')).toEqual([]);
  expectSame(await usages.ask({}), await usages.naive({}));
});
