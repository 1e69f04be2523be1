/**
 * Money that moves through a payment provider. The provider may report an event more than once.
 * Each event is counted once, because it is recorded in the transaction that moves the credit
 * (MONEY 26).
 */
import { createHash } from 'node:crypto';
import type { OrganizationId, TransferId } from '../../shared/ids.ts';
import { type PicoUsd, picoUsd } from '../../shared/money.ts';
import { milliseconds } from '../store/milliseconds.ts';
import { type Db, writeProcedure } from '../store/procedure.ts';
import { type TransferAnswer, transfer } from './credit.ts';
import { bumpEpoch } from './epoch.ts';
import { lockAccount, lockOrganization } from './locks.ts';
import { refundReversalId } from './transfers.ts';

/** An event of the provider. Its id is the same each time the provider reports it. */
export type PaymentEvent = Readonly<{
  provider: string;
  event: string;
  organization: OrganizationId;
  /** Above zero. */
  amount: PicoUsd;
  /** The payment's id: ours, or the provider's. */
  reference: string;
  /** ms since the epoch. */
  created: number;
}>;

/** Credits a top-up. A repeated event answers with the first transfer, and credits nothing. */
export const creditPayment = writeProcedure(
  'creditPayment',
  async (db, event: PaymentEvent): Promise<TransferAnswer> => {
    const { answer } = await countOnce(db, event, { kind: 'payment', change: event.amount });
    return answer;
  },
);

/**
 * Debits a payment that the payer disputed. The balance may go negative, and the organization is
 * suspended (MONEY 4). A repeated event does neither, even if an operator has lifted the
 * suspension.
 */
export const dispute = writeProcedure(
  'dispute',
  { invalidates: ({ organization }: PaymentEvent) => organization },
  async (db, event: PaymentEvent): Promise<TransferAnswer> => {
    const { organization } = event;
    // Organizations are locked before accounts, as everywhere.
    if (!(await lockOrganization(db, organization))) return 'unknown';
    const taken = { kind: 'dispute', change: picoUsd(0n - event.amount) } as const;
    const { answer, isNew } = await countOnce(db, event, taken);
    if (!isNew) return answer;
    await bumpEpoch(db, organization);
    await db
      .updateTable('organizations')
      .set({ status: 'suspended' })
      .where('id', '=', organization)
      .execute();
    return answer;
  },
);

/**
 * Credits the amount of a dispute again after the bank decided in our favour. Only an operator
 * lifts the suspension.
 */
export const reverseDispute = writeProcedure(
  'reverseDispute',
  async (db, event: PaymentEvent): Promise<TransferAnswer> => {
    const given = { kind: 'dispute_reversal', change: event.amount } as const;
    const { answer } = await countOnce(db, event, given);
    return answer;
  },
);

/**
 * Debits a refund before the provider is asked to pay it out, so that the credit cannot be spent in
 * the meantime (MONEY 4). A repeated call with the same id debits nothing more.
 */
export const refund = writeProcedure<
  Readonly<{
    id: TransferId;
    organization: OrganizationId;
    /** Above zero. */
    amount: PicoUsd;
    reference: string;
    reason: string;
    created: number;
  }>,
  TransferAnswer
>('refund', (db, { amount, ...asked }) =>
  transfer(db, { ...asked, kind: 'refund', change: 0n - amount }),
);

/**
 * Credits the amount of a refund that the provider refused. A repeated call credits nothing more.
 * `unknown`: there is no such refund.
 */
export const reverseRefund = writeProcedure(
  'reverseRefund',
  async (
    db,
    {
      refund: id,
      organization,
      reason,
      created,
    }: Readonly<{
      refund: TransferId;
      organization: OrganizationId;
      reason: string;
      created: number;
    }>,
  ): Promise<TransferAnswer> => {
    const taken = await db
      .selectFrom('transfers')
      .select('amount')
      .where('id', '=', id)
      .where('organization', '=', organization)
      .where('kind', '=', 'refund')
      .executeTakeFirst();
    if (!taken) return 'unknown';
    return await transfer(db, {
      id: refundReversalId(id),
      organization,
      kind: 'refund_reversal',
      change: taken.amount,
      reference: id,
      reason,
      created,
    });
  },
);

type Counted = Readonly<{ answer: TransferAnswer; isNew: boolean }>;

/** Moves the credit of a new event and records the event. A refused event is not recorded. */
async function countOnce(
  db: Db,
  { provider, event, organization, reference, created }: PaymentEvent,
  moved: Readonly<{ kind: 'payment' | 'dispute' | 'dispute_reversal'; change: PicoUsd }>,
): Promise<Counted> {
  const id = eventTransferId(provider, event);
  const account = await lockAccount(db, organization);
  if (!account) return { answer: 'unknown', isNew: false };
  const before = await db
    .selectFrom('payment_events')
    .select('transfer')
    .where('provider', '=', provider)
    .where('event', '=', event)
    .executeTakeFirst();
  if (before) {
    return { answer: { transfer: id, balance: picoUsd(account.balance) }, isNew: false };
  }
  const wanted = { id, organization, reference, reason: null, created };
  const answer = await transfer(db, { ...wanted, ...moved });
  if (typeof answer === 'string') return { answer, isNew: false };
  await db
    .insertInto('payment_events')
    .values({ provider, event, transfer: id, created: milliseconds(created) })
    .execute();
  return { answer, isNew: true };
}

const ID_CHARS = 26;

/** The id of the transfer that an event makes; the same in every store. */
export function eventTransferId(provider: string, event: string): TransferId {
  const digest = createHash('sha256')
    .update(JSON.stringify([provider, event]))
    .digest('hex');
  return `trf_${digest.slice(0, ID_CHARS)}` as TransferId;
}
