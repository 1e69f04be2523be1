import { expect, test } from 'vitest';
import { ago } from '../../../../router/dashboard/format/time.ts';

const NOW = Date.parse('2026-11-24T12:00:00Z');

test.each([
  ['2026-11-24T11:55:00Z', '5 min. ago'],
  ['2026-11-24T11:59:58Z', '2 sec. ago'],
  ['2026-11-24T12:00:02Z', 'now'],
  ['2026-11-24T12:10:00Z', 'in 10 min.'],
])('%s is told as %s', (instant, told) => {
  expect(ago(instant, NOW)).toBe(told);
});
