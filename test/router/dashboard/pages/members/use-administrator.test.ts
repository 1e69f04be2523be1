import { expect, test } from 'vitest';
import { administratorOf } from '../../../../../router/dashboard/pages/members/use-administrator.ts';

const DEVELOPER = { role: 'developer' } as const;
const ADMIN = { role: 'org-admin' } as const;

test('an organization has an administrator once one has joined', () => {
  expect(administratorOf([DEVELOPER, ADMIN], [])).toBe('joined');
});

test('an administrator who has not joined counts as invited only while their invitation is open', () => {
  expect(administratorOf([DEVELOPER], [{ ...ADMIN, state: 'open' }])).toBe('invited');
  expect(administratorOf([DEVELOPER], [{ ...DEVELOPER, state: 'open' }])).toBe('none');
  expect(administratorOf([], [{ ...ADMIN, state: 'expired' }])).toBe('none');
  expect(administratorOf([], [])).toBe('none');
});
