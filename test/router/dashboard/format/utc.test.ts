import { expect, test } from 'vitest';
import { utcClock, utcDate, utcDay, utcMonth } from '../../../../router/dashboard/format/utc.ts';

test('days and months are named as they are in UTC, at either end of them', () => {
  for (const time of ['00:00:00.000Z', '23:59:59.999Z']) {
    expect(utcDay(`2026-11-21T${time}`)).toBe('Nov 21');
    expect(utcDate(`2026-11-21T${time}`)).toBe('Nov 21, 2026');
  }
  expect(utcMonth('2026-11-01T00:00:00.000Z')).toBe('November');
  expect(utcMonth('2026-11-30T23:59:59.999Z')).toBe('November');
});

test('a clock is that of UTC, and the end of a day is 24:00 of it', () => {
  expect(utcClock('2026-11-21T14:02:00.000Z')).toBe('14:02');
  expect(utcClock('2026-11-21T00:00:00.000Z')).toBe('00:00');
  expect(utcClock('2026-11-22T00:00:00.000Z', true)).toBe('24:00');
});
