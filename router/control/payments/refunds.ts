/**
 * Refunds that operators make. The amount leaves the balance first, then a job requests the refund
 * from the provider. A refused amount returns to the balance, once (MONEY 4).
 */
import { sql } from 'kysely';
import type { OrganizationId, PaymentId, PersonId, TransferId } from '../../../shared/ids.ts';
import { picoUsd } from '../../../shared/money.ts';
import type { JobHandler } from '../../jobs/runner.ts';
import type { ScheduledTask } from '../../jobs/scheduler.ts';
import { lockOrganization } from '../../ledger/locks.ts';
import { milliseconds } from '../../store/milliseconds.ts';
import { type Db, readProcedure, writeProcedure } from '../../store/procedure.ts';
import type { RefundRow } from '../../store/schema/payments.ts';
import { audited } from '../audit/record.ts';
import { idempotent } from '../idempotency/idempotent.ts';
import { giveUpRefund, isLate, isUnanswered, raise } from './give-up.ts';
import { ingestEvent, type IngestParts } from './ingest-event.ts';
import { type PaymentWithRefunds, withRefunds } from './refund-amounts.ts';
import type { PaymentProvider, ProviderEvent } from './provider.ts';
import { lockPayment } from './states.ts';
import { REFUND_LOOK_MS, takeRefund } from './take-refund.ts';

export type RefundWanted = Readonly<{
  /** A repeated call with the same id refers to the same refund. */
  id: TransferId;
  organization: OrganizationId;
  payment: PaymentId;
  /** Null refunds everything that is left. */
  amount: bigint | null;
  reason: string;
  person: PersonId | null;
  created: number;
}>;

export type RefundMade = Readonly<{
  payment: PaymentWithRefunds;
  refund: RefundRow;
  isNew: boolean;
}>;

/**
 * `unpaid`: the payment was not paid. `too_much`: the amount exceeds what is left of the payment.
 * `insufficient`: the balance does not have the amount any more.
 */
export const refundPayment = writeProcedure<
  RefundWanted,
  RefundMade | 'unknown' | 'unpaid' | 'too_much' | 'insufficient'
>(
  'refundPayment',
  async (db, { id, organization, payment: of, reason, person, created, ...wanted }) => {
    // The lock makes a concurrent second refund see how much the first has refunded.
    await lockOrganization(db, organization);
    const payment = await lockPayment(db, of);
    if (payment?.organization !== organization) return 'unknown';
    const before = await readRefund(db, id);
    if (before) {
      if (before.payment !== of) return 'unknown';
      return { payment: await withRefunds(db, payment), refund: before, isNew: false };
    }
    if (payment.paid === null || payment.reference === null) return 'unpaid';
    const left = payment.paid - payment.refunded - payment.disputed;
    const amount = wanted.amount ?? left;
    if (amount <= 0n || amount > left) return 'too_much';
    const row = await takeRefund(db, payment, { id, amount, reason, person, created });
    if (row === 'insufficient') return row;
    const refunded = payment.refunded + amount;
    const changed = await withRefunds(db, { ...payment, refunded });
    return { payment: changed, refund: row, isNew: true };
  },
);

export const refundOnce = idempotent(
  audited(refundPayment, (answer) => typeof answer === 'object' && answer.isNew),
);

async function readRefund(db: Db, id: TransferId): Promise<RefundRow | undefined> {
  return await db.selectFrom('refunds').selectAll().where('id', '=', id).executeTakeFirst();
}

type RefundAsked = Readonly<{
  amount: bigint;
  /** The provider's id of the payment. */
  reference: string;
  provider: string;
}>;

/**
 * Records that the refund is about to be requested. From then on the provider may have paid it out,
 * even if its answer is lost. Returns null when the refund is not pending, or belongs to another
 * provider.
 */
export const askRefund = writeProcedure<
  Readonly<{ refund: TransferId; provider: string; now: number }>,
  RefundAsked | null
