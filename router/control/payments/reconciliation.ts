/**
 * Reconciles open payments with the provider, so that a lost webhook loses no credit, and an
 * abandoned checkout does not stay open forever.
 */
import type { PaymentId } from '../../../shared/ids.ts';
import { isJobOpen } from '../../jobs/queue.ts';
import type { ScheduledTask } from '../../jobs/scheduler.ts';
import { milliseconds } from '../../store/milliseconds.ts';
import { readProcedure, writeProcedure } from '../../store/procedure.ts';
import type { PaymentRow } from '../../store/schema/payments.ts';
import { attemptCharge, type ChargeParts } from '../recharge/charge.ts';
import { chargeKeyOf } from '../recharge/procedures.ts';
import { giveUpPayment, isLate, isUnanswered, raise } from './give-up.ts';
import { ingestEvent, type IngestParts } from './ingest-event.ts';
import type { PaymentProvider } from './provider.ts';
import { lockPayment } from './states.ts';

const EVERY_MS = 10_000;
const AT_ONCE_MAX = 100;
const OPEN_MS_MAX = 24 * 60 * 60 * 1000;
const PAUSE_MS_MIN = 60_000;
const PAUSE_MS_MAX = 60 * 60 * 1000;

export const findUnreconciled = readProcedure<
  Readonly<{ provider: string; now: number; limit: number }>,
  readonly PaymentRow[]
>('findUnreconciled', (db, { provider, now, limit }) =>
  db
    .selectFrom('payments')
    .selectAll()
    .where('look_at', '<=', milliseconds(now))
    .where('provider', '=', provider)
    .orderBy('look_at')
    .limit(limit)
    .execute(),
);

/**
 * The result of a lookup at the provider:
 *
 * - `told`: the provider reported an event, which was applied.
 * - `nothing`: nothing has happened to the payment yet.
 * - `processing`: the provider has the payment and will decide it.
 * - `unknown`: the provider does not know the payment.
 * - `unanswered`: the provider did not answer.
 */
type Seen = 'told' | 'nothing' | 'processing' | 'unknown' | 'unanswered';

/**
 * Schedules the next lookup of a payment. `over`: the payment must be ended instead. `ended`: it
 * needs no more lookups.
 */
export const postponeReconciliation = writeProcedure<
  Readonly<{ payment: PaymentId; seen: Seen; now: number }>,
  'postponed' | 'over' | 'ended'
>('postponeReconciliation', async (db, { payment: id, seen, now }) => {
  const payment = await lockPayment(db, id);
  if (!payment || payment.look_at === null) return 'ended';
  if (isOver(payment, seen, now)) return 'over';
  const ageMs = now - Number(payment.created);
  const pauseMs = Math.min(Math.max(ageMs, PAUSE_MS_MIN), PAUSE_MS_MAX);
  await db
    .updateTable('payments')
    .set((row) => ({
      look_at: milliseconds(now + pauseMs),
      asks: row('asks', '+', 1n),
    }))
    .where('id', '=', id)
    .execute();
  return 'postponed';
});

function isOver(payment: PaymentRow, seen: Seen, now: number): boolean {
  if (seen === 'unknown' || isUnanswered(payment, now)) return true;
  // A provider keeps a checkout open for a day. A pending payment is ended by the provider, and an
  // open recharge is charged or withdrawn. Neither is ended because of its age, however far the
  // clock was moved: a second payment could be made beside it.
  const mayBeLeft = payment.purpose !== 'recharge' && payment.state !== 'pending';
  return mayBeLeft && seen === 'nothing' && now - Number(payment.created) >= OPEN_MS_MAX;
}

export function reconciliationTask(parts: ChargeParts, provider: PaymentProvider): ScheduledTask {
  const { store, clock } = parts;
  return {
    name: 'payments',
    everyMs: EVERY_MS,
    async run(stopping) {
      const ask = { provider: provider.name, now: clock.now(), limit: AT_ONCE_MAX };
      for (const payment of await store.call(findUnreconciled, ask)) {
        // A provider that does not answer takes half a minute for each payment.
        if (stopping?.aborted) return;
        const { id } = payment;
        const seen = await look(parts, provider, payment).catch((error: unknown) =>
          unanswered(parts, payment, error),
        );
        const left = await store.call(postponeReconciliation, {
          payment: id,
          seen,
          now: clock.now(),
        });
        if (left === 'over') await giveUpPayment(parts, payment, WHY_OVER[seen]);
      }
    },
  };
}

const NEVER_SAID = 'the provider never reported a result';
const WHY_OVER: Readonly<Record<Seen, string>> = {
  told: NEVER_SAID,
  nothing: NEVER_SAID,
  processing: NEVER_SAID,
  unanswered: NEVER_SAID,
  unknown:
    'the provider does not know this payment, which may have been started at another account',
};

function unanswered(parts: IngestParts, { id, created }: PaymentRow, error: unknown): 'unanswered' {
  const about = { payment: id, err: error };
  if (isLate(created, parts.clock.now())) raise(parts, about, 'payment had no result after a day');
  else parts.log.warn(about, 'failed to reconcile a payment');
  return 'unanswered';
}

async function look(
  parts: ChargeParts,
  provider: PaymentProvider,
  payment: PaymentRow,
): Promise<Seen> {
  const { id, purpose, state, reference, checkout } = payment;
  if (purpose === 'recharge' && state === 'open') {
    const isJobs = await parts.store.call(isCharged, id);
    // The task continues a charge that its job has given up.
    if (!isJobs) await attemptCharge(parts, provider, id);
    return 'nothing';
  }
  // Without a reference or a checkout, the provider has not answered yet, or never will.
  const known = reference ?? checkout;
  if (known === null) return 'nothing';
  const seen = await provider.look({ payment: id, reference: known });
  if (typeof seen === 'string' || seen === null) return seen ?? 'nothing';
  await ingestEvent(parts, provider.name, seen);
  return 'told';
}

/** Whether a job is still going to charge this payment. */
export const isCharged = readProcedure<PaymentId, boolean>('isCharged', (db, payment) =>
  isJobOpen(db, chargeKeyOf(payment)),
);
