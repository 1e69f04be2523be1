/** The texts for what roles may do. */
import { expect, test } from 'vitest';
import { mayDo, PERMISSIONS } from '../../../../../router/control/permissions.ts';
import {
  ALL,
  lostBetween,
  mayInWords,
  ROLES as OFFERED,
  WORDS,
} from '../../../../../router/dashboard/pages/members/abilities.ts';
import { ROLES } from '../../../../../shared/api/roles.ts';

test('every role is offered, and every permission has words', () => {
  expect(OFFERED).toEqual(ROLES);
  expect(ALL.toSorted()).toEqual(Object.keys(PERMISSIONS).toSorted());
});

test('a role is told by what it may do and by nothing that it may not', () => {
  for (const role of ROLES.filter((one) => one !== 'org-admin')) {
    for (const permission of ALL) {
      const told = mayInWords(role).includes(WORDS[permission]);
      expect(told, `${role}, ${permission}`).toBe(mayDo(role, permission));
    }
  }
  expect(mayInWords('viewer')).toBe('See usage, models, API keys, billing and members.');
  expect(mayInWords('org-admin')).toContain('Everything that other roles can do. Invite');
});

test('what a change of role takes away is what only the former role has', () => {
  expect(lostBetween('org-admin', 'developer')).toEqual([
    'billing',
    'members',
    'settings',
    'audit',
  ]);
  expect(lostBetween('viewer', 'org-admin')).toEqual([]);
  expect(lostBetween('developer', 'billing-admin')).toEqual(['keys', 'playground']);
});
