/** Lets a call for the same key pass only now and then. Calls between cost only this check. */
import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock.ts';

export class SpacedCalls<Key extends string> {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #everyMs: number;
  /** When the last call for each key passed, by the monotonic clock. */
  readonly #passed: LRUCache<Key, number>;

  /** `keysMax`: beyond it, the least recently used key is forgotten, and its next call passes. */
  constructor(
    clock: Pick<Clock, 'monotonic'>,
    { everyMs, keysMax }: Readonly<{ everyMs: number; keysMax: number }>,
  ) {
    this.#clock = clock;
    this.#everyMs = everyMs;
    this.#passed = new LRUCache({ max: keysMax });
  }

  /** Returns whether a call for this key passes now. */
  passes(key: Key): boolean {
    const now = this.#clock.monotonic();
    const last = this.#passed.get(key);
    if (last !== undefined && now - last < this.#everyMs) return false;
    this.#passed.set(key, now);
    return true;
  }
}
