import { expect, test } from 'vitest';
import {
  ago,
  dayOf,
  fullTime,
  shortTime,
  withTimes,
} from '../../../../router/dashboard/format/time.ts';

const NOW = Date.parse('2026-11-24T12:00:00Z');

test.each([
  ['2026-11-24T11:55:00Z', '5 min. ago'],
  ['2026-11-24T11:59:58Z', '2 sec. ago'],
  ['2026-11-24T11:59:59.800Z', 'just now'],
  ['2026-11-24T12:00:02Z', 'just now'],
  ['2026-11-24T12:10:00Z', 'in 10 min.'],
])('%s is told as %s', (instant, told) => {
  expect(ago(instant, NOW, 'local')).toBe(told);
});

test('an instant is shown in UTC where the reader wants it, with the year of UTC', () => {
  const instant = '2025-12-31T23:30:00Z';
  expect(fullTime(instant, 'UTC')).toMatch(/^Dec 31, 2025.* 11:30:00\sPM UTC$/);
  expect(dayOf(instant, 'UTC')).toBe('Dec 31, 2025');
  expect(shortTime(instant, NOW, 'UTC')).toBe('Dec 31, 2025, 11:30 PM');
  expect(shortTime('2026-01-01T00:30:00Z', NOW, 'UTC')).toBe('Jan 1, 12:30 AM');
  expect(shortTime('2026-01-01T00:30:07Z', NOW, 'UTC', 'seconds')).toBe('Jan 1, 12:30:07 AM');
});

test('the instants in a message are shown in the zone of the reader, and the rest stays', () => {
  const message = 'The cap is reached. It is reset at 2026-12-01T00:00:00Z.';
  expect(withTimes(message, 'UTC')).toMatch(
    /^The cap is reached\. It is reset at Dec 1, 2026.* 12:00:00\sAM UTC\.$/,
  );
  expect(withTimes('Not a time: 2026-99-01T00:00:00Z', 'UTC')).toBe(
    'Not a time: 2026-99-01T00:00:00Z',
  );
});
