/**
 * Money that comes and goes through a payment provider. What the provider tells us it may tell us again: each
 * event counts once, and its mark is made in the transaction that moves the credit (MONEY 26).
 */
import { createHash } from 'node:crypto';
import type { OrganizationId, TransferId } from '../../shared/ids.ts';
import { type PicoUsd, picoUsd } from '../../shared/money.ts';
import type { Db, Procedure } from '../store/procedure.ts';
import { type TransferAnswer, transfer } from './credit.ts';
import { lockAccount, lockOrganization } from './locks.ts';
import { bumpEpoch } from './organizations.ts';
import { refundReversalId } from './transfers.ts';

/** What the provider tells us, by an id that is the same each time. */
export type PaymentEvent = Readonly<{
  provider: string;
  event: string;
  organization: OrganizationId;
  /** Above zero. */
  amount: PicoUsd;
  /** The payment: ours, or as the provider calls it. */
  reference: string;
  /** ms since the epoch. */
  created: number;
}>;

/** A top-up. The same event again answers the first transfer, and credits nothing. */
export const creditPayment: Procedure<PaymentEvent, TransferAnswer> = {
  name: 'creditPayment',
  access: 'write',
  async run(db, told) {
    const { answer } = await countOnce(db, told, { kind: 'payment', change: told.amount });
    return answer;
  },
};

/**
 * A payment was taken back by the payer's bank: the balance may go negative, and the organization is suspended
 * with it (MONEY 4). The same event again does neither, also when an operator has lifted the suspension.
 */
export const dispute: Procedure<PaymentEvent, TransferAnswer> = {
  name: 'dispute',
  access: 'write',
  announces: ({ organization }) => organization,
  async run(db, told) {
    const { organization } = told;
    // Before the account, as everywhere.
    if (!(await lockOrganization(db, organization))) return 'unknown';
    const taken = { kind: 'dispute', change: picoUsd(0n - told.amount) } as const;
    const { answer, isNew } = await countOnce(db, told, taken);
    if (!isNew) return answer;
    await bumpEpoch(db, organization);
    await db
      .updateTable('organizations')
      .set({ status: 'suspended' })
      .where('id', '=', organization)
      .execute();
    return answer;
  },
};

/** The payer's bank has decided for us: what the dispute took comes back. What it suspended, an operator resumes. */
export const reverseDispute: Procedure<PaymentEvent, TransferAnswer> = {
  name: 'reverseDispute',
  access: 'write',
  async run(db, told) {
    const given = { kind: 'dispute_reversal', change: told.amount } as const;
    const { answer } = await countOnce(db, told, given);
    return answer;
  },
};

/**
 * Takes what is to be refunded off the balance before the provider is asked to pay it out, so that it cannot be
 * spent meanwhile (MONEY 4). Asked again under the same id, it is taken once.
 */
export const refund: Procedure<
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
> = {
  name: 'refund',
  access: 'write',
  run: (db, { amount, ...asked }) =>
    transfer(db, { ...asked, kind: 'refund', change: 0n - amount }),
};

/** The provider refused the refund: brings it back, once. `unknown`: the organization has no such refund. */
export const reverseRefund: Procedure<
  Readonly<{
    refund: TransferId;
    organization: OrganizationId;
    reason: string;
    created: number;
  }>,
  TransferAnswer
> = {
  name: 'reverseRefund',
  access: 'write',
  async run(db, { refund: id, organization, reason, created }) {
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
};

type Counted = Readonly<{ answer: TransferAnswer; isNew: boolean }>;

/** Moves the credit of an event that is new, and marks it. What is refused leaves no mark: it may be told again. */
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
    .values({ provider, event, transfer: id, created: BigInt(Math.round(created)) })
    .execute();
  return { answer, isNew: true };
}

const ID_CHARS = 26;

/** The transfer that an event makes, in every store. */
export function eventTransferId(provider: string, event: string): TransferId {
  const digest = createHash('sha256')
    .update(JSON.stringify([provider, event]))
    .digest('hex');
  return `trf_${digest.slice(0, ID_CHARS)}` as TransferId;
}
