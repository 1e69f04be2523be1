/**
 * Folds transfers into the ledger by day, in the order of their numbers. A fold is prepared by a
 * read and then written as a whole, only if the mark of how far transfers are folded is still the
 * one it was prepared from (decision 0031).
 */
import type { OrganizationId } from '../../../shared/ids.ts';
import { readProcedure, writeProcedure } from '../../store/procedure.ts';
import type { Store } from '../../store/store.ts';
import { type DaySum, readFolded, sumTransfers } from './sums.ts';

/**
 * How many transfers one slice folds: some milliseconds of reading, and at most as many rows. SQLite
 * takes 32,766 values in a statement, and a row has eight.
 */
const SLICE_TRANSFERS = 4_000;

type SliceQuery = Readonly<{ organization: OrganizationId; transfers: number }>;

type Slice = Readonly<{
  organization: OrganizationId;
  from: bigint;
  to: bigint;
  sums: readonly DaySum[];
}>;

/** Prepares the fold of at most `transfers` transfers. Null: there is nothing to fold. */
export const prepareLedgerFold = readProcedure<SliceQuery, Slice | null>(
  'prepareLedgerFold',
  { heavy: true },
  async (db, { organization, transfers }) => {
    const from = await readFolded(db, organization);
    const sums = await sumTransfers(db, organization, {
      after: from,
      upTo: from + BigInt(transfers),
    });
    const counted = sums.reduce((all, sum) => all + sum.transfers, 0n);
    if (counted === 0n) return null;
    const to = sums.reduce((last, sum) => (sum.last_seq > last ? sum.last_seq : last), from);
    if (to !== from + counted) {
      throw new Error(`transfers ${from + 1n} to ${to} of ${organization} are not all there`);
    }
    return { organization, from, to, sums };
  },
);

/** Writes a fold. False: another fold was written in the meantime, and this one was not. */
export const writeLedgerFold = writeProcedure<Slice, boolean>(
  'writeLedgerFold',
  { heavy: true },
  async (db, { organization, from, to, sums }) => {
    await db
      .insertInto('ledger_folds')
      .values({ organization, folded_seq: 0n })
      .onConflict((conflict) => conflict.column('organization').doNothing())
      .execute();
    const { numUpdatedRows } = await db
      .updateTable('ledger_folds')
      .set({ folded_seq: to })
      .where('organization', '=', organization)
      .where('folded_seq', '=', from)
      .executeTakeFirst();
    if (numUpdatedRows !== 1n) return false;
    await db
      .insertInto('ledger_days')
      .values(sums.map((sum) => ({ organization, ...sum })))
      .onConflict((conflict) =>
        conflict.columns(['organization', 'day', 'kind']).doUpdateSet((row) => ({
          transfers: row('ledger_days.transfers', '+', row.ref('excluded.transfers')),
          change_high: row('ledger_days.change_high', '+', row.ref('excluded.change_high')),
          change_low: row('ledger_days.change_low', '+', row.ref('excluded.change_low')),
          // Folds are in order, so the numbers of this one are higher than those before.
          last_seq: row.ref('excluded.last_seq'),
        })),
      )
      .execute();
    return true;
  },
);

/** Folds a slice. `nothing`: no transfers wait. `overtaken`: another fold was written first. */
export async function foldLedgerSlice(
  store: Pick<Store, 'call'>,
  {
    organization,
    transfers = SLICE_TRANSFERS,
  }: Readonly<{ organization: OrganizationId; transfers?: number }>,
): Promise<'folded' | 'nothing' | 'overtaken'> {
  const slice = await store.call(prepareLedgerFold, { organization, transfers });
  if (!slice) return 'nothing';
  return (await store.call(writeLedgerFold, slice)) ? 'folded' : 'overtaken';
}
