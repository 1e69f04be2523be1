/** What people read for the roles of `shared/api/roles.ts`. Programs use the values of the roles. */
import type { Role } from './api/roles.ts';

const NAMES: Readonly<Record<Role, string>> = {
  'org-admin': 'Administrator',
  'billing-admin': 'Billing administrator',
  developer: 'Developer',
  viewer: 'Viewer',
};

/** The name of a role by itself, such as in a cell of a table: "Billing administrator". */
export function roleName(role: Role): string {
  return NAMES[role];
}

/**
 * The name of a role within a sentence: "billing administrator". What is no role, as an entry of
 * another version may have, stays as it is.
 */
export function roleInSentence(role: string): string {
  return isRole(role) ? NAMES[role].toLowerCase() : role;
}

function isRole(role: string): role is Role {
  return Object.hasOwn(NAMES, role);
}
