/** Applies events about disputes and refunds, including refunds that were made at the provider. */
import { formatUsd } from '../../../shared/money.ts';
import type { TransferAnswer } from '../../ledger/credit.ts';
import { lockOrganization } from '../../ledger/locks.ts';
import {
  dispute,
  eventTransferId,
  type PaymentEvent,
  refund,
  reverseDispute,
  reverseRefund,
} from '../../ledger/payments.ts';
import { milliseconds } from '../../store/milliseconds.ts';
import type { Db } from '../../store/procedure.ts';
import type { PaymentRow, RefundRow } from '../../store/schema/payments.ts';
import { KNOWN, type Outcome, TOO_EARLY } from './outcome.ts';
import type { ProviderEvent } from './provider.ts';
import type { AttributedEvent } from './received-event.ts';
import { moveRefund } from './states.ts';

type EventOf<Kind extends ProviderEvent['kind']> = Extract<ProviderEvent, { kind: Kind }>;
type Taken = ProviderEvent & Readonly<{ amount: PaymentEvent['amount'] }>;

/**
 * Converts an event to the ledger's form. Transfers refer to our own payment, where people find the
 * details.
 */
function paymentEventOf(
  { provider, now }: AttributedEvent,
  event: Taken,
  payment: PaymentRow,
): PaymentEvent {
  const { id: reference, organization } = payment;
  const { amount } = event;
  return { provider, event: event.event, organization, amount, reference, created: now };
}

function made(answer: TransferAnswer): Exclude<TransferAnswer, string> {
  if (typeof answer === 'string')
    throw new Error(`a dispute or refund was not recorded: ${answer}`);
  return answer;
}

export async function disputed(
  db: Db,
  received: AttributedEvent,
  event: EventOf<'disputed' | 'dispute_won'>,
  payment: PaymentRow,
): Promise<Outcome> {
  if (payment.transfer === null) return TOO_EARLY;
  const answer = await dispute.run(db, paymentEventOf(received, event, payment));
  if (answer === 'over_limit') {
    return {
      outcome: answer,
      alarm: 'dispute was not recorded: it would lower the balance below its minimum',
    };
  }
  made(answer);
  await changeTaken(db, payment, { disputed: event.amount });
  const details = { amount: formatUsd(event.amount) };
  const alarm = 'payment was disputed, and its organization was suspended';
  return { outcome: 'applied', action: 'payment.dispute', details, alarm };
}

/**
 * Applies a won dispute. Until the dispute itself is known there is nothing to credit back, so the
 * provider must send this event again.
 */
export async function disputeWon(
  db: Db,
  received: AttributedEvent,
  event: EventOf<'disputed' | 'dispute_won'>,
  payment: PaymentRow,
): Promise<Outcome> {
  if (payment.disputed < event.amount) return TOO_EARLY;
  const answer = await reverseDispute.run(db, paymentEventOf(received, event, payment));
  if (answer === 'over_limit') {
    return {
      outcome: answer,
      alarm:
        'amount of a won dispute was not credited: it would raise the balance above its maximum',
    };
  }
  made(answer);
  await changeTaken(db, payment, { disputed: 0n - event.amount });
  const details = { amount: formatUsd(event.amount) };
  return { outcome: 'applied', action: 'payment.dispute-won', details };
}

export async function refunded(
  db: Db,
  received: AttributedEvent,
  event: EventOf<'refunded' | 'refund_failed'>,
  payment: PaymentRow,
): Promise<Outcome> {
  if (event.refund === null) return refundedThere(db, received, event, payment);
  const row = await readRefund(db, event.refund, payment);
  if (row?.state === 'failed') {
    return { outcome: 'known', alarm: 'refund was paid out after it had been reported as failed' };
  }
  if (row?.state !== 'pending') return KNOWN;
  await moveRefund(db, row, 'succeeded', received.now);
  const details = { amount: formatUsd(row.amount), refund: row.id };
  return { outcome: 'applied', action: 'payment.refunded', details };
}

/**
 * Applies a refund that was made at the provider; the money is already gone. If the organization
 * has spent it meanwhile, it owes the amount as after a dispute and is suspended.
 */
