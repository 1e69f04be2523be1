/**
 * The finite KV memory of the engine. It consists of blocks of tokens. Each block is in one of
 * these states:
 *
 *   unused      never handed out, or handed out and given back without content worth finding
 *   referenced  read or written by at least one running request
 *   idle        given back, but full and hashed: a later prompt with that prefix finds it, unless
 *               it is reused before; the block that is idle for longest is reused first
 *
 * Before a request begins, the blocks of its prompt are promised to the request: they count as
 * used, and the request takes each block when the block is computed. The blocks of the answer are
 * requested one by one. If no block is left, a running request is preempted.
 */
import assert from 'node:assert/strict';
import { IdleList } from './idle-list.ts';
import type { KvListener } from './listener.ts';

export class BlockPool {
  readonly capacity: number;
  readonly listener: KvListener | null;
  readonly #idle: IdleList;
  readonly #byHash = new Map<number, number>();
  /** Sized for the whole pool. Memory pages that are not used yet cost nothing. */
  readonly #references: Int32Array;
  readonly #hashes: Float64Array;
  readonly #returned: number[] = [];
  #minted = 0;
  #referenced = 0;
  #promised = 0;

  constructor(capacity: number, listener: KvListener | null = null) {
    this.capacity = capacity;
    this.listener = listener;
    this.#idle = new IdleList(capacity);
    this.#references = new Int32Array(capacity);
    this.#hashes = new Float64Array(capacity);
  }

  /** Blocks that can still be promised. */
  get available(): number {
    return this.capacity - this.#referenced - this.#promised;
  }

  /** The used share of the pool, 0 to 1. Promised blocks count as used. */
  get usage(): number {
    return 1 - this.available / this.capacity;
  }

  /** The number of blocks in each state, for tests. */
  get held(): { referenced: number; promised: number; idle: number } {
    return { referenced: this.#referenced, promised: this.#promised, idle: this.#idle.length };
  }

  /** Returns the cached blocks of the longest known prefix, at most `blocksMax` of them. */
  match(hashes: readonly number[], blocksMax: number): number[] {
    const hits: number[] = [];
    for (const hash of hashes) {
      const block = hits.length < blocksMax ? this.#byHash.get(hash) : undefined;
      if (block === undefined) break;
      hits.push(block);
    }
    return hits;
  }

  /**
   * References `hits` and promises the rest of `total` blocks. Returns false, and does nothing, if
   * there are too few blocks.
   */
  reserve(hits: readonly number[], total: number): boolean {
    const waking = hits.filter((block) => this.#references[block] === 0).length;
    const promise = total - hits.length;
    if (waking + promise > this.available) return false;
    for (const block of hits) {
      if (this.#references[block] === 0) this.#idle.remove(block);
      this.#reference(block);
    }
    this.#promised += promise;
    return true;
  }

  /** Promises one more block. Returns false if there is none to promise. */
  promiseOne(): boolean {
    if (this.available === 0) return false;
    this.#promised++;
    return true;
  }

  /** Takes one of the promised blocks. */
  take(): number {
    assert(this.#promised > 0, 'a block is taken only if it was promised');
    this.#promised--;
    const block = this.#blank();
    this.#reference(block);
    return block;
  }

  /**
   * Lets later prompts find a full block. Returns false if a block with the same content is already
   * cached, which is then the one that is found.
   */
  publish(block: number, hash: number): boolean {
    if (this.#byHash.has(hash)) return false;
    this.#byHash.set(hash, block);
    this.#hashes[block] = hash;
    return true;
  }

  /** Clears the cache. Returns false, and does nothing, while any block is in use. */
  clear(): boolean {
    if (this.#referenced + this.#promised > 0) return false;
    for (let block = this.#idle.shift(); block !== undefined; block = this.#idle.shift()) {
      this.#hashes[block] = 0;
      this.#returned.push(block);
    }
    this.#byHash.clear();
    this.listener?.cleared();
    return true;
  }

  /** Gives back the blocks of a request, in its order, and `unused` promised blocks. */
  release(blocks: readonly number[], unused: number): void {
    this.#promised -= unused;
    // Blocks are given back from the tail, so that the tail is older and is evicted first: a prefix
    // without its tail is still a prefix.
    for (let index = blocks.length - 1; index >= 0; index--) this.#dereference(blocks[index] ?? 0);
    assert(this.#promised >= 0 && this.#referenced >= 0, 'no block is given back twice');
  }

  #reference(block: number): void {
    const readers = this.#references[block] ?? 0;
    if (readers === 0) this.#referenced++;
    this.#references[block] = readers + 1;
  }

  #dereference(block: number): void {
    const readers = this.#references[block] ?? 0;
    assert(readers > 0, 'only a referenced block is given back');
    this.#references[block] = readers - 1;
    if (readers > 1) return;
    this.#referenced--;
    if (this.#hashes[block] === 0) this.#returned.push(block);
    else this.#idle.push(block);
  }

  #blank(): number {
    const returned = this.#returned.pop();
    if (returned !== undefined) return returned;
    if (this.#minted < this.capacity) return this.#minted++;
    const evicted = this.#idle.shift();
    assert(evicted !== undefined, 'what was promised is there');
    const hash = this.#hashes[evicted] ?? 0;
    this.#byHash.delete(hash);
    this.#hashes[evicted] = 0;
    this.listener?.removed(hash);
    return evicted;
  }
}
