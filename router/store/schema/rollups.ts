/** The tables of usage analytics: what has been folded, the series it was folded into, and their cells. */
import type { OrganizationId, RequestId } from '../../../shared/ids.ts';

/** How far an organization's usage rows have been folded: all up to `folded_seq` and none beyond. */
export interface UsageFoldRow {
  organization: OrganizationId;
  folded_seq: bigint;
  /** Counts the folds: a fold that was prepared before another was written is not written. */
  version: bigint;
}

/** What the cells of a series have in common; of a column that its shape does not name, an empty text. */
export interface UsageSeriesRow {
  organization: OrganizationId;
  /** Made of the shape and the values, so that it need not be looked up. */
  id: bigint;
  shape: bigint;
  model: string;
  key: string;
  member: string;
  source: string;
}

/** The cells of one series in one stretch of time: see ledger/rollups/cells.ts. */
export interface UsageRollupRow {
  organization: OrganizationId;
  level: bigint;
  chunk: bigint;
  series: bigint;
  cells: Uint8Array;
}

/** A charge that was given back, and how its usage row stood before: until a fold has seen it. */
export interface UsageReversalRow {
  request: RequestId;
  organization: OrganizationId;
  status: bigint;
  cost: bigint;
}
