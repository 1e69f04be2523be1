/**
 * Charges a saved payment method. The job that was enqueued with the recharge does it first; after
 * that job has ended, the reconciliation task continues. The payment's id is the idempotency key,
 * so a retry after a lost response refers to the same payment.
 */
import type { AuditId, PaymentId } from '../../../shared/ids.ts';
import { mintId } from '../../../shared/ids.ts';
import { formatUsd, picoUsd } from '../../../shared/money.ts';
import type { Random } from '../../../shared/random.ts';
import type { JobHandler } from '../../jobs/runner.ts';
import { lockOrganization } from '../../ledger/locks.ts';
import { milliseconds } from '../../store/milliseconds.ts';
import { type Db, writeProcedure } from '../../store/procedure.ts';
import type { PaymentRow } from '../../store/schema/payments.ts';
import { record, systemEntry } from '../audit/record.ts';
import { ingestEvent, type IngestParts } from '../payments/ingest-event.ts';
import type { ChargeAnswer, PaymentProvider, ProviderEvent } from '../payments/provider.ts';
import { lockPayment, movePayment } from '../payments/states.ts';
import { rechargeWithdrawn } from './outcome.ts';
import { whyUnwanted } from './wanted.ts';

export type ChargeParts = IngestParts & Readonly<{ random: Random }>;

type Attempt = Readonly<{ payment: PaymentId; provider: string; audit: AuditId; now: number }>;

/**
 * `charge`: the payment may be charged, and is recorded as requested. `find`: the payment is not
 * wanted any more but may have been charged, so the charge must be looked up. `ended`: the payment
 * has ended, or ends here because no charge was ever requested.
 */
type AttemptAnswer =
  | Readonly<{ kind: 'charge' | 'find'; payment: PaymentRow }>
  | Readonly<{ kind: 'ended' }>;

export const beginCharge = writeProcedure<Attempt, AttemptAnswer>(
  'beginCharge',
  async (db, attempt) => {
    const payment = await lockOpen(db, attempt);
    if (!payment) return { kind: 'ended' };
    const reason = await whyUnwanted(db, payment, attempt.now);
    if (reason !== null && payment.charge_asked !== null) return { kind: 'find', payment };
    if (reason !== null) {
      await withdraw(db, payment, reason, attempt);
      return { kind: 'ended' };
    }
    await db
      .updateTable('payments')
      .set((columns) => ({
        charge_asked: milliseconds(attempt.now),
        asks: columns('asks', '+', 1n),
      }))
      .where('id', '=', payment.id)
      .execute();
    return { kind: 'charge', payment };
  },
);

/** Twice the provider's timeout, because a request may still arrive there. */
const UNDER_WAY_MS = 60_000;

/**
 * Ends a recharge of which the provider knows no charge. `kept`: the recharge is wanted again, or a
 * charge was requested a moment ago.
 */
export const endUncharged = writeProcedure<Attempt, 'ended' | 'kept'>(
  'endUncharged',
  async (db, attempt) => {
    const payment = await lockOpen(db, attempt);
    if (!payment) return 'ended';
    const askedAgoMs = Math.abs(attempt.now - Number(payment.charge_asked ?? 0n));
    const reason = await whyUnwanted(db, payment, attempt.now);
    if (reason === null || askedAgoMs < UNDER_WAY_MS) return 'kept';
    await withdraw(db, payment, reason, attempt);
    return 'ended';
  },
);

async function lockOpen(db: Db, { payment: id, provider }: Attempt): Promise<PaymentRow | null> {
  const found = await db
    .selectFrom('payments')
    .select('organization')
    .where('id', '=', id)
    .where('provider', '=', provider)
    .executeTakeFirst();
  if (!found) return null;
  await lockOrganization(db, found.organization);
  const payment = await lockPayment(db, id);
  return payment?.state === 'open' && payment.purpose === 'recharge' ? payment : null;
}

/** Ends a recharge unpaid. This is not a failure, and does not count as one. */
async function withdraw(
  db: Db,
  payment: PaymentRow,
  reason: string,
  { audit, now }: Attempt,
): Promise<void> {
  const { id, organization, amount } = payment;
  await movePayment(db, payment, 'failed', { now, reason: `not charged: ${reason}` });
  await rechargeWithdrawn(db, payment);
  const details = { amount: formatUsd(amount ?? 0n), reason };
  const about = { id: audit, organization, target: id, details, created: now };
  await record(db, systemEntry({ ...about, action: 'recharge.withdraw' }));
}

/** Marks a payment as pending: the provider has accepted it and will report the result. */
export const awaitPayment = writeProcedure<
  Readonly<{ payment: PaymentId; reference: string; now: number }>,
  'done' | 'ended'
>('awaitPayment', async (db, { payment: id, reference, now }) => {
  const payment = await lockPayment(db, id);
  if (payment?.state !== 'open') return 'ended';
  await movePayment(db, payment, 'pending', { now, reference });
  return 'done';
});

/** Makes one attempt. Rejects when the provider does not answer. */
export async function attemptCharge(
  parts: ChargeParts,
  provider: PaymentProvider,
  id: PaymentId,
): Promise<void> {
  const { store, clock, random } = parts;
  const attempt = () => ({
    payment: id,
    provider: provider.name,
    audit: mintId('audit', clock, random),
    now: clock.now(),
  });
  const begun = await store.call(beginCharge, attempt());
  if (begun.kind === 'ended') return;
  const { organization, customer, method, amount } = begun.payment;
  if (customer === null || method === null || amount === null) {
    throw new Error(`${id} cannot be charged`);
  }
  const asked = { payment: id, organization, customer, method, amount: picoUsd(amount) };
  const answer =
    begun.kind === 'charge' ? await provider.charge(asked) : await provider.findCharge(asked);
  if (answer === null) await store.call(endUncharged, attempt());
  else if (answer.kind === 'pending') {
    const { reference } = answer;
    await store.call(awaitPayment, { payment: id, reference, now: clock.now() });
  } else await ingestEvent(parts, provider.name, eventOf(id, asked.amount, answer));
}

export function chargeHandler(parts: ChargeParts, provider: PaymentProvider): JobHandler {
  return async ({ payload }) => {
    await attemptCharge(parts, provider, (payload as { payment: PaymentId }).payment);
  };
}

function eventOf(
  payment: PaymentId,
  amount: ReturnType<typeof picoUsd>,
  answer: Exclude<ChargeAnswer, { kind: 'pending' }>,
): ProviderEvent {
  const event = `${answer.kind}:${payment}`;
  if (answer.kind === 'succeeded') {
    const { reference } = answer;
    return { kind: 'paid', event, payment, reference, amount, customer: null, method: null };
  }
  return { kind: 'payment_failed', event, payment, reason: answer.reason };
}
