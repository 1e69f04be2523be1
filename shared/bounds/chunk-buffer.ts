/**
 * Collects bytes that arrive in pieces. The pieces are copied into blocks: a piece of one byte
 * would otherwise keep an object of a hundred bytes in memory, and the network buffer that it is
 * part of. The lease is charged for the blocks, so it counts the memory in use and not the bytes
 * sent.
 */
import type { Lease } from './budget.ts';

const BLOCK_BYTES = { first: 4 * 1024, most: 256 * 1024 } as const;
/** The memory of one chunk buffer besides its blocks. */
const OVERHEAD_BYTES = 1024;
/**
 * `SMALL_PIECES_MAX` pieces may be of any size. Beyond them, each has to bring `PIECE_BYTES_MIN`
 * bytes on average.
 */
export const SMALL_PIECES_MAX = 1_024;
export const PIECE_BYTES_MIN = 64;

/**
 * `full`: the lease has no room. `dripping`: the pieces are too small for the work that each of
 * them causes.
 */
export type Gathered = 'kept' | 'full' | 'dripping';

export class ChunkBuffer {
  readonly #lease: Lease;
  readonly #expectedBytes: number;
  readonly #smallPiecesMax: number;
  readonly #firstBytesMax: number;
  #blocks: Buffer[] = [];
  /** Bytes of the last block that are in use. */
  #lastBytes = 0;
  /** Bytes of all blocks. */
  #blockBytes = 0;
  #leased = 0;
  #bytes = 0;
  #pieces = 0;

  /**
   * `expectedBytes`: the size that the sender has announced, or 0. The blocks together are not larger
   * than that, and a small size gets one block of that size. `smallPiecesMax`: how many pieces may be
   * of any size. Infinite when something else bounds their number. `firstBytesMax`: the size of the
   * first block at most, which is taken however little was sent of what was announced.
   */
  constructor(
    lease: Lease,
    expectedBytes = 0,
    smallPiecesMax = SMALL_PIECES_MAX,
    firstBytesMax: number = BLOCK_BYTES.most,
  ) {
    this.#lease = lease;
    this.#expectedBytes = expectedBytes;
    this.#smallPiecesMax = smallPiecesMax;
    this.#firstBytesMax = firstBytesMax;
  }

  /** Bytes added so far. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Copies a piece. After any result but `kept`, the caller must drop the chunk buffer. */
  add(piece: Uint8Array): Gathered {
    this.#pieces += 1;
    this.#bytes += piece.length;
    if (this.#pieces > this.#smallPiecesMax + this.#bytes / PIECE_BYTES_MIN) return 'dripping';
    let from = 0;
    while (from < piece.length) {
      const block = this.#blockWithRoom();
      if (block === null) return 'full';
      const taken = Math.min(piece.length - from, block.length - this.#lastBytes);
      block.set(piece.subarray(from, from + taken), this.#lastBytes);
      this.#lastBytes += taken;
      from += taken;
    }
    return 'kept';
  }

  /**
   * Returns all bytes in one buffer, which stays charged to the lease. Returns null when the lease
   * has no room to join the blocks.
   */
  whole(): Buffer | null {
    const [only] = this.#blocks;
    if (only === undefined) return Buffer.alloc(0);
    if (this.#blocks.length === 1) return only.subarray(0, this.#lastBytes);
    if (!this.#lease.take(this.#bytes)) return null;
    const whole = Buffer.allocUnsafeSlow(this.#bytes);
    let at = 0;
    for (const block of this.#blocks) {
      at += block.copy(whole, at, 0, Math.min(block.length, this.#bytes - at));
    }
    this.#lease.give(this.#leased);
    this.#leased = this.#bytes;
    this.#blocks = [whole];
    this.#lastBytes = whole.length;
    this.#blockBytes = whole.length;
    return whole;
  }

  /** Returns the blocks, each with memory of its own, for a caller that joins them elsewhere. */
  blocks(): Buffer[] {
    const last = this.#blocks.length - 1;
    return this.#blocks.map((block, index) =>
      index === last ? block.subarray(0, this.#lastBytes) : block,
    );
  }

  /** Forgets everything and gives back what the lease was charged. */
  drop(): void {
    this.#blocks = [];
    this.#lastBytes = 0;
    this.#blockBytes = 0;
    this.#lease.give(this.#leased);
    this.#leased = 0;
  }

  #blockWithRoom(): Buffer | null {
    const last = this.#blocks.at(-1);
    if (last && this.#lastBytes < last.length) return last;
    const size = this.#nextBlockBytes(last);
    const cost = last ? size : size + OVERHEAD_BYTES;
    if (!this.#lease.take(cost)) return null;
    this.#leased += cost;
    const block = Buffer.allocUnsafeSlow(size);
    this.#blocks.push(block);
    this.#lastBytes = 0;
    this.#blockBytes += size;
    return block;
  }

  #nextBlockBytes(last: Buffer | undefined): number {
    const { first, most } = BLOCK_BYTES;
    const begun = this.#expectedBytes > 0 ? this.#firstBytesMax : first;
    const size = last ? Math.min(last.length * 2, most) : begun;
    const left = this.#expectedBytes - this.#blockBytes;
    return left > 0 ? Math.min(size, left) : size;
  }
}
