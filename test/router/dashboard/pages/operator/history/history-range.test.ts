/** The time that a history is asked for. */
import { expect, test } from 'vitest';
import {
  labelledBy,
  rangeOf,
} from '../../../../../../router/dashboard/pages/operator/history/history-range.ts';

const NOW = Date.UTC(2026, 10, 21, 12);
const DAY_MS = 24 * 60 * 60_000;

test('an address without a start has no range', () => {
  expect(rangeOf({}, NOW, DAY_MS)).toBeUndefined();
  expect(rangeOf({ to: '2026-11-21T10:00Z' }, NOW, DAY_MS)).toBeUndefined();
});

test('a range is kept within what the history has, in either order', () => {
  const ask = (from: string, to?: string) => rangeOf({ from, to }, NOW, DAY_MS);
  const range = { start: '2026-11-21T08:00:00.000Z', end: '2026-11-21T10:00:00.000Z' };
  expect(ask('2026-11-21T08:00Z', '2026-11-21T10:00Z')).toEqual(range);
  expect(ask('2026-11-21T10:00Z', '2026-11-21T08:00Z')).toEqual(range);
  expect(ask('2020-01-01T00:00Z', '2030-01-01T00:00Z')).toEqual({
    start: '2026-11-20T12:00:00.000Z',
    end: '2026-11-21T12:00:00.000Z',
  });
  expect(ask('2026-11-21T08:00Z')?.end).toBe('2026-11-21T12:00:00.000Z');
  // A range in the future is the last minute.
  expect(ask('2027-01-01T00:00Z')).toEqual({
    start: '2026-11-21T11:59:00.000Z',
    end: '2026-11-21T12:00:00.000Z',
  });
  expect(ask('2026-11-21T08:00Z', '2026-11-21T08:00Z')).toEqual({
    start: '2026-11-21T08:00:00.000Z',
    end: '2026-11-21T08:01:00.000Z',
  });
});

test('a long range is labelled with its days', () => {
  expect(labelledBy({ start: '2026-11-20T12:00Z', end: '2026-11-21T12:00Z' })).toBe('minute');
  expect(labelledBy({ start: '2026-11-18T12:00Z', end: '2026-11-21T12:00Z' })).toBe('hour');
});
