import { expect, test } from 'vitest';
import {
  comparedShown,
  shownEnd,
  spanShown,
} from '../../../../router/dashboard/pages/usage/labels.ts';

const [FIRST, THIRD] = ['2026-11-01T00:00:00.000Z', '2026-11-03T00:00:00.000Z'];

test('a time of whole days is shown without their midnights, whatever its buckets', () => {
  expect(spanShown(FIRST, THIRD, 'hour', 'UTC')).toMatch(/^Nov 1\s–\s2, 2026$/);
  expect(spanShown(FIRST, THIRD, 'minute', 'UTC')).toMatch(/^Nov 1\s–\s2, 2026$/);
});

test('a time that begins or ends within a day is shown with its hours', () => {
  const shown = spanShown(FIRST, '2026-11-02T12:30:00.000Z', 'hour', 'UTC');
  expect(shown).toContain('12:00');
  expect(shown).toContain('12:30');
});

test('days are compared with days, although the ones before are counted by hour', () => {
  const compared = { start: FIRST, end: THIRD, bucket: 'hour' } as const;
  expect(comparedShown(compared, 'day', 'local')).toMatch(/^Nov 1\s–\s2, 2026$/);
});

test('a chart by month or day whose last one is not over ends today, not in the future', () => {
  const now = Date.parse('2026-11-29T08:00:00.000Z');
  const year = { start: '2025-12-01T00:00:00.000Z', end: '2026-12-01T00:00:00.000Z' };
  const end = shownEnd({ ...year, bucket: 'month' }, now);
  expect(spanShown(year.start, end, 'month', 'UTC')).toMatch(/^Dec 1, 2025\s–\sNov 29, 2026$/);
  const past = { end: '2026-11-01T00:00:00.000Z', bucket: 'month' };
  expect(shownEnd(past, now)).toBe(past.end);
});
