/** What roles may do, in words: made from the table that the API goes by, so that they cannot differ. */
import type { Role } from '../../../../shared/api/roles.ts';
import { mayDo, PERMISSIONS, type Permission } from '../../../control/permissions.ts';

/** Every role may read. */
export const ROLES: readonly Role[] = PERMISSIONS.read;

export const WORDS = {
  read: 'See usage, models, API keys, billing and members',
  keys: 'Create, change and revoke API keys',
  playground: 'Use the playground',
  billing: 'Add credits and set auto-recharge',
  members: 'Invite, change and remove members',
  settings: 'Change settings, region and management tokens, export and delete',
  audit: 'Read the audit log',
} as const satisfies Record<Permission, string>;

export const ALL = Object.keys(WORDS) as readonly Permission[];

/** What somebody of this role may do. */
export function mayInWords(role: Role): string {
  const may = ALL.filter((permission) => mayDo(role, permission));
  if (may.length < ALL.length) return sentences(may);
  return `Everything that others may. ${sentences(ALL.filter(isAdmins))}`;
}

/** What one role has and the other has not. */
export function lostBetween(from: Role, to: Role): readonly Permission[] {
  return ALL.filter((permission) => mayDo(from, permission) && !mayDo(to, permission));
}

function sentences(permissions: readonly Permission[]): string {
  return permissions.map((permission) => `${WORDS[permission]}.`).join(' ');
}

function isAdmins(permission: Permission): boolean {
  return PERMISSIONS[permission].length === 1;
}
