/**
 * The router's end of one worker thread that parses bodies, one at a time. A thread that exceeds
 * its time or memory limit is terminated, together with its body; the next body gets a new thread.
 */
import { Worker } from 'node:worker_threads';
import type { Clock, Timer } from '../../../shared/clock.ts';
import type { Log } from '../../../shared/log.ts';
import type { FromThread, BodyResult, ToThread } from './messages.ts';

export type ReadingThreadParts = Readonly<{
  clock: Clock;
  log: Log;
  heapMbMax: number;
  /** Time limit for one body, counted from when the thread has it. */
  readMsMax: number;
}>;

/** The parsed body with its bytes, which are handed back; or the reason why the body is lost. */
export type ThreadAnswer =
  | Readonly<{ result: BodyResult; bytes: Uint8Array<ArrayBuffer> }>
  | 'late'
  | 'out_of_memory'
  | 'lost';

/** The memory of a thread for new values. */
const YOUNG_MB = 24;
const MODULE = new URL('./worker.ts', import.meta.url);

export class ReadingThread implements AsyncDisposable {
  readonly #parts: ReadingThreadParts;
  #worker: Worker | null = null;
  #ready: Promise<void> = Promise.resolve();
  #answer: (answer: ThreadAnswer) => void = () => {};
  #closed = false;

  constructor(parts: ReadingThreadParts) {
    this.#parts = parts;
  }

  /** Parses a body and takes over its bytes. Call it again only after it has resolved. */
  async read(reading: ToThread): Promise<ThreadAnswer> {
    if (this.#closed) return 'lost';
    const worker = this.#worker ?? this.#spawn();
    const { promise, resolve } = Promise.withResolvers<ThreadAnswer>();
    let late: Timer | null = null;
    this.#answer = resolve;
    await Promise.race([this.#ready, promise]);
    if (this.#worker === worker) {
      late = this.#parts.clock.after(this.#parts.readMsMax, () => this.#end('late'));
      worker.postMessage(
        reading,
        reading.blocks.map(({ buffer }) => buffer),
      );
    }
    const answer = await promise;
    late?.cancel();
    if (typeof answer === 'string') {
      this.#parts.log.warn({ reason: answer }, 'thread that parses request bodies was terminated');
    }
    return answer;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const worker = this.#worker;
    this.#closed = true;
    this.#end('lost');
    await worker?.terminate();
  }

  #spawn(): Worker {
    const worker = new Worker(MODULE, {
      name: 'penstock-body-reader',
      // The router's own Node flags, such as a test runner's loaders, do not apply to its threads.
      execArgv: [],
      resourceLimits: {
        maxYoungGenerationSizeMb: YOUNG_MB,
        maxOldGenerationSizeMb: this.#parts.heapMbMax,
      },
    });
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#ready = promise;
    this.#worker = worker;
    let reason: 'out_of_memory' | 'lost' = 'lost';
    worker.on('message', (said: FromThread) => {
      if (said.kind === 'ready') resolve();
      else this.#answer(said);
    });
    worker.on('error', (error: unknown) => {
      const code = error instanceof Error && 'code' in error ? error.code : null;
      if (code === 'ERR_WORKER_OUT_OF_MEMORY') reason = 'out_of_memory';
      else this.#parts.log.error({ err: error }, 'thread that parses request bodies failed');
    });
    worker.on('exit', () => {
      if (this.#worker === worker) this.#end(reason);
    });
    return worker;
  }

  #end(why: Extract<ThreadAnswer, string>): void {
    const worker = this.#worker;
    this.#worker = null;
    this.#answer(why);
    void worker?.terminate();
  }
}
