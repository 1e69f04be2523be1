/** The previous period, with which the usage page compares. */
import { expect, test } from 'vitest';
import {
  isComparable,
  previousPeriod,
} from '../../../../router/dashboard/pages/usage/previous-period.ts';
import { spanOf } from '../../../../router/dashboard/pages/usage/span.ts';

const AS_OF = Date.parse('2026-11-21T19:22:33.444Z');

function before(search: Parameters<typeof spanOf>[0]) {
  return previousPeriod(spanOf(search, AS_OF), AS_OF);
}

test.each([
  // 60 minutes, 24 hours, 164 hours (six days and this one up to now), 30 days.
  ['1h', '2026-11-21T17:23:00.000Z', '2026-11-21T18:23:00.000Z', 'minute'],
  ['24h', '2026-11-19T20:00:00.000Z', '2026-11-20T20:00:00.000Z', 'hour'],
  ['7d', '2026-11-08T04:00:00.000Z', '2026-11-15T00:00:00.000Z', 'hour'],
  ['30d', '2026-09-23T00:00:00.000Z', '2026-10-23T00:00:00.000Z', 'day'],
] as const)('of %s it begins at %s and ends at %s, by %s', (range, start, end, bucket) => {
  expect(before({ range })).toEqual({ start, end, bucket });
});

test('of chosen days it is as many days, and of today as many hours as have begun', () => {
  expect(before({ from: '2026-10-01', to: '2026-10-31' })).toEqual({
    start: '2026-08-31T00:00:00.000Z',
    end: '2026-10-01T00:00:00.000Z',
    bucket: 'day',
  });
  expect(before({ from: '2026-11-21', to: '2026-11-21' })).toEqual({
    start: '2026-11-20T04:00:00.000Z',
    end: '2026-11-21T00:00:00.000Z',
    bucket: 'hour',
  });
});

test('there is none where the sums of hours are no longer kept', () => {
  expect(before({ from: '2025-01-03', to: '2025-01-05' })).toBe(null);
});

test('nothing is compared with a period of less than a hundredth of the requests', () => {
  expect(isComparable({ requests: 10 }, { requests: 1_000 })).toBe(true);
  expect(isComparable({ requests: 9 }, { requests: 1_000 })).toBe(false);
  expect(isComparable({ requests: 0 }, { requests: 0 })).toBe(false);
  expect(isComparable({ requests: 1_000 }, { requests: 1 })).toBe(true);
});
