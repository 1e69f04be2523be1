/** The bar of buttons above a chat. On a phone, each is a square as large as a finger. */
export const BAR =
  'flex flex-wrap items-center gap-1 max-sm:[&>button]:size-11 max-sm:[&>button]:px-0';

/** On a phone, the buttons above a chat show their icons only. */
export const BAR_LABEL = 'sr-only sm:not-sr-only';
