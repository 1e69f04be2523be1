import { expect, test } from 'vitest';
import { timeTicks } from '../../../../router/dashboard/parts/time-ticks.ts';

const MINUTE_MS = 60_000;

/** The times of the ticks of so many buckets from 08:07 on, or from the last full bucket before. */
function times(buckets: number, minutes: number): string[] | undefined {
  const start = Date.UTC(2026, 10, 26, 8, 7);
  const first = start - (start % (minutes * MINUTE_MS));
  const starts = Array.from({ length: buckets }, (_, nth) =>
    new Date(first + nth * minutes * MINUTE_MS).toISOString(),
  );
  return timeTicks(starts)?.map((tick) => tick.slice(8, 16));
}

test('a time axis has a few labels at round times', () => {
  expect(times(60, 1)).toEqual(['26T08:15', '26T08:30', '26T08:45', '26T09:00']);
  expect(times(144, 10)).toEqual(['26T12:00', '26T18:00', '27T00:00', '27T06:00']);
  expect(times(3, 1)).toBeUndefined();
});

test('days are labelled by their width', () => {
  expect(timeTicks(Array.from({ length: 9 }, (_, nth) => `2026-11-0${nth + 1}`))).toBeUndefined();
});
