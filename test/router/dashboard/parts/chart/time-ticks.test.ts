import { afterEach, expect, test, vi } from 'vitest';
import type { Zone } from '../../../../../router/dashboard/format/time.ts';
import {
  dayTicks,
  timeAxis,
  timeTicks,
} from '../../../../../router/dashboard/parts/chart/time-ticks.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

afterEach(() => vi.unstubAllEnvs());

function bucketsFrom(start: string, count: number, ms: number): string[] {
  const first = Date.parse(start);
  return Array.from({ length: count }, (_, nth) => new Date(first + nth * ms).toISOString());
}

function months(count: number): string[] {
  return Array.from({ length: count }, (_, nth) =>
    new Date(Date.UTC(2025, 11 + nth)).toISOString(),
  );
}

/** The days and hours of the ticks, in UTC. */
function times(starts: readonly string[], zone: Zone = 'UTC'): string[] | undefined {
  return timeTicks(starts, zone)?.map((tick) => tick.slice(5, 16));
}

test('a time axis has a few labels at round times', () => {
  expect(times(bucketsFrom('2026-11-26T08:07Z', 60, MINUTE_MS))).toEqual([
    '11-26T08:15',
    '11-26T08:30',
    '11-26T08:45',
    '11-26T09:00',
  ]);
  expect(times(bucketsFrom('2026-11-26T08:00Z', 144, 10 * MINUTE_MS))).toEqual([
    '11-26T12:00',
    '11-26T18:00',
    '11-27T00:00',
    '11-27T06:00',
  ]);
  expect(times(bucketsFrom('2026-11-26T08:07Z', 3, MINUTE_MS))).toBeUndefined();
});

test('hours of some weeks are labelled on Mondays', () => {
  expect(times(bucketsFrom('2026-11-01T00:00Z', 30 * 8, 3 * HOUR_MS))).toEqual([
    '11-02T00:00',
    '11-09T00:00',
    '11-16T00:00',
    '11-23T00:00',
    '11-30T00:00',
  ]);
  expect(times(bucketsFrom('2026-11-01T00:00Z', 34 * 6, 4 * HOUR_MS))).toEqual([
    '11-02T00:00',
    '11-09T00:00',
    '11-16T00:00',
    '11-23T00:00',
    '11-30T00:00',
  ]);
});

test('the first bucket of a day is labelled by the day, and not by the time', () => {
  const days = (starts: readonly string[], zone: Zone) =>
    [...dayTicks(starts, zone)].map((start) => start.slice(5, 16));
  const hours = bucketsFrom('2026-11-26T08:00Z', 12, 4 * HOUR_MS);
  expect(days(hours, 'UTC')).toEqual(['11-27T00:00', '11-28T00:00']);
  vi.stubEnv('TZ', 'Europe/Berlin');
  // No bucket of four hours begins at midnight there.
  expect(days(hours, 'local')).toEqual(['11-27T00:00', '11-28T00:00']);
  expect(days(bucketsFrom('2026-11-26T08:00Z', 3, DAY_MS), 'UTC')).toEqual([]);
  expect(days(['2026-11-26T00:00:00.000Z'], 'UTC')).toEqual([]);
});

test('days of some months are labelled where a month or a quarter begins', () => {
  expect(times(bucketsFrom('2026-01-15T00:00Z', 90, DAY_MS))).toEqual([
    '02-01T00:00',
    '03-01T00:00',
    '04-01T00:00',
  ]);
  expect(times(bucketsFrom('2025-11-27T00:00Z', 365, DAY_MS))).toEqual([
    '01-01T00:00',
    '04-01T00:00',
    '07-01T00:00',
    '10-01T00:00',
  ]);
});

test('months are labelled at the quarters or halves of a year', () => {
  expect(times(months(12))).toEqual(['01-01T00:00', '04-01T00:00', '07-01T00:00', '10-01T00:00']);
  expect(times(months(24))).toEqual(['01-01T00:00', '07-01T00:00', '01-01T00:00', '07-01T00:00']);
});

test('days of less than two months are labelled by their width', () => {
  const days = Array.from({ length: 9 }, (_, nth) => `2026-11-0${nth + 1}`);
  expect(timeTicks(days, 'UTC')).toBeUndefined();
  expect(times(bucketsFrom('2026-11-05T00:00Z', 24, DAY_MS))).toBeUndefined();
});

test('the labels are round in the time zone of the reader', () => {
  vi.stubEnv('TZ', 'Asia/Kolkata');
  const day = bucketsFrom('2026-11-26T08:00Z', 144, 10 * MINUTE_MS);
  expect(times(day, 'local')).toEqual(['11-26T12:30', '11-26T18:30', '11-27T00:30', '11-27T06:30']);
  expect(times(day, 'UTC')?.[0]).toBe('11-26T12:00');
  // No bucket of an hour begins at midnight there, so the first one after it is labelled.
  expect(times(bucketsFrom('2026-11-26T08:00Z', 7 * 24, HOUR_MS), 'local')).toEqual([
    '11-26T19:00',
    '11-28T19:00',
    '11-30T19:00',
    '12-02T19:00',
  ]);
});

test('the labels are at midnight before and after the clocks change', () => {
  vi.stubEnv('TZ', 'Europe/Berlin');
  expect(times(bucketsFrom('2026-10-22T22:00Z', 7 * 24, HOUR_MS), 'local')).toEqual([
    '10-23T22:00',
    '10-25T23:00',
    '10-27T23:00',
  ]);
});

test('a midnight that the clocks skip has its label at the hour that follows', () => {
  vi.stubEnv('TZ', 'America/Santiago');
  // On September 6, 2026 the day begins at 1:00.
  expect(times(bucketsFrom('2026-09-05T04:00Z', 48, HOUR_MS), 'local')).toEqual([
    '09-05T04:00',
    '09-06T04:00',
    '09-07T03:00',
  ]);
});

test('an hour that the clocks show twice is labelled once', () => {
  vi.stubEnv('TZ', 'Europe/Berlin');
  expect(times(bucketsFrom('2026-10-24T23:30Z', 24, 10 * MINUTE_MS), 'local')).toEqual([
    '10-25T00:00',
    '10-25T02:00',
    '10-25T03:00',
  ]);
});

test('an axis labels round times, and the first bucket of a day by the day', () => {
  const minutes = bucketsFrom('2026-11-25T23:38Z', 60, MINUTE_MS);
  const { ticks = [], label } = timeAxis(minutes, 'UTC', (start) => start.slice(11, 16));
  expect(ticks.map(label)).toEqual(['23:45', 'Nov 26', '00:15', '00:30']);
});
