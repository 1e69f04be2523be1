/**
 * Texts that describe what each role may do. They are built from the API's own table of
 * permissions, so the two cannot differ.
 */
import type { Role } from '../../../../shared/api/roles.ts';
import { mayDo, PERMISSIONS, type Permission } from '../../../control/permissions.ts';

/** All roles, because every role has the permission `read`. */
export const ROLES: readonly Role[] = PERMISSIONS.read;

export const WORDS = {
  read: 'See usage, models, API keys, billing and members',
  keys: 'Create, change and revoke API keys',
  playground: 'Use the playground',
  billing: 'Add credit, and change auto-recharge, the budget, billing details and webhooks',
  members: 'Invite, change and remove members, and cap what they spend',
  settings: 'Change settings, region and management tokens, and export or delete the organization',
  audit: 'Read the audit log',
} as const satisfies Record<Permission, string>;

export const ALL = Object.keys(WORDS) as readonly Permission[];

/**
 * Describes a role's permissions. For a role with all of them, only those that it alone has are
 * named.
 */
export function mayInWords(role: Role): string {
  const may = ALL.filter((permission) => mayDo(role, permission));
  if (may.length < ALL.length) return sentences(may);
  return `Everything that other roles can do. ${sentences(ALL.filter(isAdmins))}`;
}

/** Returns the permissions that `from` has and `to` lacks. */
export function lostBetween(from: Role, to: Role): readonly Permission[] {
  return ALL.filter((permission) => mayDo(from, permission) && !mayDo(to, permission));
}

function sentences(permissions: readonly Permission[]): string {
  return permissions.map((permission) => `${WORDS[permission]}.`).join(' ');
}

function isAdmins(permission: Permission): boolean {
  return PERMISSIONS[permission].length === 1;
}
