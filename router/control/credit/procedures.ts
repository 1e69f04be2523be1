/** Credit adjustments by operators, and the list of transfers, built on the ledger's procedures. */
import { type Balance, type NewTransfer, readBalance, transfer } from '../../ledger/credit.ts';
import { readProcedure, writeProcedure } from '../../store/procedure.ts';
import { type Balances, readBalances } from '../../usage/ledger-days/balances.ts';
import { listTransfers, type Transfer, type TransferFilter } from '../../usage/transfers.ts';
import { audited } from '../audit/record.ts';
import { idempotent } from '../idempotency/idempotent.ts';
import { organizationExists } from '../organizations/procedures.ts';
import type { Page } from '../pages.ts';
import { type Origin, readOrigins } from './origins.ts';

export type Adjusted = Readonly<{ transfer: Transfer; credit: Balance }>;

/** Makes a transfer, and reads the transfer and the new balance in the same transaction. */
export const adjustAndRead = writeProcedure<
  NewTransfer,
  Adjusted | 'insufficient' | 'over_limit' | 'unknown'
>('adjustAndRead', { invalidates: ({ organization }) => organization }, async (db, wanted) => {
  const answer = await transfer(db, wanted);
  if (typeof answer === 'string') return answer;
  const { organization } = wanted;
  const credit = await readBalance.run(db, organization);
  const newest = await listTransfers.run(db, { organization, before: null, limit: 1 });
  const made = newest.rows[0];
  if (!credit || !made) throw new Error('a transfer was made and is not there');
  return { transfer: made, credit };
});

export const adjustOnce = idempotent(audited(adjustAndRead));

/** A transfer with its origin and the balances after it. */
export type ListedTransfer = Transfer & Origin & Readonly<{ balances: Balances }>;

export type TransferPage = Page<ListedTransfer, bigint>;

/**
 * Lists transfers. Returns null when there is no such organization. It runs on the thread for heavy
 * procedures, because it adds up transfers that are in no stored sum.
 */
export const listTransfersOf = readProcedure<TransferFilter, TransferPage | null>(
  'listTransfersOf',
  { heavy: true },
  async (db, query) => {
    const { organization } = query;
    if (!(await organizationExists(db, organization))) return null;
    const { rows, next } = await listTransfers.run(db, query);
    const origins = await readOrigins(db, organization, rows);
    const balances = await readBalances(db, organization, rows);
    return {
      rows: rows.map((row, index) => ({
        ...row,
        ...(origins[index] as Origin),
        balances: balances[index] as Balances,
      })),
      next,
    };
  },
);
