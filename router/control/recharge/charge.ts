/**
 * Charges a kept means of payment: by the job that began with the recharge, and where that has ended, by the round
 * that looks after payments. The payment's id is the idempotency key: where an answer is lost, the same payment is
 * asked for again, and never another one.
 */
import type { AuditId, PaymentId } from '../../../shared/ids.ts';
import { mintId } from '../../../shared/ids.ts';
import { formatUsd, picoUsd } from '../../../shared/money.ts';
import type { Random } from '../../../shared/random.ts';
import { lockOrganization } from '../../ledger/locks.ts';
import type { Db, Procedure } from '../../store/procedure.ts';
import type { PaymentRow } from '../../store/schema/payments.ts';
import { record } from '../audit/record.ts';
import type { JobHandler } from '../jobs/runner.ts';
import type { ChargeAnswer, PaymentProvider, ProviderEvent } from '../payments/provider.ts';
import { lockPayment, movePayment } from '../payments/states.ts';
import { tellEvent, type TellParts } from '../payments/tell.ts';
import { rechargeWithdrawn } from './outcome.ts';
import { whyUnwanted } from './wanted.ts';

export type ChargeParts = TellParts & Readonly<{ random: Random }>;

type Attempt = Readonly<{ payment: PaymentId; provider: string; audit: AuditId; now: number }>;

/**
 * `charge`: it may be charged, and is noted as asked for. `find`: it is not wanted any more, and may have been charged:
 * the provider is to be asked. `ended`: it has ended, or ends here, since nobody was ever asked to charge it.
 */
type AttemptAnswer =
  | Readonly<{ kind: 'charge' | 'find'; payment: PaymentRow }>
  | Readonly<{ kind: 'ended' }>;

export const beginCharge: Procedure<Attempt, AttemptAnswer> = {
  name: 'beginCharge',
  access: 'write',
  async run(db, attempt) {
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
        charge_asked: BigInt(Math.round(attempt.now)),
        asks: columns('asks', '+', 1n),
      }))
      .where('id', '=', payment.id)
      .execute();
    return { kind: 'charge', payment };
  },
};

/** Twice as long as a provider is waited for: what was asked for may still arrive there. */
const UNDER_WAY_MS = 60_000;

/** The provider knows of no charge: the recharge ends, unless it is wanted again or is being asked for. */
export const endUncharged: Procedure<Attempt, 'ended' | 'kept'> = {
  name: 'endUncharged',
  access: 'write',
  async run(db, attempt) {
    const payment = await lockOpen(db, attempt);
    if (!payment) return 'ended';
    const askedAgoMs = Math.abs(attempt.now - Number(payment.charge_asked ?? 0n));
    const reason = await whyUnwanted(db, payment, attempt.now);
    if (reason === null || askedAgoMs < UNDER_WAY_MS) return 'kept';
    await withdraw(db, payment, reason, attempt);
    return 'ended';
  },
};

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

/** It ends unpaid, which is no failure: it counts against nothing. */
async function withdraw(
  db: Db,
  payment: PaymentRow,
  reason: string,
  { audit, now }: Attempt,
): Promise<void> {
  const { id, organization, amount } = payment;
  await movePayment(db, payment, 'failed', { now, reason: `not charged: ${reason}` });
  await rechargeWithdrawn(db, payment);
  await record(db, {
    id: audit,
    organization,
    actor: { kind: 'system', id: null },
    action: 'recharge.withdraw',
    target: id,
    details: { amount: formatUsd(amount ?? 0n), reason },
    address: '',
    request: '',
    created: now,
  });
}

/** The provider has taken it on, and will tell how it ends. */
export const awaitPayment: Procedure<
  Readonly<{ payment: PaymentId; reference: string; now: number }>,
  'done' | 'ended'
> = {
  name: 'awaitPayment',
  access: 'write',
  async run(db, { payment: id, reference, now }) {
    const payment = await lockPayment(db, id);
    if (payment?.state !== 'open') return 'ended';
    await movePayment(db, payment, 'pending', { now, reference });
    return 'done';
  },
};

/** One attempt. Rejects where the provider does not answer. */
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
    throw new Error(`${id} is not to be charged`);
  }
  const asked = { payment: id, organization, customer, method, amount: picoUsd(amount) };
  const answer =
    begun.kind === 'charge' ? await provider.charge(asked) : await provider.findCharge(asked);
  if (answer === null) await store.call(endUncharged, attempt());
  else if (answer.kind === 'pending') {
    const { reference } = answer;
    await store.call(awaitPayment, { payment: id, reference, now: clock.now() });
  } else await tellEvent(parts, provider.name, eventOf(id, asked.amount, answer));
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
