import { expect, test } from 'vitest';
import {
  chosenRange,
  endOf,
  rangeOf,
  scaleOf,
} from '../../../../../router/dashboard/parts/chart/chosen-range.ts';

const HOURS = ['08', '09', '10', '11', '12'].map((hour) => `2026-11-26T${hour}:00:00.000Z`);

function hours(range: ReturnType<typeof chosenRange>): string[] | null {
  return range && [range.from, range.until].map((at) => new Date(at).toISOString().slice(11, 16));
}

test('a drag over lines chooses the time of all points that it reaches, in either direction', () => {
  expect(hours(chosenRange(HOURS, endOf(HOURS), 'points', 0.25, 0.5))).toEqual(['09:00', '11:00']);
  expect(hours(chosenRange(HOURS, endOf(HOURS), 'points', 0.55, 0.2))).toEqual(['09:00', '11:00']);
  expect(hours(chosenRange(HOURS, endOf(HOURS), 'points', 0, 1))).toEqual(['08:00', '13:00']);
});

test('a drag over bars chooses the time of all bars that it touches', () => {
  expect(hours(chosenRange(HOURS, endOf(HOURS), 'bands', 0.21, 0.39))).toEqual(['09:00', '10:00']);
  expect(hours(chosenRange(HOURS, endOf(HOURS), 'bands', 0.5, 1))).toEqual(['10:00', '13:00']);
});

test('a click chooses the time of the bar below it, or of the point nearest to it', () => {
  expect(hours(chosenRange(HOURS, endOf(HOURS), 'bands', 0.3, 0.3))).toEqual(['09:00', '10:00']);
  expect(hours(chosenRange(HOURS, endOf(HOURS), 'points', 0.3, 0.3))).toEqual(['09:00', '10:00']);
});

test('the keyboard chooses the time of buckets, in either order', () => {
  expect(hours(rangeOf(HOURS, endOf(HOURS), 3, 1))).toEqual(['09:00', '12:00']);
  expect(hours(rangeOf(HOURS, endOf(HOURS), 4, 4))).toEqual(['12:00', '13:00']);
});

test('a chart of one bucket has nothing to choose, and no end', () => {
  expect(chosenRange(HOURS.slice(0, 1), endOf(HOURS), 'points', 0, 1)).toBeNull();
  expect(endOf(HOURS.slice(0, 1))).toBe(Infinity);
});

test.each([
  [2, 0.1, 0.9, ['2026-01-01', '2026-03-01']],
  [2, 0.6, 1, ['2026-02-01', '2026-03-01']],
  [12, 0.95, 1, ['2026-12-01', '2027-01-01']],
])(
  'of the first %i months of a year, a drag from %d to %d chooses whole ones',
  (count, ...drag) => {
    const [one, other, days] = drag;
    const startOf = (month: number) => Date.UTC(2026, month);
    const starts = Array.from({ length: count }, (_, month) =>
      new Date(startOf(month)).toISOString(),
    );
    const chosen = chosenRange(starts, startOf(count), 'bands', one, other);
    expect([chosen?.from, chosen?.until]).toEqual(days.map((day) => Date.parse(day)));
  },
);

test('a chart keeps its scale while time goes on, and has another after a drag', () => {
  const later = ['2026-11-26T13:00:00.000Z'];
  expect(scaleOf([...HOURS.slice(1), ...later])).toBe(scaleOf(HOURS));
  expect(scaleOf(HOURS.slice(1, 3))).not.toBe(scaleOf(HOURS));
  const minutes = HOURS.map((_, at) => `2026-11-26T08:0${at}:00.000Z`);
  expect(scaleOf(minutes)).not.toBe(scaleOf(HOURS));
});
