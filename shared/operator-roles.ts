/** What an operator of the platform may do: everything, or read everything and change nothing. */
export const OPERATOR_ROLES = ['administrator', 'viewer'] as const;
export type OperatorRole = (typeof OPERATOR_ROLES)[number];
