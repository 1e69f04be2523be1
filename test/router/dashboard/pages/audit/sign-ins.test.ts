/** Which sign-ins the audit log of the platform leaves out. */
import { expect, test } from 'vitest';
import { leftOutOf } from '../../../../../router/dashboard/pages/audit/sign-ins.ts';

test('sign-ins are left out, unless they are asked for by the switch or by a filter', () => {
  expect(leftOutOf({})).toEqual(['session.begin', 'session.end']);
  expect(leftOutOf({ kind: 'key' })).toEqual(['session.begin', 'session.end']);
  expect(leftOutOf({ sign_ins: 'shown' })).toEqual([]);
  expect(leftOutOf({ kind: 'key,session' })).toEqual([]);
});
