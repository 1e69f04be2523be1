/**
 * Which prompt prefixes were sent to which workers: one index for all workers, in typed arrays.
 *
 *   table    open addressing, linear probing: chunk (two u32) ─▶ its first owner; 0 is an empty place
 *   owners   a pool of lists: (worker, its clock when it last had the chunk, the next owner of the chunk)
 *
 * A worker's clock counts the chunks that the worker was sent and did not have. So the age of an
 * entry is the number of chunks that the worker has stored since. An engine that keeps C chunks has
 * evicted every entry that is older than C. Memory is bounded: every insertion advances a hand that
 * goes round the table and evicts the entries that are oldest by that measure, more of them as the
 * index fills.
 */
import type { Random } from '../../shared/random.ts';
import type { Ages, CacheBounds } from './cache-bounds.ts';
import type { Prompt } from './prompt.ts';

export const WORKERS_MAX = 4_096;
/** 12 bytes for each place and 14 for each owner: 40 MB at most. */
export const OWNERS_MAX = 2 ** 20;
const PLACES_FIRST = 2 ** 12;
/** Places inspected for each new entry: a full index is swept once for each eighth that is new. */
const SWEEP_STEPS = 16;
/** While the index is less full than this, no entry is evicted for its age. */
const ROOMY = 0.5;
/** Entries are kept up to this multiple of their worker's capacity, which is an estimate. */
const AGE_MAX = 1.5;

export class PrefixIndex {
  readonly #ownersMax: number;
  readonly #secret: number;
  #mask = PLACES_FIRST - 1;
  #lo = new Uint32Array(PLACES_FIRST);
  #hi = new Uint32Array(PLACES_FIRST);
  #first = new Uint32Array(PLACES_FIRST);
  // Index 0 means no owner.
  #worker = new Uint16Array(PLACES_FIRST);
  #had = new Float64Array(PLACES_FIRST);
  #next = new Uint32Array(PLACES_FIRST);
  #free = 0;
  #unused = 1;
  #owners = 0;
  #chunks = 0;
  #hand = 0;

  /** By worker: its clock, and its floor; entries that are not newer than the floor are gone. */
  readonly #clock = new Float64Array(WORKERS_MAX);
  readonly #floor = new Float64Array(WORKERS_MAX);
  readonly #capacity = new Float64Array(WORKERS_MAX).fill(Number.POSITIVE_INFINITY);
  readonly #kept = new Float64Array(WORKERS_MAX);
  /** The clock at which the engine is known to have started; an inferred start is in the floor. */
  readonly #began = new Float64Array(WORKERS_MAX);
  /** 1 when the index knows everything in the engine's cache. */
  readonly #complete = new Uint8Array(WORKERS_MAX);

  readonly #depths = new Uint16Array(WORKERS_MAX);
  readonly #matched: number[] = [];

  constructor(random: Random, ownersMax = OWNERS_MAX) {
    this.#ownersMax = ownersMax;
    // Agents send hashes, too. The secret keeps them from choosing where their hashes are stored.
    this.#secret = random.below(2 ** 32);
  }

  /** The number of (chunk, worker) pairs in the index. */
  get entries(): number {
    return this.#owners;
  }

  get bytes(): number {
    return this.#lo.length * 12 + this.#worker.length * 14;
  }

  clock(worker: number): number {
    return this.#clock[worker] as number;
  }

  floor(worker: number): number {
    return this.#floor[worker] as number;
  }

  setFloor(worker: number, clock: number): void {
    this.#floor[worker] = clock;
  }

  capacity(worker: number): number {
    return this.#capacity[worker] as number;
  }

  setCapacity(worker: number, chunks: number): void {
    this.#capacity[worker] = chunks;
  }

  /** Keeps entries up to this age for `leading`, whatever the worker's floor and capacity are. */
  keep(worker: number, chunks: number): void {
    this.#kept[worker] = chunks;
  }

