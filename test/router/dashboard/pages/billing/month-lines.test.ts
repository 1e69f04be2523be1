/** The lines of the spend of a month. */
import { expect, test } from 'vitest';
import { boundsOf, monthLines } from '../../../../../router/dashboard/pages/billing/month-lines.ts';

const BUDGET = { amount: '40', month: '2026-02', spent: '12', forecast: '30' };
/** The tenth day of the month. */
const NOW = Date.parse('2026-02-10T13:00:00Z');

test('the spend adds up to what the budget says of today, and the forecast goes on from there', () => {
  const days = [
    { day: '2026-02-08', usage: '-4' },
    { day: '2026-02-03', usage: '-5.5' },
    { day: '2026-02-04', usage: '0.5' },
    { day: '2026-02-10', usage: '-2.9' },
  ];
  const { starts, series } = monthLines(BUDGET, days, NOW);
  expect(starts).toHaveLength(28);
  expect(starts[0]).toBe('2026-02-01T00:00:00.000Z');
  const [spent, forecast, budget] = series;
  expect(spent?.values.slice(0, 11)).toEqual([0, 0, 5.5, 5, 5, 5, 5, 9, 9, 12, null]);
  expect(forecast?.values.slice(8, 11)).toEqual([null, 12, 13]);
  expect(forecast?.values.at(-1)).toBe(30);
  expect(new Set(budget?.values)).toEqual(new Set([40]));
  expect(series.map(({ values }) => values.length)).toEqual([28, 28, 28]);
});

test('a line that is not known is left out', () => {
  const names = (budget: typeof BUDGET | Parameters<typeof monthLines>[0], now = NOW) =>
    monthLines(budget, [], now).series.map(({ name }) => name);
  expect(names({ ...BUDGET, amount: null })).toEqual(['Spent', 'Forecast']);
  expect(names({ ...BUDGET, forecast: null })).toEqual(['Spent', 'Budget']);
  // On the last day there is nothing to forecast.
  expect(names(BUDGET, Date.parse('2026-02-28T10:00:00Z'))).toEqual(['Spent', 'Budget']);
});

test('while little of the budget is spent, the lines have a scale of their own', () => {
  const names = (budget: Partial<typeof BUDGET>) =>
    monthLines({ ...BUDGET, ...budget }, [], NOW).series.map(({ name }) => name);
  expect(names({ spent: '1', forecast: '7.9' })).toEqual(['Spent', 'Forecast']);
  expect(names({ spent: '1', forecast: '8' })).toEqual(['Spent', 'Forecast', 'Budget']);
  expect(names({ spent: '50', forecast: '60' })).toEqual(['Spent', 'Forecast', 'Budget']);
});

test('a clock of the browser that is in another month changes no day', () => {
  const at = (now: string) => monthLines(BUDGET, [], Date.parse(now)).series[0]?.values;
  expect(at('2026-01-31T23:59:00Z')?.slice(0, 2)).toEqual([12, null]);
  expect(at('2026-03-02T00:00:00Z')?.slice(-2)).toEqual([0, 12]);
});

test('the days of a month are asked for up to the first of the next one', () => {
  expect(boundsOf('2026-12')).toEqual({ start: '2026-12-01', end: '2027-01-01' });
  expect(boundsOf('2028-02')).toEqual({ start: '2028-02-01', end: '2028-03-01' });
});
