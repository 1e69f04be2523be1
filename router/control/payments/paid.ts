/** Applies events about payments in progress and about saved payment methods. */
import type { OrganizationId } from '../../../shared/ids.ts';
import { formatUsd } from '../../../shared/money.ts';
import { creditPayment, eventTransferId } from '../../ledger/payments.ts';
import type { Db } from '../../store/procedure.ts';
import type { PaymentRow } from '../../store/schema/payments.ts';
import { postLetter } from '../mail/letter.ts';
import { isDeleted } from '../organizations/procedures.ts';
import { rechargeFailed, rechargeSucceeded } from '../recharge/outcome.ts';
import { wholeCents } from './cents.ts';
import { KNOWN, type Outcome } from './outcome.ts';
import type { Method, ProviderEvent } from './provider.ts';
import type { AttributedEvent } from './received-event.ts';
import { issueReceipt } from './issue-receipt.ts';
import { postEvent } from '../webhooks/events.ts';
import { isWatched, lockPayment, movePayment, PAYMENT_NEXT } from './states.ts';
import { takeRefund } from './take-refund.ts';

const REASON_CHARS_MAX = 300;

type EventOf<Kind extends ProviderEvent['kind']> = Extract<ProviderEvent, { kind: Kind }>;

/**
 * Credits what was really paid, even if the payment had been given up. A payment to an organization
 * that was deleted meanwhile is credited and debited again in the same transaction, to be
 * refunded.
 */
export async function paid(
  db: Db,
  { provider, seller, now }: AttributedEvent,
  event: EventOf<'paid'>,
  payment: PaymentRow,
): Promise<Outcome> {
  const { id, organization } = payment;
  const isCredited = payment.transfer !== null;
  // The same payment, reported by another event.
  if (isCredited && payment.reference === event.reference) return KNOWN;
  const answer = await creditPayment.run(db, {
    provider,
    event: event.event,
    organization,
    amount: event.amount,
    reference: id,
    created: now,
  });
  if (answer === 'over_limit') {
    return {
      outcome: answer,
      alarm: 'payment was not credited: it would raise the balance above its maximum',
    };
  }
  if (typeof answer === 'string') throw new Error(`a payment was not credited: ${answer}`);
  const amount = formatUsd(event.amount);
  if (isCredited) {
    const details = { amount, reference: event.reference };
    return {
      outcome: 'applied',
      action: 'payment.paid-again',
      details,
      alarm: 'payment was paid twice',
    };
  }
  await movePayment(db, payment, 'succeeded', {
    now,
    reference: event.reference,
    paid: event.amount,
    transfer: answer.transfer,
    receipt: await nextReceipt(db, organization),
    ...(await issueReceipt(db, organization, seller)),
    reason: null,
  });
  if (await isDeleted(db, organization)) return await payBack(db, { provider, now }, event, id);
  if (event.customer !== null) {
    const method = payment.keep_method === 1n ? event.method : null;
    await keepCustomer(db, { organization, provider, customer: event.customer, method });
  }
  if (payment.purpose === 'recharge') await rechargeSucceeded(db, payment);
  const told = { occasion: id, created: now };
  await postLetter(db, { kind: 'receipt', organization, payment: id }, told);
  const data = { payment: id, purpose: purposeOf(payment), amount };
  await postEvent(db, { type: 'payment.succeeded', data }, { organization, ...told });
  const differs = event.amount !== payment.amount;
  const details = { amount, ...(differs && { asked: formatUsd(payment.amount ?? 0n) }) };
  const alarm = differs
    ? { alarm: 'amount that was paid differs from the amount of the payment' }
    : {};
  return { outcome: 'applied', action: 'payment.succeed', details, ...alarm };
}

/** What a payment is for, as events say it. */
function purposeOf({ purpose }: Pick<PaymentRow, 'purpose'>): 'top-up' | 'recharge' {
  return purpose === 'recharge' ? 'recharge' : 'top-up';
}

/**
 * Refunds a payment to a deleted organization. What the organization owed is kept, and the rest is
 * refunded in whole cents.
 */
async function payBack(
  db: Db,
  { provider, now }: Pick<AttributedEvent, 'provider' | 'now'>,
  event: EventOf<'paid'>,
  of: PaymentRow['id'],
): Promise<Outcome> {
  const payment = await lockPayment(db, of);
  if (!payment) throw new Error(`${of} was paid and is not there`);
  if (payment.purpose === 'recharge') await rechargeSucceeded(db, payment);
  const { balance, held, floor } = await db
    .selectFrom('accounts')
    .select(['balance', 'held', 'floor'])
    .where('id', '=', payment.organization)
    .executeTakeFirstOrThrow();
  const free = balance - held - floor;
  const amount = wholeCents(free < event.amount ? free : event.amount);
  const about = { amount: formatUsd(event.amount) };
  if (amount <= 0n) {
    const alarm =
      'payment to a deleted organization was kept, because the organization owed that much';
    return { outcome: 'applied', action: 'payment.succeed', details: about, alarm };
  }
  const made = await takeRefund(db, payment, {
    id: eventTransferId(provider, `pay back:${event.event}`),
    amount,
    reason: 'the organization was deleted before it paid',
    person: null,
    created: now,
  });
  if (typeof made === 'string')
    throw new Error(`the refund to a deleted organization was not started: ${made}`);
  const details = { ...about, refund: made.id, paid_back: formatUsd(made.amount) };
  const alarm = 'payment to a deleted organization was credited, and a refund was started';
  return { outcome: 'applied', action: 'payment.succeed', details, alarm };
}

