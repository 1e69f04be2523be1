/** On a phone, the buttons above a chat show their icons only. */
export const BAR_LABEL = 'sr-only sm:not-sr-only';
