import { expect, test } from 'vitest';
import { inactiveText } from '../../../../../router/dashboard/pages/members/last-active.ts';

test('somebody who joined today has not been active yet, and later it is not known', () => {
  const joined = '2026-11-21T12:00:00.000Z';
  const at = Date.parse(joined);
  expect(inactiveText(joined, at + 60_000)).toBe('Not yet');
  expect(inactiveText(joined, at + 86_400_000)).toBe('Not known');
});
