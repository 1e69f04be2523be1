/** One of the processes of `penstock up`. It is restarted when it ends, until it is stopped. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { backoffMs } from '../shared/backoff.ts';
import { systemClock as clock, sleep } from '../shared/clock.ts';
import type { Ready } from './child.ts';
import { UsageError } from './faults.ts';

const PENSTOCK = fileURLToPath(new URL('./penstock.ts', import.meta.url));
const RESTART_MS = { first: 250, most: 10_000 } as const;
/** After a run of this length, the next restart is quick again. */
const SETTLED_MS = 30_000;

export class ManagedProcess {
  readonly name: string;
  /**
   * The arguments of the next start. They name a port that was chosen freely at the first start, so
   * that it is kept.
   */
  args: readonly string[];
  readonly #onReady: (ready: Ready) => void;
  #child: ChildProcess | null = null;
  #stopping = false;
  #ended: Promise<void> = Promise.resolve();

  constructor(name: string, args: readonly string[], onReady: (ready: Ready) => void) {
    this.name = name;
    this.args = args;
    this.#onReady = onReady;
  }

  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  /** Starts the process. Resolves when it reports that it is ready; rejects if it ends first. */
  start(): Promise<Ready> {
    const first = Promise.withResolvers<Ready>();
    this.#ended = this.#keepRunning(first);
    return first.promise;
  }

  async #keepRunning(first: PromiseWithResolvers<Ready>): Promise<void> {
    for (let failures = 1; !this.#stopping; failures++) {
      const started = clock.monotonic();
      const child = spawn(process.execPath, [...process.execArgv, PENSTOCK, ...this.args], {
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      });
      this.#child = child;
      child.on('message', (ready) => {
        this.#onReady(ready as Ready);
        first.resolve(ready as Ready);
      });
      const [status] = (await once(child, 'exit')) as [number | null];
      this.#child = null;
      const fault = `${this.name} ended before it was ready, with status ${status}`;
      first.reject(status === 2 ? new UsageError(fault) : new Error(fault));
      if (clock.monotonic() - started > SETTLED_MS) failures = 1;
      if (!this.#stopping) await sleep(clock, backoffMs(failures, RESTART_MS));
    }
  }

  /** Signals the process to finish its work and end. Resolves when it has ended. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#child?.kill('SIGTERM');
    await this.#ended;
  }

  kill(): void {
    this.#stopping = true;
    this.#child?.kill('SIGKILL');
  }
}
