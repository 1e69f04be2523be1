/**
 * Periodic background tasks ("rounds"). Every router runs every round, so a round must be safe to
 * run on several routers at once.
 */
import type { Clock, Timer } from '../../shared/clock.ts';
import type { Log } from '../../shared/log.ts';
import { StoreUnavailable } from '../store/errors.ts';

export type Round = Readonly<{
  name: string;
  everyMs: number;
  /**
   * Runs the round once. `stopping` is aborted when the router shuts down. The router waits for the
   * round to end, so a long round stops early and leaves the rest for a later run.
   */
  run: (stopping?: AbortSignal) => Promise<void>;
}>;

export type RoundsParts = Readonly<{
  clock: Clock;
  log: Log;
  /** While this returns true, no round is started. */
  isPaused?: () => boolean;
}>;

/**
 * Runs each round at its interval until disposed. A round that is still running is not started
 * again. A failed round is logged and runs again at its next interval; `StoreUnavailable` is not
 * logged. Disposal waits for the rounds that are running.
 */
export class Rounds implements AsyncDisposable {
  readonly #timers: readonly Timer[];
  readonly #running = new Map<string, Promise<void>>();
  readonly #stopping = new AbortController();
  readonly #log: Log;
  readonly #isPaused: () => boolean;

  constructor({ clock, log, isPaused = () => false }: RoundsParts, rounds: readonly Round[]) {
    this.#log = log;
    this.#isPaused = isPaused;
    this.#timers = rounds.map((round) => clock.every(round.everyMs, () => this.#make(round)));
  }

  #make({ name, run }: Round): void {
    if (this.#running.has(name) || this.#isPaused()) return;
    const running = run(this.#stopping.signal)
      .catch((error: unknown) => {
        if (error instanceof StoreUnavailable) return;
        this.#log.error({ round: name, error: String(error) }, 'a round failed');
      })
      .finally(() => this.#running.delete(name));
    this.#running.set(name, running);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const timer of this.#timers) timer.cancel();
    this.#stopping.abort();
    await Promise.all(this.#running.values());
  }
}
