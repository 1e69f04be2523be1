/** What an operator of the platform may do: everything, or read everything and change nothing. */
export const OPERATOR_ROLES = ['administrator', 'viewer'] as const;
export type OperatorRole = (typeof OPERATOR_ROLES)[number];

/** The names of the roles, for people. */
export const OPERATOR_ROLE_NAMES: Readonly<Record<OperatorRole, string>> = {
  administrator: 'Administrator',
  viewer: 'Viewer',
};

/** A role within a sentence. What is no role, as another version may have written, stays as it is. */
export function operatorRoleInSentence(role: string): string {
  return isOperatorRole(role) ? OPERATOR_ROLE_NAMES[role].toLowerCase() : role;
}

export function isOperatorRole(role: string): role is OperatorRole {
  return Object.hasOwn(OPERATOR_ROLE_NAMES, role);
}