>('askRefund', async (db, { refund: id, provider, now }) => {
  const row = await db
    .selectFrom('refunds')
    .innerJoin('payments', 'payments.id', 'refunds.payment')
    .select(['refunds.amount', 'payments.reference', 'payments.provider'])
    .where('refunds.id', '=', id)
    .where('refunds.state', '=', 'pending')
    .where('payments.provider', '=', provider)
    .executeTakeFirst();
  const { reference = null } = row ?? {};
  if (!row || reference === null) return null;
  const at = milliseconds(now);
  const asked = await db
    .updateTable('refunds')
    .set((columns) => ({
      asked: at,
      asks: columns('asks', '+', 1n),
      look_at: at + BigInt(REFUND_LOOK_MS),
    }))
    .where('id', '=', id)
    .where('state', '=', 'pending')
    .returning('id')
    .executeTakeFirst();
  return asked ? { ...row, reference } : null;
});

/**
 * Requests a refund from the provider. If its answer is lost, the request is repeated with the same
 * id.
 */
async function askProvider(
  parts: IngestParts,
  provider: PaymentProvider,
  id: TransferId,
): Promise<void> {
  const { store, clock } = parts;
  const asked = await store.call(askRefund, {
    refund: id,
    provider: provider.name,
    now: clock.now(),
  });
  if (!asked) return;
  const { reference } = asked;
  const amount = picoUsd(asked.amount);
  const answer = await provider.refund({ refund: id, reference, amount });
  // An event will report the result, or else the task repeats the request.
  if (answer === 'pending') return;
  const kind = answer === 'succeeded' ? 'refunded' : 'refund_failed';
  const event = `${answer}:${id}`;
  const about: ProviderEvent = { kind, event, refund: id, reference, amount };
  await ingestEvent(parts, provider.name, about);
}

export function refundHandler(parts: IngestParts, provider: PaymentProvider): JobHandler {
  return async ({ payload }) => {
    await askProvider(parts, provider, (payload as { refund: TransferId }).refund);
  };
}

const EVERY_MS = 60_000;
const AT_ONCE_MAX = 100;

/**
 * Selects the pending refunds with their payments, the longest due first. Routers of an earlier
 * version set no `look_at`; such a refund has been due since it was created.
 */
export function pendingRefunds(db: Db) {
  return db
    .selectFrom('refunds')
    .innerJoin('payments', 'payments.id', 'refunds.payment')
    .selectAll('refunds')
    .where('refunds.state', '=', 'pending')
    .orderBy(dueAt);
}

const dueAt = sql<bigint>`coalesce(refunds.look_at, refunds.created)`;

/** Pending refunds that must be requested from the provider again. */
export const findDueRefunds = readProcedure<
  Readonly<{ provider: string; now: number; limit: number }>,
  readonly RefundRow[]
>('findDueRefunds', (db, { provider, now, limit }) =>
  pendingRefunds(db)
    .where(dueAt, '<=', milliseconds(now))
    .where('payments.provider', '=', provider)
    .limit(limit)
    .execute(),
);

/**
 * Repeats the request every hour for refunds that their job could not finish, until they have a
 * result.
 */
export function refundTask(parts: IngestParts, provider: PaymentProvider): ScheduledTask {
  const { store, clock, log } = parts;
  return {
    name: 'refunds',
    everyMs: EVERY_MS,
    async run(stopping) {
      const ask = { provider: provider.name, now: clock.now(), limit: AT_ONCE_MAX };
      for (const refund of await store.call(findDueRefunds, ask)) {
        if (stopping?.aborted) return;
        const { id } = refund;
        try {
          await askProvider(parts, provider, id);
        } catch (error) {
          const late = isLate(refund.created, clock.now());
          const about = { refund: id, err: error };
          if (late) raise(parts, about, 'refund had no result after a day');
          else log.warn(about, 'failed to request a refund');
        }
        if (isUnanswered(refund, clock.now())) await giveUpRefund(parts, refund);
      }
    },
  };
}
