/** The tables of the fleet's history: the series, their cells, and the batches that wrote them. */
import type { Region } from '../../../shared/region.ts';

export interface HistoryTables {
  history_series: HistorySeriesRow;
  history_cells: HistoryCellRow;
  history_batches: HistoryBatchRow;
}

/** A region, a model in a region, or a worker. Columns that do not apply are empty. */
export interface HistorySeriesRow {
  /** Derived from the other columns, so that it need not be looked up. */
  id: bigint;
  region: Region;
  model: string;
  agent: string;
  worker: string;
  /** When it was last written, to the hour. */
  seen: bigint;
}

/** A chunk: the cells of one series in one stretch of time. See history/cells.ts. */
export interface HistoryCellRow {
  level: bigint;
  chunk: bigint;
  series: bigint;
  cells: Uint8Array;
}

/** The last batch of one run of a router process. The row without a router is locked by each. */
export interface HistoryBatchRow {
  router: string;
  number: bigint;
  written: bigint;
}
