/** What the cells of one organization sum up to, by level, shape and bucket. */
import { CellReader } from '../rollups/cells.ts';
import {
  CACHED,
  COMPLETION,
  costOf,
  DURATION,
  noSums,
  PICO_PER_DOLLAR,
  PROMPT,
  REASONING,
  REQUESTS,
  SAVED,
  TTFT,
} from '../rollups/sums.ts';
import { type BucketName, LEVELS } from '../rollups/time.ts';

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

export function addUp(all: Iterable<Folded>): Folded {
  let [requests, prompt, cached, completion, reasoning, cost, saved] = [0n, 0n, 0n, 0n, 0n, 0n, 0n];
  for (const one of all) {
    requests += one.requests;
    prompt += one.prompt;
    cached += one.cached;
    completion += one.completion;
    reasoning += one.reasoning;
    cost += one.cost;
    saved += one.saved;
  }
  return { requests, prompt, cached, completion, reasoning, cost, saved };
}

const NAMES = Object.keys(NOTHING) as (keyof Folded)[];

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

type Chunk = Readonly<{
  level: bigint;
  chunk: bigint;
  series: bigint;
  cells: Uint8Array;
  /** Null: no such series is known. */
  shape: bigint | null;
}>;

const BUCKETS = Object.entries(LEVELS) as [BucketName, (typeof LEVELS)[BucketName]][];

export class FoldedSums {
  /** What is no chunk, each a half sentence. */
  readonly unreadable: string[] = [];
  readonly #sums = new Map<string, Map<number, Folded>>();
  readonly #cell = noSums();

  at(name: BucketName, shape: number, ordinal: number): Folded {
    return this.#sums.get(`${name} ${shape}`)?.get(ordinal) ?? NOTHING;
  }

  ordinals(name: BucketName, shape: number): Iterable<number> {
    return this.#sums.get(`${name} ${shape}`)?.keys() ?? [];
  }

  add({ level, chunk, series, cells, shape }: Chunk): void {
    const found = BUCKETS.find(([, { number }]) => BigInt(number) === level);
    const where = `chunk ${chunk} of level ${level} and series ${series}`;
    if (!found || shape === null) {
      this.unreadable.push(`${where} is of none that is known`);
      return;
    }
    const [name, { perChunk }] = found;
    const key = `${name} ${shape}`;
    let sums = this.#sums.get(key);
    if (!sums) this.#sums.set(key, (sums = new Map()));
    try {
      this.#addCells(sums, { first: Number(chunk) * perChunk, perChunk }, cells);
    } catch (error) {
      this.unreadable.push(`${where} cannot be read: ${String(error)}`);
    }
  }

  #addCells(
    sums: Map<number, Folded>,
    { first, perChunk }: Readonly<{ first: number; perChunk: number }>,
    cells: Uint8Array,
  ): void {
    const reader = new CellReader(cells);
    const cell = this.#cell;
    while (reader.next()) {
      cell.fill(0);
      reader.addTo(cell, true);
      const requests = cell[REQUESTS] as number;
      const timed = total(cell, TTFT, DURATION);
      if (reader.offset >= perChunk || total(cell, DURATION) !== requests || timed > requests) {
        throw new Error(`cell ${reader.place} contradicts itself`);
      }
      const ordinal = first + reader.offset;
      sums.set(ordinal, addUp([sums.get(ordinal) ?? NOTHING, foldedOf(cell)]));
    }
  }

  /** Minutes and hours are kept for a time only, and late rows are not folded into what is about to go. */
  findBeyond(shape: number): string | null {
    for (const [fine, coarse, ratio] of [
      ['minute', 'hour', 60],
      ['hour', 'day', 24],
    ] as const) {
      const together = new Map<number, Folded>();
      for (const ordinal of this.ordinals(fine, shape)) {
        const at = Math.floor(ordinal / ratio);
        together.set(at, addUp([together.get(at) ?? NOTHING, this.at(fine, shape, ordinal)]));
      }
      const known = new Set(this.ordinals(coarse, shape));
      for (const [at, sum] of together) {
        if (!known.has(at) && coarse === 'hour') continue;
        if (isWithin(sum, this.at(coarse, shape, at))) continue;
        return `of ${coarse} ${at} shape ${shape} has less than its ${fine}s have`;
      }
    }
    return null;
  }
}

function foldedOf(cell: Float64Array): Folded {
  const at = (index: number) => BigInt(cell[index] as number);
  return {
    requests: at(REQUESTS),
    prompt: at(PROMPT),
    cached: at(CACHED),
    completion: at(COMPLETION),
    reasoning: at(REASONING),
    cost: costOf(cell),
    saved: at(SAVED) * BigInt(PICO_PER_DOLLAR) + at(SAVED + 1),
  };
}

function total(cell: Float64Array, from: number, to = cell.length): number {
  let sum = 0;
  for (let at = from; at < to; at++) sum += cell[at] as number;
  return sum;
}
