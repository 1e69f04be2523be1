/**
 * Applies a provider's events, each once: the event's record, its changes and its audit entry are
 * written in one transaction (MONEY 26). Which organization a payment belongs to comes from our own
 * row, never from an event. Events may be late, duplicated or out of order; an outdated event
 * changes nothing.
 */
import { createHash } from 'node:crypto';
import { type AuditId, idsFrom } from '../../../shared/ids.ts';
import { unreachable } from '../../../shared/unreachable.ts';
import { lockOrganization } from '../../ledger/locks.ts';
import { milliseconds } from '../../store/milliseconds.ts';
import { type Db, readProcedure, writeProcedure } from '../../store/procedure.ts';
import type { PaymentRow } from '../../store/schema/payments.ts';
import { record } from '../audit/record.ts';
import { IGNORED, type Outcome } from './outcome.ts';
import { expired, failed, kept, paid, removed } from './paid.ts';
import type { ReceivedEvent, AttributedEvent, EventSubject } from './received-event.ts';
import { disputed, disputeWon, refunded, refundFailed } from './refunds-and-disputes.ts';
import { lockPayment } from './states.ts';

/**
 * Finds the organization and payment of an event. Returns null when the event belongs to none of
 * our payments.
 */
export const findEventSubject = readProcedure<ReceivedEvent, EventSubject | null>(
  'findEventSubject',
  readSubject,
);

async function readSubject(
  db: Db,
  { provider, event }: ReceivedEvent,
): Promise<EventSubject | null> {
  if (event.kind === 'method_removed') {
    const customer = await db
      .selectFrom('payment_customers')
      .select('organization')
      .where('provider', '=', provider)
      .where('customer', '=', event.customer)
      .executeTakeFirst();
    return customer ? { organization: customer.organization, payment: null } : null;
  }
  const query = db
    .selectFrom('payments')
    .select(['organization', 'id as payment'])
    .where('provider', '=', provider);
  const named =
    'payment' in event
      ? query.where('id', '=', event.payment)
      : query.where('reference', '=', event.reference);
  return (await named.executeTakeFirst()) ?? null;
}

/**
 * `known`: the event was applied before, or is outdated. `too_early`, `over_limit`: nothing was
 * changed, and the provider must send the event again later. `alarm`: a problem for an operator to
 * look at, or null.
 */
export type Applied = Readonly<{ outcome: Outcome['outcome']; alarm: string | null }>;

export const applyEvent = writeProcedure<AttributedEvent, Applied>(
  'applyEvent',
  { invalidates: ({ subject }) => subject.organization },
  async (db, received) => {
    const { provider, event, subject } = received;
    // Lock the organization first, as everywhere, so that its events are applied one after the
    // other and none is applied while the organization is being deleted.
    await lockOrganization(db, subject.organization);
    if (await isMarked(db, received)) return { outcome: 'known', alarm: null };
    const found = await readSubject(db, received);
    if (found?.organization !== subject.organization || found.payment !== subject.payment) {
      throw new Error(
        `event ${event.event} of ${provider} does not belong to ${subject.organization}`,
      );
    }
    const payment = subject.payment === null ? null : await lockPayment(db, subject.payment);
    const outcome = await apply(db, received, payment ?? null);
    if (outcome.outcome === 'applied' || outcome.outcome === 'known') await mark(db, received);
    if (outcome.outcome === 'applied') await writeDown(db, received, outcome);
    return { outcome: outcome.outcome, alarm: outcome.alarm ?? null };
  },
);

function apply(
  db: Db,
  received: AttributedEvent,
  payment: PaymentRow | null,
): Promise<Outcome> | Outcome {
  const { event } = received;
  if (event.kind === 'method_removed') return removed(db, received, event);
  if (payment === null) return IGNORED;
  switch (event.kind) {
    case 'paid':
      return paid(db, received, event, payment);
    case 'payment_failed':
      return failed(db, received, event, payment);
    case 'checkout_expired':
      return expired(db, received, payment);
    case 'method_kept':
      return kept(db, received, event, payment);
    case 'disputed':
      return disputed(db, received, event, payment);
    case 'dispute_won':
      return disputeWon(db, received, event, payment);
    case 'refunded':
      return refunded(db, received, event, payment);
    case 'refund_failed':
      return refundFailed(db, received, event, payment);
    default:
      return unreachable(event);
  }
}

async function isMarked(db: Db, { provider, event }: AttributedEvent): Promise<boolean> {
  const query = db
    .selectFrom('payment_events')
    .select('event')
    .where('provider', '=', provider)
    .where('event', '=', event.event);
  return (await query.executeTakeFirst()) !== undefined;
}

/** Records the event. An event that moved credit was already recorded with that credit. */
async function mark(db: Db, { provider, event, now }: AttributedEvent): Promise<void> {
  await db
    .insertInto('payment_events')
    .values({ provider, event: event.event, transfer: null, created: milliseconds(now) })
    .onConflict((conflict) => conflict.columns(['provider', 'event']).doNothing())
    .execute();
}

async function writeDown(
  db: Db,
  { provider, event, subject, now, from }: AttributedEvent,
  { action, details, alarm }: Extract<Outcome, { outcome: 'applied' }>,
): Promise<void> {
  await record(db, {
    id: auditIdOf(provider, event.event, now),
    organization: subject.organization,
    actor: { kind: 'provider', id: provider },
    action,
    target: subject.payment,
    details: { ...details, ...(alarm !== undefined && { alarm }) },
    address: from?.address ?? '',
    request: from?.request ?? '',
    created: now,
  });
}

const BASE32 = '0123456789abcdefghjkmnpqrstvwxyz';

/** A procedure must not draw random numbers, so the event's digest makes the id unique. */
function auditIdOf(provider: string, event: string, now: number): AuditId {
  const digest = createHash('sha256')
    .update(JSON.stringify([provider, event]))
    .digest();
  const chance = [...digest.subarray(0, 16)].map((byte) => BASE32[byte & 31]).join('');
  return `${idsFrom('audit', now)}${chance}` as AuditId;
}
