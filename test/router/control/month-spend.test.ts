/** What was spent in a month so far, and what it will be at the end. */
import { expect, test } from 'vitest';
import { firstDay, monthSpend } from '../../../router/control/budgets/month-spend.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const day = (text: string) => Date.parse(`${text}T00:00:00Z`) / DAY_MS;
const at = (text: string) => Date.parse(text);

test('the spend of a month has the days of the month, whatever was spent before', () => {
  const days = new Map([
    [day('2026-10-31'), 1_000n],
    [day('2026-11-01'), 10n],
    [day('2026-11-02'), -3n],
  ]);
  const { month, spent } = monthSpend(days, at('2026-11-02T12:00:00Z'));
  expect({ month, spent }).toEqual({ month: 2026n * 12n + 10n, spent: 7n });
});

test('the forecast continues the last seven complete days, also those of the month before', () => {
  const days = new Map([
    [day('2026-10-25'), 9_999n],
    [day('2026-10-26'), 300n],
    [day('2026-11-01'), 400n],
    [day('2026-11-02'), 50n],
  ]);
  // 700 in seven days is 100 a day. Half of November 2 and 28 days are to come.
  expect(monthSpend(days, at('2026-11-02T12:00:00Z'))).toMatchObject({
    spent: 450n,
    forecast: 450n + 2_850n,
  });
});

test('the rate of a new customer begins with its first day', () => {
  const days = new Map([[day('2026-11-09'), 100n]]);
  expect(monthSpend(days, at('2026-11-10T00:00:00Z')).forecast).toBe(100n + 21n * 100n);
});

test('without spend on the last complete days there is no forecast', () => {
  const now = at('2026-11-10T12:00:00Z');
  expect(monthSpend(new Map(), now).forecast).toBeNull();
  expect(monthSpend(new Map([[day('2026-11-10'), 5n]]), now).forecast).toBeNull();
  expect(monthSpend(new Map([[day('2026-11-02'), 5n]]), now).forecast).toBeNull();
});

test('on the last day of a month, what is left of the day is to come', () => {
  const days = new Map([[day('2026-11-29'), 240n]]);
  expect(monthSpend(days, at('2026-11-30T18:00:00Z')).forecast).toBe(240n + 60n);
});

test('enough days are read: those of the month, and seven complete ones', () => {
  expect(firstDay(at('2026-11-03T00:00:00Z'))).toBe(day('2026-10-27'));
  expect(firstDay(at('2026-11-30T00:00:00Z'))).toBe(day('2026-11-01'));
});
