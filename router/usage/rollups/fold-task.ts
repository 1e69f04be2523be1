/**
 * Finds the organizations to fold: their usage rows into the rollups, and their transfers into the
 * ledger by day. Every query adds up the rows that are not folded yet, so folding
 * is worth a write only when many rows wait. Fewer rows are folded from time to time, because rows
 * that are not folded cannot be deleted. Accounts have no index on columns that change (MONEY 24),
 * so each run scans some of them.
 */
import type { Clock } from '../../../shared/clock.ts';
import type { OrganizationId } from '../../../shared/ids.ts';
import { type Db, readProcedure } from '../../store/procedure.ts';
import type { Store } from '../../store/store.ts';
import { foldLedgerSlice } from '../ledger-days/fold.ts';
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
  /** Those whose usage is to be folded. */
  organizations: readonly OrganizationId[];
  /** Those whose transfers are to be folded. */
  ledgers: readonly OrganizationId[];
  /** Null: there are no more accounts. */
  next: OrganizationId | null;
}>;

/**
 * Lists those of the next `accounts` with at least `waiting` usage rows and reversals to fold, and
 * those with as many transfers to fold.
 */
export const findUnfolded = readProcedure<WaitingQuery, Waiting>(
  'findUnfolded',
  async (db, { after, accounts, waiting }) => {
    const rows = await db
      .selectFrom('accounts as a')
      .leftJoin('usage_folds as f', 'f.organization', 'a.id')
      .leftJoin('ledger_folds as l', 'l.organization', 'a.id')
      .select(['a.id', 'a.usage_seq', 'f.folded_seq'])
      .select(['a.transfer_seq', 'l.folded_seq as ledger_folded'])
      .where('a.id', '>', after as OrganizationId)
      .orderBy('a.id')
      .limit(accounts)
      .execute();
    const last = rows.at(-1)?.id ?? null;
    if (last === null) return { organizations: [], ledgers: [], next: null };
    const reversals = await countReversals(db, after, last);
    const due = rows.filter(({ id, usage_seq, folded_seq }) => {
      return usage_seq - (folded_seq ?? 0n) + (reversals.get(id) ?? 0n) >= waiting;
    });
    const ledgers = rows.filter(({ transfer_seq, ledger_folded }) => {
      return transfer_seq - (ledger_folded ?? 0n) >= waiting;
    });
    return {
      organizations: due.map(({ id }) => id),
      ledgers: ledgers.map(({ id }) => id),
      next: rows.length < accounts ? null : last,
    };
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
    const { organizations, ledgers, next } = await this.#store.call(findUnfolded, {
      after: this.#after,
      accounts: ACCOUNTS_PER_ROUND,
      waiting: isSweep ? 1n : BigInt(WAITING_MIN),
    });
    const usage = await this.#foldAll(organizations, (organization) => {
      return foldSlice(this.#store, { organization, now: this.#clock.now() });
    });
    const transfers = await this.#foldAll(ledgers, (organization) => {
      return foldLedgerSlice(this.#store, { organization });
    });
    // Some organizations are left: the next run begins at the same accounts.
    if (!usage || !transfers) return;
    this.#after = next ?? '';
    if (next === null) this.#pass++;
  }

  /** Folds at most SLICES_PER_ROUND slices. Returns whether no organization is left. */
  async #foldAll(organizations: readonly OrganizationId[], fold: Fold): Promise<boolean> {
    let slices = SLICES_PER_ROUND;
    for (const organization of organizations) {
      if (slices <= 0) return false;
      // Until nothing is left, or another router is folding this organization.
      for (let more = true; more && slices > 0; slices--) {
        more = (await fold(organization)) === 'folded';
      }
    }
    return true;
  }
}

type Fold = (organization: OrganizationId) => ReturnType<typeof foldSlice>;
