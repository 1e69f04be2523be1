/** The most requests in one CSV of admitted and refused requests: the latest. */
export const REQUESTS_CSV_ROWS_MAX = 50_000;
