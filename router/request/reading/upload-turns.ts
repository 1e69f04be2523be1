/**
 * Limits how many bytes of large bodies are read in one turn of the event loop, so that everything
 * else is not delayed. Node makes up to 32 reads from each socket that is ready before it goes on
 * to anything else. Sixteen fast uploads would therefore delay every stream by tens of
 * milliseconds.
 *
 * Bodies beyond the limit of a turn are paused and wait in a queue, in which peers take turns. A
 * body is only paused after a piece of it was read, so a turn may exceed the limit by one read for
 * each body that was not paused.
 */
import type { Readable } from 'node:stream';
import { FairQueue } from '../../../shared/bounds/fair-queue.ts';
import { limits } from '../../../shared/limits.ts';

/** The most that Node takes from a socket in one read. */
export const READ_BYTES = 64 * 1024;
/** The most that Node keeps of a body that is paused: its high-water mark, and one more read. */
export const PAUSED_BYTES_MAX = limits.socketBufferBytes + READ_BYTES;

export class UploadTurns<Peer> {
  readonly #bytesMax: number;
  readonly #paused = new Set<Readable>();
  /** The order of the paused bodies. May also hold bodies that have left. */
  readonly #queue = new FairQueue<Peer, Readable>();
  /** Bytes read in this turn. */
  #bytes = 0;
  #isScheduled = false;

  constructor(bytesMax: number = limits.bodyTurnBytesMax) {
    this.#bytesMax = bytesMax;
  }

  /** Counts a piece of a body. Pauses the body until a later turn if this turn has read enough. */
  spend(peer: Peer, body: Readable, bytes: number): void {
    this.#bytes += bytes;
    this.#scheduleNext();
    if (this.#bytes < this.#bytesMax || this.#paused.has(body)) return;
    body.pause();
    this.#paused.add(body);
    this.#queue.add(peer, body);
  }

  /** Never resumes this body again. Call it when the body has ended or is not read any further. */
  leave(body: Readable): void {
    this.#paused.delete(body);
  }

  #scheduleNext(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => this.#startTurn());
  }

  #startTurn(): void {
    this.#isScheduled = false;
    this.#bytes = 0;
    let resumed = 0;
    while (resumed * READ_BYTES < this.#bytesMax) {
      const body = this.#queue.next();
      if (!body) return;
      if (!this.#paused.delete(body)) continue;
      body.resume();
      resumed += 1;
    }
    this.#scheduleNext();
  }
}
