/** What each role may do in its organization (DESIGN §9): the API, the dashboard and the tests read this table. */
import type { Role } from '../../shared/api/roles.ts';

export const PERMISSIONS = {
  /** Everything of the organization, but what the others name. */
  read: ['org-admin', 'billing-admin', 'developer', 'viewer'],
  keys: ['org-admin', 'developer'],
  playground: ['org-admin', 'developer'],
  /** Credits, payments, auto-recharge, invoices. */
  billing: ['org-admin', 'billing-admin'],
  /** Members and their invitations. */
  members: ['org-admin'],
  /** Name, region, management tokens, export, deletion. */
  settings: ['org-admin'],
  audit: ['org-admin'],
} as const satisfies Record<string, readonly Role[]>;

export type Permission = keyof typeof PERMISSIONS;

/**
 * What takes a person, whatever a management token's role: it outlives its maker's membership, and with it somebody
 * who was removed could come back.
 */
export const PEOPLE_ONLY: readonly Permission[] = ['members'];

export function mayDo(role: Role, permission: Permission): boolean {
  const allowed: readonly Role[] = PERMISSIONS[permission];
  return allowed.includes(role);
}
