/** The most characters of the reason for which an operator does something, in the API and in the dashboard. */
export const REASON_CHARS_MAX = 500;
