/**
 * Passes over all accounts, in which what waits at each of them is folded. Every query adds up what is
 * not folded yet, so folding is worth a write only when much waits. The rest is folded from time to
 * time, because rows that are not folded cannot be deleted. Accounts have no index on columns that
 * change (MONEY 24), so each run scans some of them.
 */
import type { OrganizationId } from '../../shared/ids.ts';
import type { Log } from '../../shared/log.ts';
import { StoreUnavailable } from '../store/errors.ts';
import type { Procedure } from '../store/procedure.ts';
import type { Store } from '../store/store.ts';

export const FOLD_EVERY_MS = 2_000;
const ACCOUNTS_PER_ROUND = 2_000;
/** With at least this many waiting rows, an organization is folded at once. */
const WAITING_MIN = 1_000;
/** One of so many passes over the accounts folds every waiting row. */
const PASSES_PER_SWEEP = 150;
/** The rest waits for the next run, so that other writers get a turn. */
const SLICES_PER_ROUND = 20;

/** Asks for those of the `accounts` after `after` at which at least `waiting` rows wait. */
export type WaitingQuery = Readonly<{
  after: OrganizationId | '';
  accounts: number;
  waiting: bigint;
}>;

/** `next`: null when there are no more accounts. */
export type Waiting = Readonly<{
  organizations: readonly OrganizationId[];
  next: OrganizationId | null;
}>;

export type FoldParts = Readonly<{
  store: Pick<Store, 'call'>;
  log: Log;
  find: Procedure<WaitingQuery, Waiting>;
  /** Folds a slice. Any result but `folded` means that no more is to be folded now. */
  fold: (organization: OrganizationId) => Promise<'folded' | 'nothing' | 'overtaken'>;
}>;

/** A router's position in its passes over the accounts. */
export class FoldPasses {
  readonly #parts: FoldParts;
  #after: OrganizationId | '' = '';
  #pass = 0;

  constructor(parts: FoldParts) {
    this.#parts = parts;
  }

  /** Folds at most SLICES_PER_ROUND slices. */
  async run(): Promise<void> {
    const isSweep = this.#pass % PASSES_PER_SWEEP === 0;
    const { organizations, next } = await this.#parts.store.call(this.#parts.find, {
      after: this.#after,
      accounts: ACCOUNTS_PER_ROUND,
      waiting: isSweep ? 1n : BigInt(WAITING_MIN),
    });
    let slices = SLICES_PER_ROUND;
    for (const organization of organizations) {
      // Some organizations are left: the next run begins at the same accounts.
      if (slices <= 0) return;
      // Until nothing is left, or another router is folding this organization.
      for (let more = true; more && slices > 0; slices--) {
        more = await this.#foldSlice(organization);
      }
    }
    this.#after = next ?? '';
    if (next === null) this.#pass++;
  }

  /** Rows of one organization that cannot be folded do not keep the others waiting. */
  async #foldSlice(organization: OrganizationId): Promise<boolean> {
    try {
      return (await this.#parts.fold(organization)) === 'folded';
    } catch (error) {
      if (error instanceof StoreUnavailable) throw error;
      this.#parts.log.error({ organization, err: error }, 'failed to fold an organization');
      return false;
    }
  }
}
