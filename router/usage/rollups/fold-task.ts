/** Folds the usage of all organizations, a little with each run. */
import type { Clock } from '../../../shared/clock.ts';
import type { OrganizationId } from '../../../shared/ids.ts';
import { type Db, readProcedure } from '../../store/procedure.ts';
import { FoldPasses, type FoldParts, type Waiting, type WaitingQuery } from '../fold-passes.ts';
import { foldSlice } from './fold.ts';

/** Lists those of the next `accounts` with at least `waiting` rows and reversals to fold. */
export const findUnfolded = readProcedure<WaitingQuery, Waiting>(
  'findUnfolded',
  async (db, { after, accounts, waiting }) => {
    const rows = await db
      .selectFrom('accounts as a')
      .leftJoin('usage_folds as f', 'f.organization', 'a.id')
      .select(['a.id', 'a.usage_seq', 'f.folded_seq'])
      .where('a.id', '>', after as OrganizationId)
      .orderBy('a.id')
      .limit(accounts)
      .execute();
    const last = rows.at(-1)?.id ?? null;
    if (last === null) return { organizations: [], next: null };
    const reversals = await countReversals(db, after, last);
    const due = rows.filter(({ id, usage_seq, folded_seq }) => {
      return usage_seq - (folded_seq ?? 0n) + (reversals.get(id) ?? 0n) >= waiting;
    });
    return { organizations: due.map(({ id }) => id), next: rows.length < accounts ? null : last };
  },
);

/** Reversed charges wait to be folded too, even where no row does. */
async function countReversals(
  db: Db,
  after: OrganizationId | '',
  last: OrganizationId,
): Promise<ReadonlyMap<OrganizationId, bigint>> {
  const rows = await db
    .selectFrom('usage_reversals')
    .select((row) => ['organization', row.fn.countAll<bigint>().as('n')] as const)
    .where('organization', '>', after as OrganizationId)
    .where('organization', '<=', last)
    .groupBy('organization')
    .execute();
  return new Map(rows.map(({ organization, n }) => [organization, n]));
}

export function usageFolds({
  store,
  log,
  clock,
}: Pick<FoldParts, 'store' | 'log'> & Readonly<{ clock: Clock }>): FoldPasses {
  const fold = (organization: OrganizationId) =>
    foldSlice(store, { organization, now: clock.now() });
  return new FoldPasses({ store, log, find: findUnfolded, fold });
}
