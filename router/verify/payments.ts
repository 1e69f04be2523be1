/** Checks providers' events, payments, receipts and refunds against the transfers they made. */
import { sql } from 'kysely';
import { type Check, rowsThatDiffer } from './check.ts';

/** The kinds of transfers that only an event makes. */
const REPORTED = sql`('payment', 'dispute', 'dispute_reversal')`;

const events = rowsThatDiffer(
  sql<{ provider: string; event: string; transfer: string; kind: string | null }>`
    select e.provider, e.event, e.transfer, t.kind
    from payment_events e left join transfers t on t.id = e.transfer
    where e.transfer is not null and (t.id is null or t.kind not in ${REPORTED})`,
  ({ provider, event, transfer, kind }) =>
    `event ${event} of ${provider}: ` +
    (kind === null
      ? `there is no transfer ${transfer}`
      : `transfer ${transfer} is a ${kind}, which no event makes`),
);

const unreported = rowsThatDiffer(
  sql<{ id: string; kind: string }>`
    select t.id, t.kind from transfers t
    where t.kind in ${REPORTED}
      and t.id not in (select transfer from payment_events where transfer is not null)`,
  ({ id, kind }) => `transfer ${id}: no event reported this ${kind}`,
);

const twice = rowsThatDiffer(
  sql<{ transfer: string; n: bigint }>`
    select transfer, count(*) as n from payment_events
    where transfer is not null group by transfer having count(*) > 1`,
  ({ transfer, n }) => `transfer ${transfer}: ${n} events made it`,
);

const cameBack = rowsThatDiffer(
  sql<{ id: string; reference: string }>`
    select t.id, t.reference from transfers t
    where t.kind = 'refund_reversal' and not exists (
      select 1 from transfers r
      where r.id = t.reference and t.id = r.id || '_reversal' and r.kind = 'refund'
        and r.organization = t.organization and r.amount = t.amount)`,
  ({ id, reference }) =>
    `transfer ${id}: its refund ${reference} does not explain this refund_reversal`,
);

const credited = rowsThatDiffer(
  sql<{ id: string; state: string; paid: bigint | null; transfer: string | null }>`
    select p.id, p.state, p.paid, p.transfer from payments p
    where (p.paid is null) <> (p.transfer is null)
      or (p.transfer is not null and not exists (
        select 1 from transfers t
        where t.id = p.transfer and t.kind = 'payment' and t.organization = p.organization
          and t.amount = p.paid))
      or (p.state = 'succeeded' and p.purpose <> 'setup' and p.transfer is null)
      or (p.state <> 'succeeded' and p.transfer is not null)`,
  ({ id, state, paid, transfer }) =>
    `payment ${id}: ${state} with ${paid ?? 'nothing'} paid, but transfer ${transfer} does not match that`,
);

const receipts = rowsThatDiffer(
  sql<{ organization: string; n: bigint; low: bigint; high: bigint }>`
    select organization, count(*) as n, min(receipt) as low, max(receipt) as high
    from payments where receipt is not null group by organization
    having min(receipt) <> 1 or max(receipt) <> count(*)`,
  ({ organization, n, low, high }) =>
    `receipts of ${organization}: there are ${n}, but they are numbered ${low} to ${high}`,
);

/** The receipts of a series are numbered from 1 without gaps, and only payments that were paid have one. */
const series = rowsThatDiffer(
  sql<{ id: string; receipt_series: string; receipt_number: bigint; place: bigint }>`
    select id, receipt_series, receipt_number, place from (
      select p.id, p.paid, p.receipt_series, p.receipt_number,
        row_number() over (partition by p.receipt_series order by p.receipt_number, p.id) as place,
        count(*) over (partition by p.receipt_series, p.receipt_number) as alike
      from payments p where p.receipt_series is not null) numbered
    where receipt_number is null or receipt_number <> place or alike > 1 or paid is null`,
  // Of two receipts with the same number, nothing says which one is wrong: both are named.
  ({ id, receipt_series, receipt_number, place }) =>
    `payment ${id}: its receipt has number ${receipt_number} of series ${receipt_series}, in which it is number ${place}`,
);

