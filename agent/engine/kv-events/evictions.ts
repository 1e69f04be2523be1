/**
 * What an engine has evicted from its prefix cache, by its KV events, as one number: its horizon.
 * Everything that was last in use before the horizon is evicted.
 *
 *   ──────┬──────────────────┬─────────────────┬──────▶ time
 *     a block is       its last user      it is evicted
 *      stored (S)          ends
 *
 * An engine evicts the block that has been unused for longest. So when it evicts a block that was
 * stored at S, it has also evicted everything that was last in use before S. The horizon is the
 * latest such S. It needs neither the tokens of the blocks nor to know whose they are, and it stays
 * true whatever events are lost (decision 0022).
 *
 * Some of the blocks are enough to know it. When too many are known, every second one is forgotten.
 */
import type { WorkerLoad } from '../../../shared/wire/messages.ts';
import type { KvEvent } from './batch.ts';

/** About 4 MB. */
export const BLOCKS_MAX = 65_536;
/** An event may come this much later than what it reports. */
export const LATE_MS_MAX = 1_000;
/** Without an event for this long, the engine is idle, or its events do not arrive. */
const SILENT_MS = 30_000;

export class Evictions {
  /** When each block was stored, in monotonic ms: at that time or later it was last in use. */
  readonly #storedAt = new Map<number, number>();
  /** Of the blocks, those whose number is a multiple of this are known. */
  #every = 1;
  #horizon: number | null = null;
  #heardAt: number | null = null;
  /** Whether evicted blocks may be elsewhere, and can still be hit. */
  #offloads = false;

  /** The number of blocks that are known. */
  get known(): number {
    return this.#storedAt.size;
  }

  /** Records a batch. `at`: when it was written, or earlier. */
  record(events: readonly KvEvent[], { at, now }: Readonly<{ at: number; now: number }>): void {
    this.#heardAt = now;
    for (const event of events) {
      switch (event.type) {
        case 'stored':
          for (const block of event.blocks) this.#stored(block, at);
          break;
        case 'removed':
          for (const block of event.blocks) this.#removed(block);
          break;
        case 'cleared':
          this.#storedAt.clear();
          this.#raise(at);
          break;
        case 'offloaded':
          this.#offloads = true;
          break;
      }
    }
  }

  /** Forgets the blocks, because the engine has restarted. */
  restarted(): void {
    this.#storedAt.clear();
    this.#every = 1;
    this.#offloads = false;
  }

  /** No events arrive any more. */
  stopped(): void {
    this.#heardAt = null;
  }

  /** What the load report says. Undefined while no events arrive. */
  report(now: number): WorkerLoad['kvEvents'] {
    if (this.#heardAt === null) return undefined;
    const isKnown = this.#horizon !== null && !this.#offloads && now - this.#heardAt <= SILENT_MS;
    if (!isKnown) return { evictedMs: null };
    return { evictedMs: Math.max(0, Math.ceil(now - (this.#horizon ?? 0) + LATE_MS_MAX)) };
  }

  #stored(block: number, at: number): void {
    if (block % this.#every !== 0) return;
    // An engine may store a block twice. Which copy it evicts first is not known, so the earlier
    // time counts.
    if (this.#storedAt.has(block)) return;
    if (this.#storedAt.size >= BLOCKS_MAX) this.#thinOut();
    if (block % this.#every === 0) this.#storedAt.set(block, at);
  }

  #removed(block: number): void {
    const at = this.#storedAt.get(block);
    if (at === undefined) return;
    this.#storedAt.delete(block);
    this.#raise(at);
  }

  #raise(to: number): void {
    this.#horizon = Math.max(this.#horizon ?? to, to);
  }

  #thinOut(): void {
    this.#every *= 2;
    for (const block of this.#storedAt.keys()) {
      if (block % this.#every !== 0) this.#storedAt.delete(block);
    }
    // Only numbers that are not hashes could be that uneven.
    if (this.#storedAt.size > 0.75 * BLOCKS_MAX) this.restarted();
  }
}
