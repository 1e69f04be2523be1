/** The months of which the billing page offers statements. */
import { expect, test } from 'vitest';
import { latestMonths, monthsSince } from '../../../../../router/dashboard/pages/billing/months.ts';

const NOW = Date.parse('2027-01-31T23:30:00Z');

test('months are those of UTC since the organization was created, newest first', () => {
  expect(monthsSince('2026-11-30T23:59:59Z', NOW)).toEqual(['2027-01', '2026-12', '2026-11']);
  expect(monthsSince('2027-01-31T23:00:00Z', NOW)).toEqual(['2027-01']);
  // The browser's clock may be behind.
  expect(monthsSince('2027-02-01T00:00:00Z', NOW)).toEqual(['2027-01']);
  expect(monthsSince('2020-01-01T00:00:00Z', NOW)).toHaveLength(36);
});

test('the latest months are those of UTC, newest first', () => {
  expect(latestMonths(NOW, 3)).toEqual(['2027-01', '2026-12', '2026-11']);
  expect(latestMonths(NOW)).toHaveLength(36);
});