/**
 * A refund has its debit, and a reversal if and only if it failed. Of a refund that was booked as a
 * dispute (`owed`), only the debit is checked.
 */
const refunds = rowsThatDiffer(
  sql<{ id: string; state: string; amount: bigint }>`
    select r.id, r.state, r.amount from refunds r
    where not exists (
      select 1 from transfers t
      where t.id = r.id and t.organization = r.organization and t.amount = r.amount
        and t.kind = case r.taken_as when 'owed' then 'dispute' else 'refund' end)
      or (r.taken_as <> 'owed' and (r.state = 'failed') <> exists (
        select 1 from transfers t where t.id = r.id || '_reversal'))`,
  ({ id, state, amount }) =>
    `refund ${id}: ${state} with an amount of ${amount}, but its transfers do not match that`,
);

const refunded = rowsThatDiffer(
  sql<{ id: string; refunded: bigint; total: bigint }>`
    select p.id, p.refunded, coalesce(s.total, 0) as total
    from payments p left join (
      select payment, sum(amount) as total from refunds where state <> 'failed' group by payment
    ) s on s.payment = p.id
    where p.refunded <> coalesce(s.total, 0)`,
  ({ id, refunded: said, total }) =>
    `payment ${id}: ${said} was refunded of it, but its refunds sum to ${total}`,
);

/**
 * The amount of the disputes that were not reversed. Refunds made at the provider that were booked
 * as disputes do not count.
 */
const disputed = rowsThatDiffer(
  sql<{ id: string; disputed: bigint; taken: bigint | string }>`
    select id, disputed, taken from (
      select p.id, p.disputed,
        coalesce((select sum(case when t.kind = 'dispute' then t.amount else -t.amount end)
          from transfers t where t.organization = p.organization and t.reference = p.id
            and t.kind in ('dispute', 'dispute_reversal')), 0)
        - coalesce((select sum(r.amount) from refunds r
          where r.payment = p.id and r.taken_as = 'owed' and r.state <> 'failed'), 0) as taken
      from payments p
    ) compared where disputed <> taken`,
  ({ id, disputed: said, taken }) =>
    `payment ${id}: ${said} of it is disputed, but its disputes sum to ${taken}`,
);

/** Payments have ids of their own, which the transfers that they cause give as their reference. */
const ofNone = rowsThatDiffer(
  sql<{ id: string; kind: string; reference: string }>`
    select t.id, t.kind, t.reference from transfers t left join payments p on p.id = t.reference
    where t.kind in ('payment', 'refund', 'dispute', 'dispute_reversal')
      and substr(t.reference, 1, 4) = 'pay_' and (p.id is null
        or p.organization <> t.organization or (t.kind = 'payment' and p.transfer is null)
        or (t.kind = 'refund' and not exists (select 1 from refunds r where r.id = t.id)))`,
  ({ id, kind, reference }) => `transfer ${id}: payment ${reference} does not record this ${kind}`,
);

/** An organization has one recharge at a time: the payment that its row names is in progress. */
const underWay = rowsThatDiffer(
  sql<{ organization: string; payment: string }>`
    select r.organization, r.payment from recharges r
    where r.payment is not null and not exists (
      select 1 from payments p
      where p.id = r.payment and p.organization = r.organization and p.purpose = 'recharge'
        and p.state in ('open', 'pending'))`,
  ({ organization, payment }) =>
    `recharge of ${organization}: its payment ${payment} is not in progress`,
);

export const checkPayments: readonly Check[] = [
  events,
  unreported,
  twice,
  cameBack,
  credited,
  receipts,
  series,
  refunds,
  refunded,
  disputed,
  ofNone,
  underWay,
];
