/** How long an operator's session may change a customer's organization once changes are allowed. */
export const CHANGES_ALLOWED_MINUTES = 30;
