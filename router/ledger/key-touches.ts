/** Gathers when each key was last used, and writes it to the store every five seconds. */
import type { Clock, Timer } from '../../shared/clock.ts';
import type { KeyId } from '../../shared/ids.ts';
import type { Log } from '../../shared/log.ts';
import { milliseconds } from '../store/milliseconds.ts';
import { writeProcedure } from '../store/procedure.ts';
import type { Store } from '../store/store.ts';

const FLUSH_MS = 5_000;
const KEYS_MAX = 100_000;
/** The ledger waits while a procedure writes, so keys are written in several short procedures. */
const KEYS_PER_WRITE = 200;

type Parts = Readonly<{ store: Pick<Store, 'call'>; clock: Clock; log: Log }>;

export class KeyTouches implements AsyncDisposable {
  readonly #parts: Parts;
  readonly #timer: Timer;
  #touched = new Map<KeyId, number>();

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#timer = parts.clock.every(FLUSH_MS, () => void this.#flush());
  }

  touch(key: KeyId): void {
    if (this.#touched.size < KEYS_MAX) this.#touched.set(key, this.#parts.clock.now());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#timer.cancel();
    await this.#flush();
  }

  async #flush(): Promise<void> {
    if (this.#touched.size === 0) return;
    const touched = [...this.#touched].map(([key, at]) => ({ key, at: milliseconds(at) }));
    this.#touched = new Map();
    try {
      for (let from = 0; from < touched.length; from += KEYS_PER_WRITE) {
        await this.#parts.store.call(touchKeys, touched.slice(from, from + KEYS_PER_WRITE));
      }
    } catch (error) {
      // The times are dropped: key lists then show a slightly older last use, which does no harm.
      this.#parts.log.warn({ err: error }, 'failed to write the last use of keys');
    }
  }
}

export const touchKeys = writeProcedure(
  'touchKeys',
  async (db, touched: readonly Readonly<{ key: KeyId; at: bigint }>[]): Promise<null> => {
    for (const { key, at } of touched.toSorted((a, b) => (a.key < b.key ? -1 : 1))) {
      await db.updateTable('keys').set({ last_used: at }).where('id', '=', key).execute();
    }
    return null;
  },
);
