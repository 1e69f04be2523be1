/**
 * What a slow client has yet to be sent, in order. Small pieces are copied into blocks: many small
 * buffers would take far more memory than their bytes. Large ones are kept as they are.
 */

/** The size of a block. A longer piece gets a block of its size. */
const BLOCK_BYTES = 4 * 1024;
/** The most bytes that are sent at once, so that a client that reads slowly is seen to read. */
const SLICE_BYTES = 16 * 1024;
/** Pieces that were sent are removed from the list when there are so many of them. */
const SENT_MAX = 1_024;

const NOTHING = Buffer.alloc(0);

export class Backlog {
  #pieces: Buffer[] = [];
  /** The index of the first piece that was not sent. */
  #next = 0;
  #bytes = 0;
  /** Memory for copies: those before `#closed` are pieces already, `#used` bytes are in use. */
  #block: Buffer = NOTHING;
  #closed = 0;
  #used = 0;
  #isDropped = false;

  /** Bytes that were not sent. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Returns memory for bytes that the caller sends at once: in a pool, they would retain more. */
  allocate(length: number): Buffer {
    this.#close();
    this.#closed = this.#reserve(length) + length;
    return this.#block.subarray(this.#closed - length, this.#closed);
  }

  copy(bytes: Buffer | string): void {
    if (this.#isDropped) return;
    const length = Buffer.byteLength(bytes);
    const from = this.#reserve(length);
    if (typeof bytes === 'string') this.#block.write(bytes, from);
    else this.#block.set(bytes, from);
    this.#bytes += length;
  }

  /** Adds bytes that are not copied, and must not change. */
  keep(bytes: Buffer): void {
    if (this.#isDropped) return;
    this.#close();
    this.#pieces.push(bytes);
    this.#bytes += bytes.length;
  }

  /** Removes and returns what is to be sent next. Returns null when there is nothing. */
  next(): Buffer | null {
    if (this.#next === this.#pieces.length) this.#close();
    const piece = this.#pieces[this.#next];
    if (!piece) return null;
    const slice = piece.subarray(0, SLICE_BYTES);
    this.#bytes -= slice.length;
    if (slice.length < piece.length) this.#pieces[this.#next] = piece.subarray(slice.length);
    else this.#sent();
    return slice;
  }

  /** Forgets everything, and ignores what is added from now on. */
  drop(): void {
    this.#isDropped = true;
    this.#pieces = [];
    this.#next = 0;
    this.#bytes = 0;
    this.#block = NOTHING;
    this.#closed = 0;
    this.#used = 0;
  }

  #sent(): void {
    this.#pieces[this.#next] = NOTHING;
    this.#next += 1;
    if (this.#next < this.#pieces.length && this.#next < SENT_MAX) return;
    this.#pieces.splice(0, this.#next);
    this.#next = 0;
  }

  /** Takes the next bytes of the block, and returns where they begin. */
  #reserve(length: number): number {
    if (this.#used + length > this.#block.length) {
      this.#close();
      this.#block = Buffer.allocUnsafeSlow(Math.max(BLOCK_BYTES, length));
      this.#closed = 0;
      this.#used = 0;
    }
    const from = this.#used;
    this.#used += length;
    return from;
  }

  /** Makes the copies since the last piece a piece. */
  #close(): void {
    if (this.#used > this.#closed)
      this.#pieces.push(this.#block.subarray(this.#closed, this.#used));
    this.#closed = this.#used;
  }
}
