/**
 * An engine's KV cache. A block is free, reserved by a running request, or cached under the id of
 * the prefix that it ends. A cached block is held by the requests that use it. Otherwise it is
 * idle. The block that has been idle for the longest time is evicted first.
 */

const NOBODY = 0;

/** Receives the ids of blocks that enter or leave the cache. */
export type OnBlock = (type: 'stored' | 'removed', id: number) => void;

export class BlockPool {
  readonly size: number;
  /** Neither reserved nor cached. */
  #free: number;
  readonly #slots = new Map<number, number>();
  /** By slot: the id cached there, and how many running requests hold it. */
  readonly #ids: Uint32Array;
  readonly #holders: Int32Array;
  /** Slots without a cached block. */
  readonly #spare: number[];
  /** The idle slots as a ring in eviction order. The slot after the last one closes the ring. */
  readonly #before: Int32Array;
  readonly #after: Int32Array;
  #idle = 0;

  readonly #onBlock: OnBlock;

  constructor(size: number, onBlock: OnBlock = () => {}) {
    this.size = size;
    this.#onBlock = onBlock;
    this.#free = size;
    this.#ids = new Uint32Array(size);
    this.#holders = new Int32Array(size);
    this.#spare = Array.from({ length: size }, (_, slot) => size - 1 - slot);
    this.#before = new Int32Array(size + 1).fill(size);
    this.#after = new Int32Array(size + 1).fill(size);
  }

  /** The number of blocks that a new request could have. */
  get available(): number {
    return this.#free + this.#idle;
  }

  has(id: number): boolean {
    return this.#slots.has(id);
  }

  /** Returns how many of the first `limit` blocks are cached. */
  depth(ids: Uint32Array, limit: number): number {
    let depth = 0;
    while (depth < limit && this.#slots.has(ids[depth] as number)) depth++;
    return depth;
  }

  /**
   * Returns whether a request that also holds the first `depth` of these blocks could reserve
   * `count` more.
   */
  fits(count: number, ids: Uint32Array, depth: number): boolean {
    let available = this.available;
    for (let i = 0; i < depth; i++) if (this.#isIdle(ids[i] as number)) available--;
    return available >= count;
  }

  /** Holds a cached block and returns its slot. Throws if the block is not cached. */
  hold(id: number): number {
    const slot = this.#slots.get(id);
    if (slot === undefined) throw new Error('holds what is not cached');
    if (this.#holders[slot] === NOBODY) this.#unlink(slot);
    (this.#holders[slot] as number)++;
    return slot;
  }

  /**
   * Reserves blocks, evicting idle ones if needed. Returns how many it got, which may be fewer than
   * `count`.
   */
  reserve(count: number): number {
    while (this.#free < count && this.#idle > 0) this.#evict();
    const got = Math.min(count, this.#free);
    this.#free -= got;
    return got;
  }

  /**
   * Turns a reserved block into a cached one, held by its request, and returns its slot. Returns
   * null if the id is already cached. The request then keeps its reserved block.
   */
  publish(id: number): number | null {
    if (this.#slots.has(id)) return null;
    const slot = this.#spare.pop();
    if (slot === undefined) throw new Error('publishes more than was reserved');
    this.#slots.set(id, slot);
    this.#ids[slot] = id;
    this.#holders[slot] = 1;
    this.#onBlock('stored', id);
    return slot;
  }

  /**
   * Releases the blocks of a request that has ended. Its last blocks become idle first, so that the
   * head of a prompt stays cached longer than its tail.
   */
  release(held: readonly number[], reserved: number): void {
    for (let i = held.length - 1; i >= 0; i--) {
      const slot = held[i] as number;
      (this.#holders[slot] as number)--;
      if (this.#holders[slot] === NOBODY) this.#link(slot);
    }
    this.#free += reserved;
  }

  #isIdle(id: number): boolean {
    const slot = this.#slots.get(id);
    return slot !== undefined && this.#holders[slot] === NOBODY;
  }

  #evict(): void {
    const slot = this.#after[this.size] as number;
    this.#unlink(slot);
    const id = this.#ids[slot] as number;
    this.#slots.delete(id);
    this.#onBlock('removed', id);
    this.#spare.push(slot);
    this.#free++;
  }

  #link(slot: number): void {
    const last = this.#before[this.size] as number;
    this.#before[slot] = last;
    this.#after[slot] = this.size;
    this.#after[last] = slot;
    this.#before[this.size] = slot;
    this.#idle++;
  }

  #unlink(slot: number): void {
    const before = this.#before[slot] as number;
    const after = this.#after[slot] as number;
    this.#after[before] = after;
    this.#before[after] = before;
    this.#idle--;
  }
}
