import { expect, test } from 'vitest';
import {
  periodsOf,
  spendOf,
  totalsOf,
} from '../../../../../router/dashboard/pages/overview/figures.ts';
import type { UsageSummary } from '../../../../../shared/api/usage.ts';

type Cell = Readonly<{ start: string; group: string | null; other: boolean; cost: string }>;

/** A summary in the API's format, as far as the figures need it. */
function summary(start: string, end: string, cells: readonly Cell[]): UsageSummary {
  const groups = [...new Set(cells.map(({ group, other }) => JSON.stringify([group, other])))];
  return {
    start,
    end,
    groups: groups.map((one) => {
      const [group, other] = JSON.parse(one) as [string | null, boolean];
      return { group, other, name: null, requests: 1 };
    }),
    data: cells,
  } as unknown as UsageSummary;
}

const DAYS = summary('2026-10-22T00:00:00.000Z', '2026-11-22T00:00:00.000Z', [
  { start: '2026-10-22T00:00:00.000Z', group: 'a', other: false, cost: '100' },
  { start: '2026-11-20T00:00:00.000Z', group: 'a', other: false, cost: '0.1' },
  { start: '2026-11-21T00:00:00.000Z', group: 'a', other: false, cost: '0.2' },
  { start: '2026-11-21T00:00:00.000Z', group: null, other: true, cost: '0.000000000001' },
]);

test('the last thirty days are shown, the days without usage among them', () => {
  const { days, models } = spendOf(DAYS);
  expect(days).toHaveLength(30);
  expect(days.at(0)).toBe('2026-10-23T00:00:00.000Z');
  expect(days.at(-1)).toBe('2026-11-21T00:00:00.000Z');
  expect(models.map(({ name, other }) => ({ name, other }))).toEqual([
    { name: 'a', other: false },
    { name: 'Other models', other: true },
  ]);
  expect(models[0]?.values.slice(-3)).toEqual([0, 0.1, 0.2]);
});

test('sums are exact, and have no day that is not shown', () => {
  const { total, today, models } = spendOf(DAYS);
  expect(models[0]?.total).toBe('0.3');
  expect(today).toBe('0.200000000001');
  expect(total).toBe('0.300000000001');
});

test('the totals add up the models of the last thirty days', () => {
  const figures = {
    requests: 2,
    errors: 1,
    cancelled: 0,
    prompt_tokens: 10,
    cached_tokens: 4,
    completion_tokens: 5,
    cached_savings: '0.01',
  };
  const days = { ...DAYS, data: DAYS.data.map((cell) => ({ ...cell, ...figures })) };
  expect(totalsOf(days)).toEqual({
    requests: 6,
    errors: 3,
    cancelled: 0,
    prompt_tokens: 30,
    cached_tokens: 12,
    completion_tokens: 15,
    cost: '0.300000000001',
    cached_savings: '0.03',
  });
});

test('the period before is as long, and ends where the shown one starts', () => {
  expect(periodsOf(DAYS)).toEqual({
    now: { start: '2026-10-23T00:00:00.000Z', end: '2026-11-22T00:00:00.000Z' },
    before: { start: '2026-09-23T00:00:00.000Z', end: '2026-10-23T00:00:00.000Z' },
  });
});
