/** The tables of usage analytics: how far usage is folded, the series, and their cells. */
import type { OrganizationId, RequestId } from '../../../shared/ids.ts';

export interface RollupTables {
  usage_folds: UsageFoldRow;
  usage_series: UsageSeriesRow;
  usage_rollups: UsageRollupRow;
  usage_reversals: UsageReversalRow;
}

/** How far an organization's usage rows have been folded: all up to `folded_seq`, none above. */
export interface UsageFoldRow {
  organization: OrganizationId;
  folded_seq: bigint;
  /** Counts the folds. A fold that was prepared before another was written is not written. */
  version: bigint;
}

/** The values that the cells of a series share; empty for a column that its shape does not name. */
export interface UsageSeriesRow {
  organization: OrganizationId;
  /** Derived from the shape and the values, so that it need not be looked up. */
  id: bigint;
  shape: bigint;
  model: string;
  key: string;
  member: string;
  source: string;
}

/** A chunk: the cells of one series in one stretch of time. See usage/rollups/cells.ts. */
export interface UsageRollupRow {
  organization: OrganizationId;
  level: bigint;
  chunk: bigint;
  series: bigint;
  cells: Uint8Array;
}

/** A reversed charge, with the former status and cost of its usage row, until it is folded. */
export interface UsageReversalRow {
  request: RequestId;
  organization: OrganizationId;
  status: bigint;
  cost: bigint;
}
