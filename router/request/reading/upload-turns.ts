/**
 * Bounds the bytes of large bodies that one turn of the event loop reads. From each socket that is
 * ready, Node reads up to 2 MiB before it goes on to anything else. Sixteen fast uploads would
 * therefore delay every stream by tens of milliseconds in each turn.
 */
import type { Readable } from 'node:stream';
import { limits } from '../../../shared/limits.ts';

/** The most that Node reads from a socket at once. */
export const READ_BYTES = 64 * 1024;

export class UploadTurns {
  /** In the order in which they are resumed. */
  readonly #paused = new Set<Readable>();
  /** Bytes read in this turn. */
  #bytes = 0;
  #isScheduled = false;

  /** Counts a piece. Pauses its source until a later turn if this turn has read enough. */
  spend(source: Readable, bytes: number): void {
    this.#bytes += bytes;
    this.#scheduleNext();
    if (this.#bytes < limits.bodyTurnBytesMax) return;
    source.pause();
    this.#paused.add(source);
  }

  /** Never resumes this source again. Call it when the source has ended or is not read further. */
  leave(source: Readable): void {
    this.#paused.delete(source);
  }

  #scheduleNext(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => this.#startTurn());
  }

  #startTurn(): void {
    this.#isScheduled = false;
    this.#bytes = 0;
    let reads = limits.bodyTurnBytesMax / READ_BYTES;
    for (const source of this.#paused) {
      if (reads === 0) break;
      reads -= 1;
      this.#paused.delete(source);
      source.resume();
    }
    if (this.#paused.size > 0) this.#scheduleNext();
  }
}
