/**
 * The job that charges a kept means of payment. The payment's id is the idempotency key: where an answer is lost, the
 * same payment is asked for again, and never another one.
 */
import type { PaymentId } from '../../../shared/ids.ts';
import { picoUsd } from '../../../shared/money.ts';
import type { Procedure } from '../../store/procedure.ts';
import type { PaymentRow } from '../../store/schema/payments.ts';
import type { JobHandler } from '../jobs/runner.ts';
import type { ChargeAnswer, PaymentProvider, ProviderEvent } from '../payments/provider.ts';
import { tellEvent, type TellParts } from '../payments/tell.ts';

/** Null: it has ended, or is on its way, or its organization is there no more. */
export const findChargeable: Procedure<Readonly<{ payment: PaymentId }>, PaymentRow | null> = {
  name: 'findChargeable',
  access: 'read',
  async run(db, { payment }) {
    const query = db
      .selectFrom('payments')
      .innerJoin('organizations', 'organizations.id', 'payments.organization')
      .selectAll('payments')
      .where('payments.id', '=', payment)
      .where('payments.state', '=', 'open')
      .where('organizations.deleted', 'is', null);
    return (await query.executeTakeFirst()) ?? null;
  },
};

/** The provider has taken it on, and will tell how it ends. */
export const awaitPayment: Procedure<
  Readonly<{ payment: PaymentId; reference: string }>,
  'done' | 'ended'
> = {
  name: 'awaitPayment',
  access: 'write',
  async run(db, { payment, reference }) {
    const changed = await db
      .updateTable('payments')
      .set({ state: 'pending', reference })
      .where('id', '=', payment)
      .where('state', '=', 'open')
      .returning('id')
      .executeTakeFirst();
    return changed ? 'done' : 'ended';
  },
};

export function chargeHandler(parts: TellParts, provider: PaymentProvider): JobHandler {
  return async ({ payload }) => {
    const { payment: id } = payload as { payment: PaymentId };
    const payment = await parts.store.call(findChargeable, { payment: id });
    if (!payment) return;
    const { organization, customer, method, amount } = payment;
    if (payment.provider !== provider.name) {
      throw new Error(`${payment.provider} is not configured`);
    }
    if (customer === null || method === null || amount === null) {
      throw new Error(`${id} is not to be charged`);
    }
    const asked = { payment: id, organization, customer, method, amount: picoUsd(amount) };
    const answer = await provider.charge(asked);
    if (answer.kind === 'pending') {
      await parts.store.call(awaitPayment, { payment: id, reference: answer.reference });
      return;
    }
    await tellEvent(parts, provider.name, eventOf(id, asked.amount, answer));
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
