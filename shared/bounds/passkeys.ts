/** How many passkeys a person may have. */
export const PASSKEYS_MAX = 20;
