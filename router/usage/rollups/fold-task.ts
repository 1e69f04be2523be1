/**
 * Finds the organizations to fold. Every query adds up the rows that are not folded yet, so folding
 * is worth a write only when many rows wait. Fewer rows are folded from time to time, because rows
 * that are not folded cannot be deleted. Accounts have no index on columns that change (MONEY 24),
 * so each run scans some of them.
 */
import type { Clock } from '../../../shared/clock.ts';
import type { OrganizationId } from '../../../shared/ids.ts';
import { type Db, readProcedure } from '../../store/procedure.ts';
import type { Store } from '../../store/store.ts';
import { foldSlice } from './fold.ts';

export const FOLD_EVERY_MS = 2_000;
const ACCOUNTS_PER_ROUND = 2_000;
/** With at least this many waiting rows, an organization is folded at once. */
const WAITING_MIN = 1_000;
/** One of so many passes over the accounts folds every waiting row. */
const PASSES_PER_SWEEP = 150;
/** The rest waits for the next run, so that other writers get a turn. */
const SLICES_PER_ROUND = 20;

type WaitingQuery = Readonly<{ after: OrganizationId | ''; accounts: number; waiting: bigint }>;
type Waiting = Readonly<{
  organizations: readonly OrganizationId[];
  /** Null: there are no more accounts. */
  next: OrganizationId | null;
}>;

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

/** A router's position in its passes over the accounts. */
export class FoldTask {
  readonly #store: Pick<Store, 'call'>;
  readonly #clock: Clock;
  #after: OrganizationId | '' = '';
  #pass = 0;

  constructor({ store, clock }: Readonly<{ store: Pick<Store, 'call'>; clock: Clock }>) {
    this.#store = store;
    this.#clock = clock;
  }

  async make(): Promise<void> {
    const isSweep = this.#pass % PASSES_PER_SWEEP === 0;
    const { organizations, next } = await this.#store.call(findUnfolded, {
      after: this.#after,
      accounts: ACCOUNTS_PER_ROUND,
      waiting: isSweep ? 1n : BigInt(WAITING_MIN),
    });
    let slices = SLICES_PER_ROUND;
    for (const organization of organizations) {
      // Some organizations are left: the next run begins at the same accounts.
      if (slices <= 0) return;
      slices -= await this.#fold(organization, slices);
    }
    this.#after = next ?? '';
    if (next === null) this.#pass++;
  }

  async #fold(organization: OrganizationId, slicesMax: number): Promise<number> {
    for (let slices = 1; slices <= slicesMax; slices++) {
      const now = this.#clock.now();
      // Nothing is left, or another router is folding this organization.
      if ((await foldSlice(this.#store, { organization, now })) !== 'folded') return slices;
    }
    return slicesMax;
  }
}
