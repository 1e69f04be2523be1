/**
 * What each role may do in its organization. The API, the dashboard and the tests use this table.
 */
import type { Role } from '../../shared/api/roles.ts';

export const PERMISSIONS = {
  /** Everything in the organization that no other permission covers. */
  read: ['org-admin', 'billing-admin', 'developer', 'viewer'],
  keys: ['org-admin', 'developer'],
  playground: ['org-admin', 'developer'],
  /** Credit, the budget, payments, auto-recharge, invoices and webhooks, which tell of these. */
  billing: ['org-admin', 'billing-admin'],
  /** Members and their invitations. */
  members: ['org-admin'],
  /** Name, region, management tokens, export, deletion. */
  settings: ['org-admin'],
  audit: ['org-admin'],
} as const satisfies Record<string, readonly Role[]>;

export type Permission = keyof typeof PERMISSIONS;

/**
 * Permissions that no management token has, whatever its role. A token outlives its maker's
 * membership, so a removed member could use it to come back.
 */
export const PEOPLE_ONLY: readonly Permission[] = ['members'];

export function mayDo(role: Role, permission: Permission): boolean {
  const allowed: readonly Role[] = PERMISSIONS[permission];
  return allowed.includes(role);
}
