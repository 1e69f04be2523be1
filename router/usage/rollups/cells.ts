/**
 * How a chunk of cells is stored. Numbers are varints: seven bits a byte, the lowest first.
 *
 *   chunk = version, entry*                                            in the order of their places
 *   entry = place, length of the rest, counts and amounts (see sums.ts), ttft, duration
 *   place = offset of the bucket in its chunk * 4 + outcome
 *   ttft  = how many buckets, (distance from the one before, count)*   only buckets with a count
 *   duration = the same, to the end of the entry
 */
import { BUCKETS } from './histogram.ts';
import {
  addAmount,
  addOutcome,
  bump,
  COMPLETION,
  COST,
  DURATION,
  OUTCOME_COUNT,
  REQUESTS,
  SAVED,
  STORED,
  type Sums,
  TIMED_COMPLETION,
  TTFT,
} from './sums.ts';
import { VarintReader, writeVarint } from './varint.ts';

const VERSION = 1;

export function placeOf(offset: number, outcome: number): number {
  return offset * OUTCOME_COUNT + outcome;
}

/** Reads a chunk from its first entry to its last. */
export class CellReader extends VarintReader {
  #end = 1;
  place = -1;

  constructor(bytes: Uint8Array) {
    if (bytes[0] !== VERSION) throw new Error(`the cells have the unknown version ${bytes[0]}`);
    super(bytes, 1);
  }

  /** Moves to the next entry; false after the last one. */
  next(): boolean {
    this.at = this.#end;
    if (this.at >= this.bytes.length) return false;
    this.place = this.varint();
    const length = this.varint();
    this.#end = this.at + length;
    return true;
  }

  get offset(): number {
    return Math.floor(this.place / OUTCOME_COUNT);
  }

  get outcome(): number {
    return this.place % OUTCOME_COUNT;
  }

  /** The entry as it is stored, without its place and length. */
  raw(): Uint8Array {
    return this.bytes.subarray(this.at, this.#end);
  }

  /** Adds only the entry's requests and cost, by which groups are ranked. */
  addCostTo(sums: Sums): void {
    bump(sums, REQUESTS, this.varint());
    for (let at = REQUESTS + 1; at < COST; at++) this.varint();
    addAmount(sums, COST, this.varint(), this.varint());
  }

  /** Adds the entry. `touched` collects the places of the histograms that changed. */
  addTo(sums: Sums, withLatencies: boolean, touched?: number[]): void {
    const requests = this.varint();
    bump(sums, REQUESTS, requests);
    addOutcome(sums, this.outcome, requests);
    const before = sums[COMPLETION] as number;
    for (let at = REQUESTS + 1; at < COST; at++) bump(sums, at, this.varint());
    const completion = (sums[COMPLETION] as number) - before;
    addAmount(sums, COST, this.varint(), this.varint());
    addAmount(sums, SAVED, this.varint(), this.varint());
    if (!withLatencies) return;
    bump(sums, TIMED_COMPLETION, completion);
    const buckets = this.varint();
    let at = TTFT;
    for (let n = 0; n < buckets; n++) {
      at += this.varint();
      bump(sums, at, this.varint());
      touched?.push(at);
    }
    at = DURATION;
    while (this.at < this.#end) {
      at += this.varint();
      bump(sums, at, this.varint());
      touched?.push(at);
    }
  }
}

/** More than any entry takes: two histograms, each bucket of which takes ten bytes at most. */
const ENTRY_BYTES_MAX = 10 * (STORED + 2 * BUCKETS + 1);

/** Writes one chunk after another; entries must come in the order of their places. */
export class CellWriter {
  readonly #entry = new Uint8Array(ENTRY_BYTES_MAX);
  #bytes = new Uint8Array(16 * 1024);
  #length = 0;

  begin(): void {
    this.#bytes[0] = VERSION;
    this.#length = 1;
  }

  copy(place: number, raw: Uint8Array): void {
    this.#reserve(raw.length + 20);
    this.#length = writeVarint(this.#bytes, this.#length, place);
    this.#length = writeVarint(this.#bytes, this.#length, raw.length);
    this.#bytes.set(raw, this.#length);
    this.#length += raw.length;
  }

  /** Adds an entry, unless the cell is empty. `touched`: histogram places that may not be zero. */
  add(place: number, sums: Sums, touched: readonly number[]): void {
    if (sums[REQUESTS] === 0) return;
    const filled = [...new Set(touched)].filter((at) => sums[at] !== 0).toSorted((a, b) => a - b);
    const first = filled.findIndex((at) => at >= DURATION);
    const timed = first < 0 ? filled.length : first;
    const entry = this.#entry;
    let at = 0;
    for (let n = 0; n < STORED; n++) at = writeVarint(entry, at, sums[n] as number);
    at = writeVarint(entry, at, timed);
    let last = TTFT;
    for (const [n, bucket] of filled.entries()) {
      if (n === timed) last = DURATION;
      at = writeVarint(entry, at, bucket - last);
      at = writeVarint(entry, at, sums[bucket] as number);
      last = bucket;
    }
    this.copy(place, entry.subarray(0, at));
  }

  /** Returns a copy with its own memory; null for a chunk without entries. */
  end(): Uint8Array | null {
    return this.#length > 1 ? this.#bytes.slice(0, this.#length) : null;
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#bytes.length) return;
    const larger = new Uint8Array(2 * (this.#bytes.length + more));
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
  }
}
