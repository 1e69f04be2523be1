import { expect, test } from 'vitest';
import { forecastWords, isShort } from '../../../../router/dashboard/format/credit-forecast.ts';

test.each([
  [{ days: 12, rate_days: 7 }, 'About 12 days left at the rate of the last 7 days'],
  [{ days: 1, rate_days: 1 }, "About 1 day left at yesterday's rate"],
  [{ days: 0, rate_days: null }, "Less than a day left at today's rate"],
  [{ days: 3, rate_days: null }, "About 3 days left at today's rate"],
  [{ days: 4, rate_days: null }, 'Forecast available after one full day of use'],
  [{ days: 9_999, rate_days: null }, 'Forecast available after one full day of use'],
  [{ days: 366, rate_days: 2 }, 'More than a year left at the rate of the last 2 days'],
  [{ days: null, rate_days: null }, null],
])('a forecast of %j says at which rate the credit lasts', (forecast, words) => {
  expect(forecastWords(forecast)).toBe(words);
});

test('credit that lasts for three days is nearly out, and for four it is not', () => {
  const isShortFor = (days: number | null) => isShort({ days, rate_days: 7 });
  expect([0, 3, 4, null].map(isShortFor)).toEqual([true, true, false, false]);
});
