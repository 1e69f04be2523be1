/** For how long the credit lasts at the recent rate of spend. */
import { expect, test } from 'vitest';
import { creditForecast, forecastStart } from '../../../router/control/credit/forecast.ts';

const NOW = Date.UTC(2026, 10, 21, 9);
const TODAY = Date.UTC(2026, 10, 21) / 86_400_000;

test.each([
  [
    'the average of the last seven full days',
    [
      [7, 7n],
      [0, 50n],
    ],
    { days: 100, rate_days: 7 },
  ],
  ['the days since the first spend', [[1, 10n]], { days: 10, rate_days: 1 }],
  ['today on the first day', [[0, 300n]], { days: 0, rate_days: null }],
  ['no spend that is older', [[9, 10n]], { days: null, rate_days: null }],
] as const)('credit lasts at the rate of %s', (_, spent, forecast) => {
  const days = new Map(spent.map(([ago, cost]) => [TODAY - ago, cost]));
  expect(creditForecast(days, 100n, NOW)).toEqual(forecast);
  const none = { days: null, rate_days: null };
  expect(creditForecast(days, 0n, NOW)).toEqual(none);
  expect(creditForecast(days, -1n, NOW)).toEqual(none);
});

test('there is no forecast of more days than a program can count', () => {
  const days = new Map([[TODAY - 1, 1n]]);
  const most = BigInt(Number.MAX_SAFE_INTEGER);
  expect(creditForecast(days, most, NOW).days).toBe(Number.MAX_SAFE_INTEGER);
  expect(creditForecast(days, most + 1n, NOW)).toEqual({ days: null, rate_days: null });
});

test('the days that the forecast reads begin seven days before today', () => {
  expect(forecastStart(NOW)).toBe(TODAY - 7);
});
