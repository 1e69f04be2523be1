/** Credit outside the request path: transfers to and from a customer's account, and its balance. */
import type { Clock } from '../../shared/clock.ts';
import { mintId, type OrganizationId, type TransferId } from '../../shared/ids.ts';
import { type PicoUsd, picoUsd } from '../../shared/money.ts';
import type { Random } from '../../shared/random.ts';
import { milliseconds } from '../store/milliseconds.ts';
import { type Db, readProcedure, writeProcedure } from '../store/procedure.ts';
import type { AccountRow } from '../store/schema/ledger.ts';
import type { Store } from '../store/store.ts';
import { lockAccount } from './locks.ts';
import { BALANCE_MAX, type Kind, sides } from './transfers.ts';

export type NewTransfer = Readonly<{
  id: TransferId;
  organization: OrganizationId;
  kind: Kind;
  /** What the customer gains, or loses if negative, in pico-USD; never zero. */
  change: bigint;
  reference: string;
  reason: string | null;
  /** ms since the epoch. */
  created: number;
}>;

/**
 * `insufficient`: the account would fall below its floor. `over_limit`: it would rise above USD 4
 * million or, by a dispute or a reversal, be more than USD 8 million away from zero. `unknown`:
 * there is no such organization.
 */
export type TransferAnswer =
  | Readonly<{ transfer: TransferId; balance: PicoUsd }>
  | 'insufficient'
  | 'over_limit'
  | 'unknown';

/**
 * Moves credit, within a procedure's transaction. It locks the account before it reads anything, so
 * that two transfers cannot both pass on one balance, and concurrent calls for the same transfer
 * make it once. Throws when transfers of this kind do not move in the direction of `change`.
 */
export async function transfer(db: Db, wanted: NewTransfer): Promise<TransferAnswer> {
  const { id, organization, kind, change, reference, reason } = wanted;
  const { debit, credit, amount } = sides(kind, organization, change);
  const account = await lockAccount(db, organization);
  if (!account) return 'unknown';
  if (await transferExists(db, id)) return { transfer: id, balance: picoUsd(account.balance) };
  const refused = findRefusal(account, kind, change);
  if (refused) return refused;
  const { balance, transfer_seq } = await db
    .updateTable('accounts')
    .set((row) => ({
      balance: row('balance', '+', change),
      transfer_seq: row('transfer_seq', '+', 1n),
    }))
    .where('id', '=', organization)
    .returning(['balance', 'transfer_seq'])
    .executeTakeFirstOrThrow();
  if (change > 0n) await forgetExhausted(db, organization);
  await db
    .insertInto('transfers')
    .values({
      id,
      organization,
      seq: transfer_seq,
      debit,
      credit,
      amount,
      kind,
      reference,
      reason,
      created: milliseconds(wanted.created),
    })
    .execute();
  return { transfer: id, balance: picoUsd(balance) };
}

/**
 * For procedures that have locked the account: the organization has more to spend, so that it is
 * told again when that is exhausted.
 */
export async function forgetExhausted(db: Db, organization: OrganizationId): Promise<void> {
  await db.deleteFrom('exhausted_credit').where('organization', '=', organization).execute();
}

async function transferExists(db: Db, id: TransferId): Promise<boolean> {
  const query = db.selectFrom('transfers').select('id').where('id', '=', id);
  return (await query.executeTakeFirst()) !== undefined;
}

/**
 * Applies the guard (MONEY 4) and the 64-bit bound (MONEY 2). A dispute has already happened at the
 * bank, and the reversal of a dispute or a refund restores its amount whatever happened in between.
 * These three kinds are refused only beyond twice the bound.
 */
function findRefusal(
  { balance, held, floor }: AccountRow,
  kind: Kind,
  change: bigint,
): 'insufficient' | 'over_limit' | null {
  if (kind === 'dispute' || kind === 'dispute_reversal' || kind === 'refund_reversal') {
    const after = balance + change;
    return after < -2n * BALANCE_MAX || after > 2n * BALANCE_MAX ? 'over_limit' : null;
  }
  if (change > 0n) return balance + change > BALANCE_MAX ? 'over_limit' : null;
  return balance - held + change < floor ? 'insufficient' : null;
}

export const insertTransfer = writeProcedure<NewTransfer, TransferAnswer>(
  'insertTransfer',
  {
    // Routers that have just refused the organization for lack of credit serve it again at once.
    invalidates: ({ organization }) => organization,
  },
  transfer,
);

/** An operator's correction, upwards or down to the floor. The same `id` is booked only once. */
export function adjustCredit(
  parts: Readonly<{ store: Pick<Store, 'call'>; clock: Clock; random: Random }>,
  adjustment: Readonly<{
    organization: OrganizationId;
    /** Signed, never zero. */
    amount: PicoUsd;
    reason: string;
    reference: string;
    id?: TransferId;
  }>,
): Promise<TransferAnswer> {
  const { organization, amount, reason, reference, id } = adjustment;
  return parts.store.call(insertTransfer, {
    id: id ?? mintId('transfer', parts.clock, parts.random),
    organization,
    kind: 'adjustment',
    change: amount,
    reference,
    reason,
    created: parts.clock.now(),
  });
}

export type Balance = Readonly<{
  balance: PicoUsd;
  /** Held by requests that are running. */
  held: PicoUsd;
  /** Kept free for the growth of these holds (MONEY 8). */
  reserve: PicoUsd;
  floor: PicoUsd;
}>;

export const readBalance = readProcedure(
  'readBalance',
  async (db, organization: OrganizationId): Promise<Balance | null> => {
    const row = await db
      .selectFrom('accounts')
      .select(['balance', 'held', 'reserve', 'floor'])
      .where('id', '=', organization)
      .executeTakeFirst();
    if (!row) return null;
    return {
      balance: picoUsd(row.balance),
      held: picoUsd(row.held),
      reserve: picoUsd(row.reserve),
      floor: picoUsd(row.floor),
    };
  },
);
