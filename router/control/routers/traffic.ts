/**
 * Writes what this router has served in the last minute to its row in the store, for the operators'
 * list of routers. A router that is killed leaves figures behind, which soon are too old to be shown.
 */
import type { Clock, Timer } from '../../../shared/clock.ts';
import type { IncarnationId } from '../../../shared/ids.ts';
import type { Log } from '../../../shared/log.ts';
import { StoreUnavailable } from '../../store/errors.ts';
import type { Store } from '../../store/store.ts';
import { recordTraffic } from './procedures.ts';

const WRITE_MS = 10_000;
/** The totals of this many writes before span a minute. */
const WRITES_PER_MINUTE = 6;

type Totals = Readonly<{ requests: number; errors: number }>;

export type RouterTrafficParts = Readonly<{
  /** They only grow. */
  totals: Totals;
  /** The present id of this router, which changes when its peers have declared it dead. */
  router: () => IncarnationId;
  store: Pick<Store, 'call'>;
  /** The store's time. While it has a fault, nothing is written. */
  clock: Clock & Readonly<{ fault?: string | null }>;
  log: Log;
}>;

export class RouterTraffic implements AsyncDisposable {
  readonly #parts: RouterTrafficParts;
  readonly #timer: Timer;
  /** The totals of the last minute, the oldest first. */
  readonly #before: Totals[] = [{ requests: 0, errors: 0 }];
  #writing: Promise<void> | null = null;

  constructor(parts: RouterTrafficParts) {
    this.#parts = parts;
    this.#timer = parts.clock.every(WRITE_MS, () => this.#tick());
  }

  /** Resolves when the write that is under way has ended. */
  async written(): Promise<void> {
    await this.#writing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#timer.cancel();
    await this.#writing;
  }

  #tick(): void {
    const { requests, errors } = this.#parts.totals;
    const [oldest = { requests, errors }] = this.#before;
    this.#before.push({ requests, errors });
    if (this.#before.length > WRITES_PER_MINUTE) this.#before.shift();
    if (this.#parts.clock.fault) return;
    const recent = { requests: requests - oldest.requests, errors: errors - oldest.errors };
    // A write that waits for the store is not overtaken: the next one has later figures.
    this.#writing ??= this.#write(recent).finally(() => {
      this.#writing = null;
    });
  }

  async #write(recent: Totals): Promise<void> {
    const { store, clock, router, log } = this.#parts;
    try {
      await store.call(recordTraffic, { router: router(), ...recent, now: clock.now() });
    } catch (error) {
      if (error instanceof StoreUnavailable) return;
      log.error({ err: error }, 'the traffic of this router could not be written');
    }
  }
}
