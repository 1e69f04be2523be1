import { expect, test } from 'vitest';
import { measuredTime, uptimeWords } from '../../../../router/dashboard/format/measured-time.ts';

test('an uptime of less than 30 days has the instant since when it is measured', () => {
  const at = Date.UTC(2026, 10, 26, 20, 30);
  expect(measuredTime('2026-11-26T14:02:00.000Z', at)).toBe('since Nov 26, 14:02 UTC');
  expect(measuredTime('2026-10-28T00:01:00.000Z', at)).toBe('since Oct 28, 00:01 UTC');
  expect(measuredTime('2026-10-28T00:00:00.000Z', at)).toBe('over 30 days');
  expect(measuredTime(null, at)).toBe('');
});

test('an uptime without a figure says since when it is measured', () => {
  const at = Date.UTC(2026, 10, 26, 14, 30);
  const since = '2026-11-26T14:02:00.000Z';
  const words = (uptime: number | null, from: string | null) =>
    uptimeWords({ uptime, uptime_since: from }, at);
  expect(words(null, null)).toBe('Not measured yet');
  expect(words(null, since)).toBe('Measured since Nov 26, 14:02 UTC');
  expect(words(0.9995, since)).toBe('99.95% since Nov 26, 14:02 UTC');
});