async function refundedThere(
  db: Db,
  received: AttributedEvent,
  event: EventOf<'refunded' | 'refund_failed'>,
  payment: PaymentRow,
): Promise<Outcome> {
  if (payment.transfer === null) return TOO_EARLY;
  const { id: reference, organization } = payment;
  const { amount } = event;
  const id = eventTransferId(received.provider, event.event);
  const reason = 'made at the provider';
  // Lock the organization before the account, as everywhere: `dispute` may follow.
  await lockOrganization(db, organization);
  const asked = { id, organization, amount, reference, reason, created: received.now };
  const answer = await refund.run(db, asked);
  const isOwed = answer === 'insufficient';
  made(isOwed ? await dispute.run(db, paymentEventOf(received, event, payment)) : answer);
  await db
    .insertInto('refunds')
    .values({
      id,
      payment: payment.id,
      organization,
      amount,
      state: 'succeeded',
      taken_as: isOwed ? 'owed' : 'told',
      reason,
      person: null,
      asked: null,
      asks: 0n,
      look_at: null,
      created: milliseconds(received.now),
      ended: milliseconds(received.now),
    })
    .execute();
  await changeTaken(db, payment, { refunded: amount });
  const details = { amount: formatUsd(amount), refund: id };
  const alarm = isOwed
    ? {
        alarm:
          'refund was made at the provider, but the balance does not cover it: the organization was suspended',
      }
    : {};
  return { outcome: 'applied', action: 'payment.refunded', details, ...alarm };
}

export async function refundFailed(
  db: Db,
  received: AttributedEvent,
  event: EventOf<'refunded' | 'refund_failed'>,
  payment: PaymentRow,
): Promise<Outcome> {
  const row =
    event.refund === null
      ? await findMadeThere(db, event, payment)
      : await readRefund(db, event.refund, payment);
  if (!row) return TOO_EARLY;
  if (row.state === 'failed') return KNOWN;
  // A refund that was given up may have been decided meanwhile. One that was paid out is not
  // credited back.
  if (event.kind === 'refund_failed' && event.onlyPending && row.state !== 'pending') return KNOWN;
  const { organization } = payment;
  const reason = 'the provider could not pay it out';
  made(
    row.taken_as === 'owed'
      ? await reverseDispute.run(db, paymentEventOf(received, event, payment))
      : await reverseRefund.run(db, {
          refund: row.id,
          organization,
          reason,
          created: received.now,
        }),
  );
  await moveRefund(db, row, 'failed', received.now);
  await changeTaken(db, payment, { refunded: 0n - row.amount });
  const details = { amount: formatUsd(row.amount), refund: row.id };
  return { outcome: 'applied', action: 'payment.refund-failed', details, alarm: 'refund failed' };
}

async function readRefund(
  db: Db,
  id: RefundRow['id'],
  payment: PaymentRow,
): Promise<RefundRow | undefined> {
  return await db
    .selectFrom('refunds')
    .selectAll()
    .where('id', '=', id)
    .where('payment', '=', payment.id)
    .executeTakeFirst();
}

/** The provider has no id of ours for such a refund, so any refund of the same amount will do. */
async function findMadeThere(
  db: Db,
  { amount }: Taken,
  payment: PaymentRow,
): Promise<RefundRow | undefined> {
  return await db
    .selectFrom('refunds')
    .selectAll()
    .where('payment', '=', payment.id)
    .where('taken_as', '!=', 'asked')
    .where('state', '=', 'succeeded')
    .where('amount', '=', amount)
    .orderBy('id', 'desc')
    .executeTakeFirst();
}

async function changeTaken(
  db: Db,
  { id }: PaymentRow,
  { refunded: back = 0n, disputed: taken = 0n }: { refunded?: bigint; disputed?: bigint },
): Promise<void> {
  await db
    .updateTable('payments')
    .set((row) => ({
      refunded: row('refunded', '+', back),
      disputed: row('disputed', '+', taken),
    }))
    .where('id', '=', id)
    .execute();
}
