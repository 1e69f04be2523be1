/** SQL expressions about a transfer that several queries share. */
import { sql } from 'kysely';
import { USAGE_KINDS } from './transfers.ts';

/** The kinds of charges of requests and their reversals. */
export const USAGE_KIND_LIST = sql.join(USAGE_KINDS.map((kind) => sql.lit(kind)));

/** What a transfer `t` changes in its customer's balance; 0 if it does not name that customer. */
export const CHANGE = sql`case
  when t.credit = 'customer:' || t.organization then t.amount
  when t.debit = 'customer:' || t.organization then -t.amount
  else 0 end`;

/** Whether a transfer `t` paid an invoice; it is then on no invoice itself. */
export const IS_INVOICE_PAYMENT = sql`(t.kind = 'payment'
  and t.reference in (select id from invoices))`;
