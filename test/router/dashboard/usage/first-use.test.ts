import { expect, test } from 'vitest';
import { sinceFirstUse } from '../../../../router/dashboard/pages/usage/first-use.ts';

const DAYS = Array.from({ length: 30 }, (_, at) =>
  new Date(Date.UTC(2026, 10, at + 1)).toISOString(),
);

/** The days on which a chart begins and ends, if these days of the month had use. */
function shown(...used: readonly number[]): string[] {
  const values = DAYS.map((_, at) => (used.includes(at + 1) ? 1 : 0));
  const { days, series } = sinceFirstUse(DAYS, [
    { name: 'a', values: DAYS.map(() => 0) },
    { name: 'b', values },
  ]);
  expect(series.map((one) => one.values.length)).toEqual([days.length, days.length]);
  expect(series[1]?.values).toEqual(values.slice(-days.length));
  return [days[0], days.at(-1)].map((day) => day?.slice(8, 10) ?? '');
}

test('the days before the first use are left out, but a week is always shown', () => {
  expect(shown(10, 30)).toEqual(['10', '30']);
  expect(shown(1)).toEqual(['01', '30']);
  expect(shown(30)).toEqual(['24', '30']);
  expect(shown()).toEqual(['01', '30']);
});
