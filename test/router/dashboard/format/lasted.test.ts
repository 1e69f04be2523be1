import { expect, test } from 'vitest';
import { lastedWords } from '../../../../router/dashboard/format/lasted.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../shared/durations.ts';

test('a time that something lasted is told in its two largest units', () => {
  expect(lastedWords(MINUTE_MS - 1)).toBe('less than a minute');
  expect(lastedWords(2 * MINUTE_MS - 1)).toBe('1 min');
  expect(lastedWords(HOUR_MS)).toBe('1 h');
  expect(lastedWords(2 * HOUR_MS + 5 * MINUTE_MS)).toBe('2 h 5 min');
  expect(lastedWords(DAY_MS + 4 * HOUR_MS + 9 * MINUTE_MS)).toBe('1 day 4 h');
  expect(lastedWords(3 * DAY_MS)).toBe('3 days');
});
