/**
 * Refunds that operators make: what is to be paid out leaves the balance first, then a job asks the provider, and
 * what it refuses comes back, once (MONEY 4).
 */
import type { OrganizationId, PaymentId, PersonId, TransferId } from '../../../shared/ids.ts';
import { picoUsd } from '../../../shared/money.ts';
import { enqueue, enqueueJob } from '../../ledger/jobs.ts';
import { refund } from '../../ledger/payments.ts';
import type { Db, Procedure } from '../../store/procedure.ts';
import type { PaymentRow, RefundRow } from '../../store/schema/payments.ts';
import { audited } from '../audit/record.ts';
import type { JobHandler } from '../jobs/runner.ts';
import type { PaymentProvider, ProviderEvent } from './provider.ts';
import { tellEvent, type TellParts } from './tell.ts';

export const REFUND = 'refund';

export type RefundWanted = Readonly<{
  /** The same again is the same refund. */
  id: TransferId;
  organization: OrganizationId;
  payment: PaymentId;
  /** Null: all that is left. */
  amount: bigint | null;
  reason: string;
  person: PersonId | null;
  created: number;
}>;

export type RefundMade = Readonly<{ payment: PaymentRow; refund: RefundRow; isNew: boolean }>;

/** `too_much`: not so much is left of the payment. `insufficient`: it has been spent. */
export const refundPayment: Procedure<
  RefundWanted,
  RefundMade | 'unknown' | 'unpaid' | 'too_much' | 'insufficient'
> = {
  name: 'refundPayment',
  access: 'write',
  async run(db, { id, organization, payment: of, reason, person, created, ...wanted }) {
    const payment = await readPayment(db, organization, of);
    if (!payment) return 'unknown';
    const before = await readRefund(db, id);
    if (before)
      return before.payment === of ? { payment, refund: before, isNew: false } : 'unknown';
    if (payment.paid === null || payment.reference === null) return 'unpaid';
    const left = payment.paid - payment.refunded - payment.disputed;
    const amount = wanted.amount ?? left;
    if (amount <= 0n || amount > left) return 'too_much';
    const asked = { id, organization, amount: picoUsd(amount), reference: of, reason, created };
    const answer = await refund.run(db, asked);
    if (answer === 'insufficient') return answer;
    if (typeof answer === 'string') throw new Error(`a refund was not taken: ${answer}`);
    const row = await db
      .insertInto('refunds')
      .values({
        id,
        payment: of,
        organization,
        amount,
        state: 'pending',
        taken_as: 'asked',
        reason,
        person,
        created: BigInt(Math.round(created)),
        ended: null,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await enqueue(db, {
      kind: REFUND,
      subject: organization,
      idempotencyKey: `${REFUND}/${id}`,
      payload: { refund: id },
      created,
    });
    const changed = await db
      .updateTable('payments')
      .set((columns) => ({ refunded: columns('refunded', '+', amount) }))
      .where('id', '=', of)
      .returningAll()
      .executeTakeFirstOrThrow();
    return { payment: changed, refund: row, isNew: true };
  },
};

export const refundPaymentAudited = audited(
  refundPayment,
  (answer) => typeof answer === 'object' && answer.isNew,
);

async function readPayment(
  db: Db,
  organization: OrganizationId,
  id: PaymentId,
): Promise<PaymentRow | undefined> {
  return await db
    .selectFrom('payments')
    .selectAll()
    .where('id', '=', id)
    .where('organization', '=', organization)
    .executeTakeFirst();
}

async function readRefund(db: Db, id: TransferId): Promise<RefundRow | undefined> {
  return await db.selectFrom('refunds').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Null: it has been decided already. */
export const findOpenRefund: Procedure<
  Readonly<{ refund: TransferId }>,
  Readonly<{ amount: bigint; reference: string; provider: string }> | null
> = {
  name: 'findOpenRefund',
  access: 'read',
  async run(db, { refund: id }) {
    const row = await db
      .selectFrom('refunds')
      .innerJoin('payments', 'payments.id', 'refunds.payment')
      .select(['refunds.amount', 'payments.reference', 'payments.provider'])
      .where('refunds.id', '=', id)
      .where('refunds.state', '=', 'pending')
      .executeTakeFirst();
    const { reference = null } = row ?? {};
    return row && reference !== null ? { ...row, reference } : null;
  },
};

/** Asks the provider; where its answer is lost, it is asked again under the same id. */
export function refundHandler(parts: TellParts, provider: PaymentProvider): JobHandler {
  return async ({ payload, attempts }) => {
    const { refund: id, asked = 1 } = payload as { refund: TransferId; asked?: number };
    const open = await parts.store.call(findOpenRefund, { refund: id });
    if (!open) return;
    if (open.provider !== provider.name) throw new Error(`${open.provider} is not configured`);
    const { reference } = open;
    const amount = picoUsd(open.amount);
    const ask = { refund: id, reference, amount };
    const answer = await provider.refund(ask).catch((error: unknown) => {
      if (attempts < ATTEMPTS_MAX) throw error;
      parts.log.error({ refund: id, error: String(error) }, 'a refund is not answered');
      return 'pending' as const;
    });
    if (answer === 'pending') return await askAgain(parts, { refund: id, asked: asked + 1 });
    const kind = answer === 'succeeded' ? 'refunded' : 'refund_failed';
    const event: ProviderEvent = {
      kind,
      event: `${answer}:${id}`,
      refund: id,
      reference,
      amount,
    };
    await tellEvent(parts, provider.name, event);
  };
}

const ASK_AGAIN_MS = 60 * 60 * 1000;
const ASKED_MAX = 48;
/** A job ends for good after more of them; what has left the balance must not end with it. */
const ATTEMPTS_MAX = 6;

/** Its event will tell; one that is lost, or an outage, must not leave it undecided. */
async function askAgain(
  { store, clock, log }: TellParts,
  payload: Readonly<{ refund: TransferId; asked: number }>,
): Promise<void> {
  const { refund: id, asked } = payload;
  if (asked > ASKED_MAX) {
    log.error({ refund: id }, 'a refund was never decided');
    return;
  }
  const created = clock.now();
  const idempotencyKey = `${REFUND}/${id}/${asked}`;
  const runAt = created + ASK_AGAIN_MS;
  await store.call(enqueueJob, {
    kind: REFUND,
    subject: id,
    idempotencyKey,
    payload,
    created,
    runAt,
  });
}
