/**
 * What has to be looked after from time to time, whatever has happened: each round is the same on every router and
 * bears being made by several at once.
 */
import type { Clock, Timer } from '../../../shared/clock.ts';
import type { Log } from '../../../shared/log.ts';
import { StoreUnavailable } from '../../store/errors.ts';

export type Round = Readonly<{
  name: string;
  everyMs: number;
  /** `stopping`: the router waits for its end; what is left is for another time. */
  run: (stopping?: AbortSignal) => Promise<void>;
}>;

export type RoundsParts = Readonly<{
  clock: Clock;
  log: Log;
  /** While it is, no round is begun. */
  isPaused?: () => boolean;
}>;

/** Makes the rounds until disposed, which waits for those under way; one that fails is made again in its time. */
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
