/** The states of an API key: only active keys are accepted. */
export const KEY_STATE_VALUES = ['active', 'expired', 'revoked'] as const;
export type KeyState = (typeof KEY_STATE_VALUES)[number];
