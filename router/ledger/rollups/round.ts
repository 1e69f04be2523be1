/**
 * Which organizations are to be folded. Every query adds up what is not folded yet, so it is done once that is
 * worth a write: at once where many rows wait, and from time to time for the rest, which else could never be
 * deleted. Accounts have no index on what changes (MONEY 24): they are gone through, so many a round.
 */
import type { Clock } from '../../../shared/clock.ts';
import type { OrganizationId } from '../../../shared/ids.ts';
import type { Db, Procedure } from '../../store/procedure.ts';
import type { Store } from '../../store/store.ts';
import { foldSlice } from './fold.ts';

export const FOLD_EVERY_MS = 2_000;
const ACCOUNTS_PER_ROUND = 2_000;
/** So many rows are worth a fold at once. */
const WAITING_MIN = 1_000;
/** Each so many times that all accounts were gone through, every row is folded. */
const PASSES_PER_SWEEP = 150;
/** The rest is for the next round: whoever else writes has a turn. */
const SLICES_PER_ROUND = 20;

type WaitingAsk = Readonly<{ after: OrganizationId | ''; accounts: number; waiting: bigint }>;
type Waiting = Readonly<{
  organizations: readonly OrganizationId[];
  /** Null: these were the last accounts. */
  next: OrganizationId | null;
}>;

/** Those of so many accounts for which at least so much waits. */
export const findUnfolded: Procedure<WaitingAsk, Waiting> = {
  name: 'findUnfolded',
  access: 'read',
  async run(db, { after, accounts, waiting }) {
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
};

/** Charges that were given back wait, too, also where no row does. */
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

/** Of a router: where it is in going through the accounts. */
export class FoldRound {
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
      // Some are left: the next round begins with the same accounts.
      if (slices <= 0) return;
      slices -= await this.#fold(organization, slices);
    }
    this.#after = next ?? '';
    if (next === null) this.#pass++;
  }

  async #fold(organization: OrganizationId, slicesMax: number): Promise<number> {
    for (let slices = 1; slices <= slicesMax; slices++) {
      const now = this.#clock.now();
      // Overtaken: another router is at it.
      if ((await foldSlice(this.#store, { organization, now })) !== 'folded') return slices;
    }
    return slicesMax;
  }
}