  /** Advances the clock for what the engine stores besides chunks: prompts' tails, and answers. */
  advance(worker: number, chunks: number): void {
    (this.#clock[worker] as number) += chunks;
  }

  /** Records that the engine has restarted, and has lost what it was sent up to this clock. */
  began(worker: number, clock: number): void {
    this.#floor[worker] = clock;
    this.#began[worker] = clock;
  }

  /** Records that the index knows everything that the engine has in its cache. */
  knowsAll(worker: number): void {
    this.#complete[worker] = 1;
  }

  /** Resets the number for another worker. */
  forget(worker: number): void {
    this.began(worker, this.clock(worker));
    this.#complete[worker] = 0;
    this.#capacity[worker] = Number.POSITIVE_INFINITY;
    this.#kept[worker] = 0;
  }

  /** Records that the engine may have been sent prompts that the index does not know. */
  missed(worker: number): void {
    this.#complete[worker] = 0;
  }

  isComplete(worker: number): boolean {
    return this.#complete[worker] === 1;
  }

  /** Looks a prompt up for all workers. `depth` returns the results until the next `match`. */
  match({ chunks }: Prompt): void {
    for (const worker of this.#matched) this.#depths[worker] = 0;
    this.#matched.length = 0;
    for (let k = 0; 2 * k < chunks.length; k++) {
      const place = this.#find(chunks[2 * k] as number, chunks[2 * k + 1] as number);
      if (place < 0) return;
      let any = false;
      for (let owner = this.#first[place] as number; owner; owner = this.#next[owner] as number) {
        const worker = this.#worker[owner] as number;
        if (this.#depths[worker] !== k || !this.#isValid(worker, this.#had[owner] as number))
          continue;
        if (k === 0) this.#matched.push(worker);
        this.#depths[worker] = k + 1;
        any = true;
      }
      if (!any) return;
    }
  }

  /** Leading entries of that prompt that the worker should still have, with the seed's entry. */
  depth(worker: number): number {
    return this.#depths[worker] as number;
  }

  /** Leading entries that the worker was sent since its engine started, still cached or not. */
  sent(prompt: Prompt, worker: number): number {
    const floor = this.#began[worker] as number;
    return this.leading(prompt, worker, { floor, capacity: Number.POSITIVE_INFINITY });
  }

  /** Leading entries that the worker should have within these bounds. */
  leading({ chunks }: Prompt, worker: number, { floor, capacity }: Readonly<CacheBounds>): number {
    for (let k = 0; 2 * k < chunks.length; k++) {
      const place = this.#find(chunks[2 * k] as number, chunks[2 * k + 1] as number);
      const owner = place < 0 ? 0 : this.#ownerOf(place, worker);
      const had = this.#had[owner] as number;
      if (owner === 0 || had <= floor || this.clock(worker) - had > capacity) return k;
    }
    return chunks.length / 2;
  }

  /**
   * Records that the worker is sent this prompt, of which it should have `depth` entries. Returns
   * the ages of the entries before that, as far as they are newer than the floor.
   */
  touch({ chunks }: Prompt, worker: number, depth: number, floor = this.floor(worker)): Ages {
    const before = this.#clock[worker] as number;
    this.#clock[worker] = before + Math.max(0, chunks.length / 2 - depth) + 1;
    const clock = this.clock(worker);
    const ages: { from: number; age: number }[] = [];
    let leading = true;
    for (let k = 0; 2 * k < chunks.length; k++) {
      const had = this.#put(chunks[2 * k] as number, chunks[2 * k + 1] as number, worker, clock);
      leading &&= had > floor;
      if (leading && ages.at(-1)?.age !== before - had) ages.push({ from: k, age: before - had });
      else if (!leading && ages.at(-1)?.age !== Infinity) ages.push({ from: k, age: Infinity });
    }
    return ages;
  }

  #isValid(worker: number, had: number): boolean {
    return (
      had > (this.#floor[worker] as number) &&
      (this.#clock[worker] as number) - had <= (this.#capacity[worker] as number)
    );
  }

  #home(lo: number, hi: number): number {
    let mixed = Math.imul(lo ^ this.#secret, 0x9e3779b1) ^ Math.imul(hi + this.#secret, 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0xc2b2ae35);
    return (mixed ^ (mixed >>> 13)) & this.#mask;
  }

  /** The place of a chunk, or the bitwise complement of the place where it would be put. */
  #find(lo: number, hi: number): number {
    let place = this.#home(lo, hi);
    while (this.#first[place] !== 0) {
      if (this.#lo[place] === lo && this.#hi[place] === hi) return place;
      place = (place + 1) & this.#mask;
    }
    return ~place;
  }

  #ownerOf(place: number, worker: number): number {
    let owner = this.#first[place] as number;
    while (owner !== 0 && this.#worker[owner] !== worker) owner = this.#next[owner] as number;
    return owner;
  }

  /** Records that a worker has a chunk now. Returns the clock when it last had it, or -1. */
  #put(lo: number, hi: number, worker: number, clock: number): number {
    let place = this.#find(lo, hi);
    const known = place < 0 ? 0 : this.#ownerOf(place, worker);
    if (known !== 0) {
      const had = this.#had[known] as number;
      this.#had[known] = clock;
      return had;
    }
    const steps = this.#owners <= ROOMY * this.#ownersMax ? 1 : SWEEP_STEPS;
    for (let i = 0; i < steps; i++) this.#sweep();
    const owner = this.#take();
    if (owner === 0) {
      this.#complete[worker] = 0;
      return -1;
    }
    // Sweeping and growing move places.
    place = this.#find(lo, hi);
    if (place < 0) {
      place = ~place;
      this.#lo[place] = lo;
      this.#hi[place] = hi;
      this.#first[place] = 0;
      this.#chunks += 1;
    }
    this.#worker[owner] = worker;
    this.#had[owner] = clock;
    this.#next[owner] = this.#first[place] as number;
    this.#first[place] = owner;
    return -1;
  }

  /** Returns an unused owner, or 0 when the index is full. */
  #take(): number {
    if (this.#owners >= this.#ownersMax) return 0;
    this.#owners += 1;
    if (2 * (this.#chunks + 1) > this.#first.length) this.#growPlaces();
    const freed = this.#free;
    if (freed !== 0) {
      this.#free = this.#next[freed] as number;
      return freed;
    }
    if (this.#unused === this.#worker.length) this.#growOwners();
    return this.#unused++;
  }

  /** Evicts stale owners at the hand, which then advances unless the place became empty. */
  #sweep(): void {
    const place = this.#hand;
    const first = this.#first[place] as number;
    if (first === 0) {
      this.#hand = (place + 1) & this.#mask;
      return;
    }
    let before = 0;
    for (let owner = first; owner; ) {
      const next = this.#next[owner] as number;
      if (this.#isStale(owner)) {
        if (before === 0) this.#first[place] = next;
        else this.#next[before] = next;
        this.#next[owner] = this.#free;
        this.#free = owner;
        this.#owners -= 1;
      } else before = owner;
      owner = next;
    }
    if (this.#first[place] === 0) this.#empty(place);
    else this.#hand = (place + 1) & this.#mask;
  }

  #isStale(owner: number): boolean {
    const worker = this.#worker[owner] as number;
    const had = this.#had[owner] as number;
    if (had <= (this.#began[worker] as number)) return true;
    const fill = this.#owners / this.#ownersMax;
    if (fill <= ROOMY) return false;
    const room = (1 - fill) / (1 - ROOMY);
    const bound = had > this.floor(worker) ? this.capacity(worker) : 0;
    // An unknown capacity counts as the size of the whole index.
    const most = Math.min(Math.max(bound, this.#kept[worker] as number), this.#ownersMax);
    if (most > 0 && this.clock(worker) - had <= AGE_MAX * most * room) return false;
    this.#complete[worker] = 0;
    return true;
  }

  /** Removes a chunk from the table, and moves back the chunks that it had displaced. */
  #empty(place: number): void {
    this.#chunks -= 1;
    let hole = place;
    for (let at = (place + 1) & this.#mask; this.#first[at] !== 0; at = (at + 1) & this.#mask) {
      const home = this.#home(this.#lo[at] as number, this.#hi[at] as number);
      if (((at - home) & this.#mask) < ((at - hole) & this.#mask)) continue;
      this.#lo[hole] = this.#lo[at] as number;
      this.#hi[hole] = this.#hi[at] as number;
      this.#first[hole] = this.#first[at] as number;
      hole = at;
    }
    this.#first[hole] = 0;
  }

  #growOwners(): void {
    const length = Math.min(this.#worker.length * 2, this.#ownersMax + 1);
    this.#worker = grown(this.#worker, new Uint16Array(length));
    this.#had = grown(this.#had, new Float64Array(length));
    this.#next = grown(this.#next, new Uint32Array(length));
  }

  #growPlaces(): void {
    const [lo, hi, first] = [this.#lo, this.#hi, this.#first];
    const length = first.length * 2;
    this.#mask = length - 1;
    this.#lo = new Uint32Array(length);
    this.#hi = new Uint32Array(length);
    this.#first = new Uint32Array(length);
    this.#hand = 0;
    for (let old = 0; old < first.length; old++) {
      if (first[old] === 0) continue;
      const place = ~this.#find(lo[old] as number, hi[old] as number);
      this.#lo[place] = lo[old] as number;
      this.#hi[place] = hi[old] as number;
      this.#first[place] = first[old] as number;
    }
  }
}

function grown<T extends Uint16Array | Uint32Array | Float64Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
