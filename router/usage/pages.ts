/** Pages of rows that are numbered within their organization without gaps, newest first. */
import type { OrganizationId } from '../../shared/ids.ts';

const ROWS_MAX = 1_000;

export type PageQuery = Readonly<{
  organization: OrganizationId;
  /** The `next` of the previous page; null for the newest rows. */
  before: bigint | null;
  limit: number;
}>;

/** `next` is null on the last page. */
export type Page<Row> = Readonly<{ rows: readonly Row[]; next: bigint | null }>;

/** Returns the limit of a page. Throws when it is out of bounds. */
export function checked(limit: number): number {
  if (!Number.isInteger(limit) || limit < 1 || limit > ROWS_MAX) {
    throw new Error(`a page has 1 to ${ROWS_MAX} rows, not ${limit}`);
  }
  return limit;
}

/** Makes a page out of up to `limit` + 1 rows. */
export function page<Row extends { seq: bigint }, Out>(
  found: readonly Row[],
  limit: number,
  shape: (row: Row) => Out,
): Page<Out> {
  const rows = found.slice(0, limit);
  return { rows: rows.map(shape), next: found.length > limit ? (rows.at(-1)?.seq ?? null) : null };
}
