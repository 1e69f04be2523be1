import { expect, test } from 'vitest';
import { measuredTime } from '../../../../router/dashboard/format/measured-time.ts';

test('an uptime of less than 30 days has the instant since when it is measured', () => {
  const at = Date.UTC(2026, 10, 26, 20, 30);
  expect(measuredTime('2026-11-26T14:02:00.000Z', at)).toBe('since Nov 26, 14:02 UTC');
  expect(measuredTime('2026-10-28T00:01:00.000Z', at)).toBe('since Oct 28, 00:01 UTC');
  expect(measuredTime('2026-10-28T00:00:00.000Z', at)).toBe('over 30 days');
  expect(measuredTime(null, at)).toBe('');
});
