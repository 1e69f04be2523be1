/**
 * The router's side of one store thread. When a thread dies, all its pending calls fail. Another is
 * started after a backoff that doubles; until it is up, calls are refused at once.
 *
 *   starting ──▶ up ──▶ down ──▶ starting        any ──▶ closed
 */
import { Worker } from 'node:worker_threads';
import { backoffMs } from '../../../shared/backoff.ts';
import { type Clock, sleep, type Timer } from '../../../shared/clock.ts';
import type { Log } from '../../../shared/log.ts';
import { StoreUnavailable } from '../errors.ts';
import type { Procedure } from '../procedure.ts';
import type { ThreadCommand, Reply, Request } from './messages.ts';
import { type OnAnswers, PendingCalls } from './pending-calls.ts';

const RESTART_MS = { first: 100, most: 5_000 } as const;
/** The longest wait for a thread to close; it may be stuck on a dead disk. */
const CLOSE_MS_MAX = 10_000;
/**
 * The memory of a thread for new values. A heap keeps most of it once it has needed it, however
 * little is alive. The writer makes some 20 KB of values for each request.
 */
export const YOUNG_MB = { writer: 12, reader: 3, 'heavy reader': 6 } as const;
/** The memory of a thread for values that stay, far above what any procedure needs. */
const OLD_MB = 1_024;

type Parts = Readonly<{ clock: Clock; log: Log }>;

/**
 * `role`: its name in logs and errors. `module` is run with `data`, and answers as in messages.ts.
 * `youngMb`: see YOUNG_MB.
 */
export type ThreadPlan = Readonly<{ role: string; module: URL; data: object; youngMb: number }>;
type Phase = 'starting' | 'up' | 'down' | 'closed';

const NEXT: Readonly<Record<Phase, readonly Phase[]>> = {
  starting: ['up', 'down', 'closed'],
  up: ['down', 'closed'],
  down: ['starting', 'closed'],
  closed: [],
};

/** A thread of the store, in this process or in its parent. */
export interface ThreadHandle<More = never> {
  /**
   * Resolves with the thread's answer. Rejects with its error, or with StoreUnavailable if the
   * result is unknown. `onAnswers` gets the answers of a batch that come before the last.
   */
  send(command: ThreadCommand | More, onAnswers?: OnAnswers): Promise<unknown>;
}

/** Runs a procedure on a thread, which finds it by its name. */
export async function callOn<Input, Output>(
  thread: ThreadHandle,
  { name }: Procedure<Input, Output>,
  input: Input,
): Promise<Output> {
  return (await thread.send({ kind: 'procedure', name, input })) as Output;
}

/** `More`: the messages it takes beside those of any thread. */
export class StoreThread<More = never> implements ThreadHandle<More>, AsyncDisposable {
  readonly #plan: ThreadPlan;
  readonly #parts: Parts;
  readonly #calls = new PendingCalls();
  #phase: Phase = 'starting';
  #worker: Worker | null = null;
  /** Failures in a row, of the running thread or of a start. */
  #failures = 0;
  #restart: Timer | null = null;

  private constructor(plan: ThreadPlan, parts: Parts) {
    this.#plan = plan;
    this.#parts = parts;
  }

  /** Rejects with the error of a failed start. Only later failures lead to a restart. */
  static async start<More = never>(plan: ThreadPlan, parts: Parts): Promise<StoreThread<More>> {
    const thread = new StoreThread<More>(plan, parts);
    try {
      await thread.#spawn();
    } catch (error) {
      thread.#enter('closed');
      throw error;
    }
    return thread;
  }

  send(command: ThreadCommand | More, onAnswers?: OnAnswers): Promise<unknown> {
    const worker = this.#worker;
    if (this.#phase !== 'up' || !worker) {
      return Promise.reject(
        new StoreUnavailable(`the store's ${this.#plan.role} thread is not running`),
      );
    }
    return this.#calls.begin((id) => {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port, not a window
      worker.postMessage({ id, command } satisfies Request<More>);
    }, onAnswers);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#phase === 'closed') return;
    const worker = this.#worker;
    const closing = this.#phase === 'up' ? this.send({ kind: 'close' }) : Promise.resolve();
    this.#enter('closed');
    this.#restart?.cancel();
    const patience = new AbortController();
    const closed = closing.catch((error: unknown) => {
      this.#parts.log.error({ role: this.#plan.role, err: error }, 'store thread failed to close');
    });
    await Promise.race([closed, sleep(this.#parts.clock, CLOSE_MS_MAX, patience.signal)]);
    patience.abort();
    await worker?.terminate();
  }

  #enter(phase: Phase): void {
    if (!NEXT[this.#phase].includes(phase)) {
      throw new Error(`store thread: ${this.#phase} -> ${phase}`);
    }
    this.#phase = phase;
  }

  /** Resolves when the thread reports that it is ready; rejects when it ends before that. */
  #spawn(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const worker = new Worker(this.#plan.module, {
      workerData: this.#plan.data,
      name: `penstock-store-${this.#plan.role}`,
      // The thread must not inherit the router's own options, such as a test runner's loaders.
      execArgv: [],
      resourceLimits: {
        maxYoungGenerationSizeMb: this.#plan.youngMb,
        maxOldGenerationSizeMb: OLD_MB,
      },
    });
    let cause: Error | null = null;
    worker.on('message', (reply: Reply) => {
      if (reply.kind === 'ready') {
        if (this.#phase !== 'closed') this.#enter('up');
        this.#failures = 0;
        resolve();
      } else this.#calls.settle(reply);
    });
    worker.on('error', (error) => {
      cause = error instanceof Error ? error : new Error(String(error));
    });
    worker.on('exit', (code) => {
      const error =
        cause ?? new Error(`the store's ${this.#plan.role} thread ended with exit code ${code}`);
      reject(error);
      this.#lost(error);
    });
    this.#worker = worker;
    return promise;
  }

  #lost(error: Error): void {
    this.#worker = null;
    this.#calls.failAll(new StoreUnavailable(error.message, { cause: error }));
    if (this.#phase === 'closed') return;
    const first = this.#phase === 'starting' && this.#restart === null;
    this.#enter('down');
    // The caller of `start` handles the failure of the first start.
    if (first) return;
    this.#parts.log.error({ role: this.#plan.role, err: error }, 'store thread ended unexpectedly');
    this.#failures += 1;
    const pauseMs = backoffMs(this.#failures, RESTART_MS);
    this.#restart = this.#parts.clock.after(pauseMs, () => this.#startAgain());
  }

  #startAgain(): void {
    this.#enter('starting');
    this.#spawn().then(
      () => this.#parts.log.info({ role: this.#plan.role }, 'store thread restarted'),
      () => {
        // The exit handler has planned the next attempt already.
      },
    );
  }
}
