/** What payment providers told us against the transfers that it made, and refunds that came back. */
import { sql } from 'kysely';
import { type Check, rowsThatDiffer } from './check.ts';

/** The transfers that only an event makes. */
const TOLD = sql`('payment', 'dispute', 'dispute_reversal')`;

const events = rowsThatDiffer(
  sql<{ provider: string; event: string; transfer: string; kind: string | null }>`
    select e.provider, e.event, e.transfer, t.kind
    from payment_events e left join transfers t on t.id = e.transfer
    where e.transfer is not null and (t.id is null or t.kind not in ${TOLD})`,
  ({ provider, event, transfer, kind }) =>
    `event ${event} of ${provider}: ` +
    (kind === null ? `there is no transfer ${transfer}` : `transfer ${transfer} is a ${kind}`),
);

const untold = rowsThatDiffer(
  sql<{ id: string; kind: string }>`
    select t.id, t.kind from transfers t
    where t.kind in ${TOLD}
      and t.id not in (select transfer from payment_events where transfer is not null)`,
  ({ id, kind }) => `transfer ${id}: a ${kind} that no event told of`,
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
    `transfer ${id}: a refund_reversal that refund ${reference} does not explain`,
);

export const checkPayments: readonly Check[] = [events, untold, twice, cameBack];
