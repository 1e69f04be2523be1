/** A thread that is started when it is first used: not every router has work for it. */
import { StoreUnavailable } from '../errors.ts';
import type { ThreadCommand } from './messages.ts';
import type { StoreThread, ThreadHandle } from './thread.ts';

export class LazyThread implements ThreadHandle, AsyncDisposable {
  readonly #start: () => Promise<StoreThread>;
  #thread: Promise<StoreThread> | null = null;
  #closed = false;

  constructor(start: () => Promise<StoreThread>) {
    this.#start = start;
  }

  /** Like StoreThread.send. If the thread cannot be started, the next call tries again. */
  async send(command: ThreadCommand): Promise<unknown> {
    if (this.#closed) throw new StoreUnavailable('the store is closed');
    const starting = (this.#thread ??= this.#start());
    const thread = await starting.catch((error: unknown) => {
      if (this.#thread === starting) this.#thread = null;
      throw new StoreUnavailable(`a store thread did not start: ${String(error)}`, {
        cause: error,
      });
    });
    return await thread.send(command);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    const thread = await this.#thread?.catch(() => null);
    await thread?.[Symbol.asyncDispose]();
  }
}
