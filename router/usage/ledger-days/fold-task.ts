/** Folds the transfers of all organizations, a little with each run. */
import type { OrganizationId } from '../../../shared/ids.ts';
import { readProcedure } from '../../store/procedure.ts';
import { FoldPasses, type FoldParts, type Waiting, type WaitingQuery } from '../fold-passes.ts';
import { foldLedgerSlice } from './fold.ts';

/** Lists those of the next `accounts` with at least `waiting` transfers to fold. */
export const findUnfoldedLedgers = readProcedure<WaitingQuery, Waiting>(
  'findUnfoldedLedgers',
  async (db, { after, accounts, waiting }) => {
    const rows = await db
      .selectFrom('accounts as a')
      .leftJoin('ledger_folds as f', 'f.organization', 'a.id')
      .select(['a.id', 'a.transfer_seq', 'f.folded_seq'])
      .where('a.id', '>', after as OrganizationId)
      .orderBy('a.id')
      .limit(accounts)
      .execute();
    const due = rows.filter(({ transfer_seq, folded_seq }) => {
      return transfer_seq - (folded_seq ?? 0n) >= waiting;
    });
    const last = rows.at(-1)?.id ?? null;
    return { organizations: due.map(({ id }) => id), next: rows.length < accounts ? null : last };
  },
);

export function ledgerFolds({ store, log }: Pick<FoldParts, 'store' | 'log'>): FoldPasses {
  const fold = (organization: OrganizationId) => foldLedgerSlice(store, { organization });
  return new FoldPasses({ store, log, find: findUnfoldedLedgers, fold });
}
