/** The tables of the ledger by day: how far transfers are folded, and their sums. */
import type { OrganizationId } from '../../../shared/ids.ts';

export interface LedgerDayTables {
  ledger_folds: LedgerFoldRow;
  ledger_days: LedgerDayRow;
}

/** How far an organization's transfers have been folded: all up to `folded_seq`, none above. */
export interface LedgerFoldRow {
  organization: OrganizationId;
  folded_seq: bigint;
}

/** The folded transfers of one kind that were made on one day. */
export interface LedgerDayRow {
  organization: OrganizationId;
  /** Days (UTC) since 1970. */
  day: bigint;
  /** The kind of the transfers (ledger/transfers.ts). */
  kind: string;
  /** How many there are. */
  transfers: bigint;
  /** What they changed in the balance, in two parts: a busy day may exceed 64 bits. */
  change_high: bigint;
  change_low: bigint;
  /** The numbers of the first and of the last of them. */
  first_seq: bigint;
  last_seq: bigint;
}
