/** Checks what is kept of forgotten usage rows against their transfers (decision 0011). */
import { sql } from 'kysely';
import { joinHalves, sumHalves } from '../store/halves.ts';
import { type Check, rowsOfNobody, rowsThatDiffer } from './check.ts';

type Forgotten = Readonly<{
  organization: string;
  seq: bigint;
  charges: bigint;
  charged_high: bigint;
  charged_low: bigint;
  reversals: bigint;
  reversed_high: bigint;
  reversed_low: bigint;
  made: bigint;
  made_high: bigint | string | null;
  made_low: bigint | string | null;
  back: bigint;
  back_high: bigint | string | null;
  back_low: bigint | string | null;
}>;

/** Charges are in the order of their usage rows, so forgotten rows have those up to a number. */
const sums = rowsThatDiffer(
  sql<Forgotten>`
    select f.*, coalesce(m.n, 0) as made, m.amount_high as made_high, m.amount_low as made_low,
      coalesce(b.n, 0) as back, b.amount_high as back_high, b.amount_low as back_low
    from forgotten_usage f
      left join (
        select t.organization, count(*) as n, ${sumHalves(sql`t.amount`, 'amount')}
        from transfers t join forgotten_usage g on g.organization = t.organization
        where t.kind = 'usage' and t.seq <= g.transfer_seq group by t.organization
      ) m on m.organization = f.organization
      left join (
        select r.organization, count(*) as n, ${sumHalves(sql`r.amount`, 'amount')}
        from transfers r join forgotten_usage g on g.organization = r.organization
          join transfers t on t.id = replace(r.id, '_reversal', '')
        where r.kind = 'reversal' and t.kind = 'usage' and t.organization = r.organization
          and t.seq <= g.transfer_seq group by r.organization
      ) b on b.organization = f.organization
    where f.charges <> coalesce(m.n, 0)
      or f.charged_high <> coalesce(m.amount_high, 0) or f.charged_low <> coalesce(m.amount_low, 0)
      or f.reversals <> coalesce(b.n, 0)
      or f.reversed_high <> coalesce(b.amount_high, 0) or f.reversed_low <> coalesce(b.amount_low, 0)`,
  (row) =>
    `forgotten usage of ${row.organization} up to ${row.seq}: ` +
    `${row.charges} charges of ${joinHalves(row.charged_high, row.charged_low)} and ` +
    `${row.reversals} reversals of ${joinHalves(row.reversed_high, row.reversed_low)}, ` +
    `but there are ${row.made} of ${joinHalves(row.made_high, row.made_low)} and ` +
    `${row.back} of ${joinHalves(row.back_high, row.back_low)}`,
);

/** The last charge of forgotten rows, up to which their charges are counted, must exist. */
const dividing = rowsThatDiffer(
  sql<{ organization: string; transfer_seq: bigint; kind: string | null }>`
    select f.organization, f.transfer_seq, t.kind
    from forgotten_usage f left join transfers t
      on t.organization = f.organization and t.seq = f.transfer_seq
    where (f.charges = 0 and f.transfer_seq <> 0)
      or (f.charges > 0 and coalesce(t.kind, '') <> 'usage')`,
  ({ organization, transfer_seq, kind }) =>
    `forgotten usage of ${organization}: its last charge is recorded as transfer ${transfer_seq}, which is ${kind ?? 'missing'}`,
);

export const checkForgotten: readonly Check[] = [
  sums,
  dividing,
  rowsOfNobody('forgotten_usage', 'forgotten usage'),
];