/**
 * The next number within the organization, by which routers of an earlier version name the receipt.
 * The locked account prevents duplicates.
 */
async function nextReceipt(db: Db, organization: OrganizationId): Promise<bigint> {
  const { last } = await db
    .selectFrom('payments')
    .select((row) => row.fn.max('receipt').as('last'))
    .where('organization', '=', organization)
    .executeTakeFirstOrThrow();
  return (last ?? 0n) + 1n;
}

/**
 * Marks a payment as failed. A failed checkout may be retried with another card, so it is still
 * looked up; a recharge is not.
 */
export async function failed(
  db: Db,
  { now }: AttributedEvent,
  event: EventOf<'payment_failed'>,
  payment: PaymentRow,
): Promise<Outcome> {
  if (!isWatched(payment)) return KNOWN;
  const reason = event.reason.slice(0, REASON_CHARS_MAX);
  await endUnpaid(db, payment, { state: 'failed', reason, now });
  const { id, organization, purpose } = payment;
  if (purpose !== 'setup') {
    const amount = formatUsd(payment.amount ?? 0n);
    const data = { payment: id, purpose: purposeOf(payment), amount, reason };
    // A checkout may fail several times, with another card each time.
    const cause = { organization, occasion: `${id}/${event.event}`, created: now };
    await postEvent(db, { type: 'payment.failed', data }, cause);
  }
  return { outcome: 'applied', action: 'payment.fail', details: { reason: event.reason } };
}

export async function expired(
  db: Db,
  { now }: AttributedEvent,
  payment: PaymentRow,
): Promise<Outcome> {
  if (!PAYMENT_NEXT[payment.state].includes('expired')) return KNOWN;
  await endUnpaid(db, payment, { state: 'expired', reason: payment.reason, now });
  return { outcome: 'applied', action: 'payment.expire', details: {} };
}

/** Ends a payment without evidence that it was paid. */
async function endUnpaid(
  db: Db,
  payment: PaymentRow,
  { state, reason, now }: { state: 'failed' | 'expired'; reason: string | null; now: number },
): Promise<void> {
  await movePayment(db, payment, state, { now, reason });
  if (payment.purpose === 'recharge') await rechargeFailed(db, payment, now);
}

export async function kept(
  db: Db,
  { provider, now }: AttributedEvent,
  { customer, method }: EventOf<'method_kept'>,
  payment: PaymentRow,
): Promise<Outcome> {
  const { organization, purpose, state } = payment;
  if (await isDeleted(db, organization)) {
    // Nothing is saved for a deleted organization.
    if (purpose !== 'setup' || !isWatched(payment)) return KNOWN;
    await movePayment(db, payment, 'expired', { now, reason: 'the organization was deleted' });
    const alarm =
      'deleted organization saved a payment method, which must be removed at the provider';
    return { outcome: 'applied', action: 'payment.expire', details: {}, alarm };
  }
  const isOurs = await keepCustomer(db, { organization, provider, customer, method });
  if (!isOurs)
    return {
      outcome: 'ignored',
      alarm: 'payment method was not saved: its customer belongs to another organization',
    };
  if (purpose === 'setup' && state !== 'succeeded') {
    await movePayment(db, payment, 'succeeded', { now, reason: null });
  }
  return { outcome: 'applied', action: 'payment-method.keep', details: { method: method.label } };
}

export async function removed(
  db: Db,
  { provider, subject }: AttributedEvent,
  { method }: EventOf<'method_removed'>,
): Promise<Outcome> {
  const gone = await db
    .updateTable('payment_customers')
    .set({ method: null, method_label: null })
    .where('organization', '=', subject.organization)
    .where('provider', '=', provider)
    .where('method', '=', method)
    .returning('organization')
    .executeTakeFirst();
  if (!gone) return KNOWN;
  return { outcome: 'applied', action: 'payment-method.remove', details: {} };
}

/**
 * For procedures: stores the provider's customer id of the organization and, if given, its saved
 * payment method. Returns false, and changes nothing, when the customer belongs to another
 * organization.
 */
export async function keepCustomer(
  db: Db,
  wanted: Readonly<{
    organization: OrganizationId;
    provider: string;
    customer: string;
    method: Method | null;
  }>,
): Promise<boolean> {
  const { organization, provider, customer, method } = wanted;
  const owner = await db
    .selectFrom('payment_customers')
    .select('organization')
    .where('provider', '=', provider)
    .where('customer', '=', customer)
    .executeTakeFirst();
  if (owner && owner.organization !== organization) return false;
  const row = {
    organization,
    provider,
    customer,
    method: method?.id ?? null,
    method_label: method?.label ?? null,
  };
  await db
    .insertInto('payment_customers')
    .values(row)
    .onConflict((conflict) => {
      const known = conflict.columns(['organization', 'provider']);
      // A method works only with its own customer, so a known customer is replaced only together
      // with its method.
      return method === null ? known.doNothing() : known.doUpdateSet(row);
    })
    .execute();
  return true;
}
