/** Invoices against the transfers that they are made of and the payments that ended them. */
import { sql } from 'kysely';
import { type Check, rowsThatDiffer, sumHalves, wholeSum } from './check.ts';

const totals = rowsThatDiffer(
  sql<{ id: string; total: bigint; taken: bigint | string }>`
    select i.id, i.total, ${wholeSum('s', 'taken')} as taken
    from invoices i join (
      select n.id,
        ${sumHalves(sql`case when t.credit like 'customer:%' then -t.amount else t.amount end`, 'taken')}
      from invoices n join transfers t
        on t.organization = n.organization and t.seq >= n.from_seq and t.seq <= n.to_seq
      where not (t.kind = 'payment' and t.reference in (select id from invoices))
      group by n.id) s on s.id = i.id
    where i.total <> ${wholeSum('s', 'taken')}`,
  ({ id, total, taken }) => `invoice ${id}: asks for ${total}, its transfers took ${taken}`,
);

const lines = rowsThatDiffer(
  sql<{ id: string; total: bigint }>`
    select i.id, i.total from invoices i
    where i.total <> (select sum(l.amount) from invoice_lines l where l.invoice = i.id)`,
  ({ id, total }) => `invoice ${id}: its lines do not add up to ${total}`,
);

const overlaps = rowsThatDiffer(
  sql<{ id: string; other: string }>`
    select i.id, o.id as other from invoices i join invoices o
      on o.organization = i.organization and o.from_seq > i.from_seq and o.from_seq <= i.to_seq`,
  ({ id, other }) => `invoice ${id}: invoice ${other} has some of its transfers, too`,
);

const payments = rowsThatDiffer(
  sql<{ id: string }>`
    select i.id from invoices i left join transfers t on t.id = i.transfer
    where (i.status = 'paid' and i.amount_due > 0) <> (i.transfer is not null)
      or (i.transfer is not null and (t.id is null or t.kind <> 'payment'
        or t.organization <> i.organization or t.reference <> i.id or t.amount <> i.amount_due))`,
  ({ id }) => `invoice ${id}: its payment is not what ended it`,
);

export const checkInvoices: readonly Check[] = [totals, lines, overlaps, payments];
