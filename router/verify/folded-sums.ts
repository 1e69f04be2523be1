/** The sums of one organization's cells, by level, shape and bucket. */
import { CellReader } from '../usage/rollups/cells.ts';
import {
  addAmount,
  bump,
  CACHED,
  COMPLETION,
  COST,
  costOf,
  DURATION,
  noSums,
  PICO_PER_DOLLAR,
  PROMPT,
  REASONING,
  REQUESTS,
  SAVED,
  TTFT,
} from '../usage/rollups/sums.ts';
import { type BucketName, LEVELS } from '../usage/time-buckets.ts';

export type Figures = Readonly<{
  requests: bigint;
  prompt: bigint;
  cached: bigint;
  completion: bigint;
  reasoning: bigint;
}>;
export type Folded = Figures & Readonly<{ cost: bigint; saved: bigint }>;

export const NOTHING: Folded = {
  requests: 0n,
  prompt: 0n,
  cached: 0n,
  completion: 0n,
  reasoning: 0n,
  cost: 0n,
  saved: 0n,
};

const NAMES = Object.keys(NOTHING) as (keyof Folded)[];

export function addUp(all: Iterable<Folded>): Folded {
  const sum: Record<keyof Folded, bigint> = { ...NOTHING };
  for (const one of all) for (const name of NAMES) sum[name] += one[name];
  return sum;
}

export function isSame(a: Folded, b: Folded): boolean {
  return NAMES.every((name) => a[name] === b[name]);
}

function isWithin(a: Folded, b: Folded): boolean {
  return NAMES.every((name) => a[name] <= b[name]);
}

export function textOf(folded: Folded): string {
  const { requests, prompt, cached, completion, reasoning, cost, saved } = folded;
  return (
    `${requests} requests of ${prompt} (${cached} cached) and ${completion} ` +
    `(${reasoning} reasoning) tokens at ${cost}, and ${saved} saved`
  );
}

export type Chunk = Readonly<{
  level: bigint;
  chunk: bigint;
  series: bigint;
  cells: Uint8Array;
  /** Null: the series is not known. */
  shape: bigint | null;
}>;

const BUCKETS = Object.entries(LEVELS) as [BucketName, (typeof LEVELS)[BucketName]][];

export class FoldedSums {
  /** The chunks that cannot be read, each with the reason. */
  readonly unreadable: string[] = [];
  /** Minutes are many, so the level of minutes is summed up by hour. */
  readonly #sums = new Map<string, Map<number, Float64Array>>();
  readonly #cell = noSums();

  at(name: BucketName, shape: number, ordinal: number): Folded {
    const sums = this.#sums.get(`${name} ${shape}`)?.get(ordinal);
    return sums ? foldedOf(sums) : NOTHING;
  }

  ordinals(name: BucketName, shape: number): Iterable<number> {
    return this.#sums.get(`${name} ${shape}`)?.keys() ?? [];
  }

  add({ level, chunk, series, cells, shape }: Chunk): void {
    const found = BUCKETS.find(([, { number }]) => BigInt(number) === level);
    const where = `chunk ${chunk} of level ${level} and series ${series}`;
    if (!found || shape === null) {
      this.unreadable.push(`${where} has an unknown level or series`);
      return;
    }
    const [name, { perChunk }] = found;
    const key = `${name} ${shape}`;
    let sums = this.#sums.get(key);
    if (!sums) this.#sums.set(key, (sums = new Map()));
    try {
      this.#addCells(sums, { name, first: Number(chunk) * perChunk, perChunk }, cells);
    } catch (error) {
      this.unreadable.push(`${where} cannot be read: ${String(error)}`);
    }
  }

  #addCells(
    all: Map<number, Float64Array>,
    { name, first, perChunk }: Readonly<{ name: BucketName; first: number; perChunk: number }>,
    cells: Uint8Array,
  ): void {
    const reader = new CellReader(cells);
    const isTimed = name === 'day' || name === 'month';
    const ratio = name === 'minute' ? MINUTES_PER_HOUR : 1;
    while (reader.next()) {
      if (reader.offset >= perChunk)
        throw new Error(`cell ${reader.place} belongs to another chunk`);
      const ordinal = Math.floor((first + reader.offset) / ratio);
      let sums = all.get(ordinal);
      if (!sums) all.set(ordinal, (sums = new Float64Array(TTFT)));
      if (isTimed) this.#addTimed(reader, sums);
      else reader.addTo(sums, false);
    }
  }

  /** Adds a cell. Throws unless each request has one duration and at most one first token. */
  #addTimed(reader: CellReader, sums: Float64Array): void {
    const cell = this.#cell.fill(0);
    reader.addTo(cell, true);
    const requests = cell[REQUESTS] as number;
    if (total(cell, DURATION) !== requests || total(cell, TTFT, DURATION) > requests) {
      throw new Error(`the counts of cell ${reader.place} contradict one another`);
    }
    for (let at = 0; at < COST; at++) bump(sums, at, cell[at] as number);
    for (const at of [COST, SAVED]) {
      addAmount(sums, at, cell[at] as number, cell[at + 1] as number);
    }
  }

  /**
   * Finds an hour that has less than its minutes, or a day that has less than its hours; null if
   * there is none. To have more is correct: minutes and hours are deleted after a time, and late
   * rows are not folded into chunks that are about to be deleted.
   */
  findBeyond(shape: number): string | null {
    const days = new Map<number, Folded>();
    for (const hour of this.ordinals('hour', shape)) {
      const day = Math.floor(hour / HOURS_PER_DAY);
      const sum = this.at('hour', shape, hour);
      days.set(day, addUp([days.get(day) ?? NOTHING, sum]));
      if (!isWithin(this.at('minute', shape, hour), sum)) {
        return `in hour ${hour} shape ${shape} has less than its minutes`;
      }
    }
    for (const [day, sum] of days) {
      if (isWithin(sum, this.at('day', shape, day))) continue;
      return `on day ${day} shape ${shape} has less than its hours`;
    }
    return null;
  }
}

const MINUTES_PER_HOUR = 60;
const HOURS_PER_DAY = 24;

function foldedOf(sums: Float64Array): Folded {
  const at = (index: number) => BigInt(sums[index] as number);
  return {
    requests: at(REQUESTS),
    prompt: at(PROMPT),
    cached: at(CACHED),
    completion: at(COMPLETION),
    reasoning: at(REASONING),
    cost: costOf(sums),
    saved: at(SAVED) * BigInt(PICO_PER_DOLLAR) + at(SAVED + 1),
  };
}

function total(cell: Float64Array, from: number, to = cell.length): number {
  let sum = 0;
  for (let at = from; at < to; at++) sum += cell[at] as number;
  return sum;
}
