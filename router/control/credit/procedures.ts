/** Credit adjustments by operators, and the list of transfers, built on the ledger's procedures. */
import { type Balance, type NewTransfer, readBalance, transfer } from '../../ledger/credit.ts';
import { type Db, readProcedure, writeProcedure } from '../../store/procedure.ts';
import { listTransfers, type Transfer, type TransferFilter } from '../../usage/listings.ts';
import { audited } from '../audit/record.ts';
import { idempotent } from '../idempotency/idempotent.ts';
import { organizationExists } from '../organizations/procedures.ts';
import type { Page } from '../pages.ts';

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

type TransferPage = Page<Transfer, bigint> | null;

/** Lists transfers. Returns null when there is no such organization. */
export const listTransfersOf = readProcedure<TransferFilter, TransferPage>(
  'listTransfersOf',
  transfersOf,
);

/** The same for the transfers of a day, which adds up those that are not folded yet. */
export const listTransfersOfDay = readProcedure<TransferFilter, TransferPage>(
  'listTransfersOfDay',
  { heavy: true },
  transfersOf,
);

async function transfersOf(db: Db, query: TransferFilter): Promise<TransferPage> {
  if (!(await organizationExists(db, query.organization))) return null;
  return await listTransfers.run(db, query);
}
