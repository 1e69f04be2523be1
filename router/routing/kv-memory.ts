/** The KV memory of one worker: its use as last reported, and what was sent to it since. */
import type { WorkerLoad } from '../../shared/wire/messages.ts';
import { OUTPUT_TOKENS } from './in-flight-request.ts';

export class KvMemory {
  #use = 0;
  /** The size in tokens. Null if it is not reported. */
  #tokens: number | null = null;
  #sentTokens = 0;

  report({ kvUse, kvTokens }: Pick<WorkerLoad, 'kvUse' | 'kvTokens'>): void {
    this.#use = kvUse;
    this.#tokens = kvTokens;
    this.#sentTokens = 0;
  }

  /** Records that a prompt was sent. Its cached tokens are in memory already. */
  sent(uncachedTokens: number): void {
    this.#sentTokens += uncachedTokens + OUTPUT_TOKENS;
  }

  /** Share in use after a prompt with this many uncached tokens. 0 before the first report. */
  useAfter(uncachedTokens: number): number {
    if (this.#tokens === null) return this.#use;
    return this.#use + (this.#sentTokens + uncachedTokens + OUTPUT_TOKENS) / this.#tokens;
  }

  /** Forgets what was sent, because the worker is gone. */
  clearSent(): void {
    this.#sentTokens = 0;
  }
}
