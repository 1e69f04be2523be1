/** Checks the ledger by day against the transfers that were folded into it (decision 0031). */
import { sql } from 'kysely';
import { CHANGE } from '../ledger/transfer-sql.ts';
import { highOf, lowOf } from '../store/halves.ts';
import { DAY_MS } from '../../shared/durations.ts';
import { type Check, rowsThatDiffer } from './check.ts';

const marks = rowsThatDiffer(
  sql<{ organization: string; folded_seq: bigint; transfer_seq: bigint | null }>`
    select f.organization, f.folded_seq, a.transfer_seq
    from ledger_folds f left join accounts a on a.id = f.organization
    where a.id is null or f.folded_seq > a.transfer_seq or f.folded_seq < 0`,
  ({ organization, folded_seq, transfer_seq }) =>
    `ledger by day of ${organization}: it is folded up to transfer ${folded_seq} of ${transfer_seq ?? 'none'}`,
);

/** Each day has what the folded transfers of its kind have, and each of these has a day. */
const days = rowsThatDiffer(
  sql<{ organization: string; day: bigint; kind: string }>`
    select organization, day, kind from (
      select d.organization, d.day, d.kind, d.transfers, d.change_high, d.change_low,
        d.first_seq, d.last_seq
      from ledger_days d
      union all
      select t.organization, t.created / ${sql.lit(DAY_MS)}, t.kind, -count(*),
        -sum(${highOf(CHANGE)}), -sum(${lowOf(CHANGE)}), -min(t.seq), -max(t.seq)
      from transfers t join ledger_folds f on f.organization = t.organization
      where t.seq <= f.folded_seq
      group by 1, 2, 3
    ) compared group by organization, day, kind
    having sum(transfers) <> 0 or sum(change_high) <> 0 or sum(change_low) <> 0
      or sum(first_seq) <> 0 or sum(last_seq) <> 0`,
  ({ organization, day, kind }) =>
    `ledger by day of ${organization}: day ${day} does not match its transfers of kind ${kind}`,
);

export const checkLedgerDays: readonly Check[] = [marks, days];
