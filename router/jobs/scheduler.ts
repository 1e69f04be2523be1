/**
 * Runs periodic background tasks. Every router runs every task, so each must be safe to run on
 * several routers at once.
 */
import type { Clock, Timer } from '../../shared/clock.ts';
import type { Log } from '../../shared/log.ts';
import { StoreUnavailable } from '../store/errors.ts';

export type ScheduledTask = Readonly<{
  name: string;
  everyMs: number;
  /**
   * Runs the task once. `stopping` is aborted when the router shuts down. The router waits for the
   * task to end, so a long task stops early and leaves the rest for a later run.
   */
  run: (stopping?: AbortSignal) => Promise<void>;
}>;

export type SchedulerParts = Readonly<{
  clock: Clock;
  log: Log;
  /** While this returns true, no task is started. */
  isPaused?: () => boolean;
  /** Called after each run. A run that the store was not available for has failed. */
  onTask?: ((task: string, result: 'done' | 'failed') => void) | undefined;
}>;

/**
 * Runs each task at its interval until disposed. A task that is still running is not started
 * again. A failed task is logged and runs again at its next interval; `StoreUnavailable` is not
 * logged. Disposal waits for the tasks that are running.
 */
export class Scheduler implements AsyncDisposable {
  readonly #timers: readonly Timer[];
  readonly #running = new Map<string, Promise<void>>();
  readonly #stopping = new AbortController();
  readonly #log: Log;
  readonly #isPaused: () => boolean;
  readonly #onTask: NonNullable<SchedulerParts['onTask']>;

  constructor(
    { clock, log, isPaused = () => false, onTask = () => {} }: SchedulerParts,
    tasks: readonly ScheduledTask[],
  ) {
    this.#log = log;
    this.#isPaused = isPaused;
    this.#onTask = onTask;
    this.#timers = tasks.map((task) => clock.every(task.everyMs, () => this.#start(task)));
  }

  #start({ name, run }: ScheduledTask): void {
    if (this.#running.has(name) || this.#isPaused()) return;
    const running = run(this.#stopping.signal)
      .then(() => this.#onTask(name, 'done'))
      .catch((error: unknown) => {
        this.#onTask(name, 'failed');
        if (error instanceof StoreUnavailable) return;
        this.#log.error({ task: name, err: error }, 'scheduled task failed');
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
