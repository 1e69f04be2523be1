/**
 * How the cells of one series are stored: those of some consecutive minutes or hours in one chunk.
 *
 *   chunk = version, entry*                         in the order of their offsets
 *   entry = offset in the chunk, length of the rest, cell
 *   cell  = how many counts, count*, time to first token, speed     see figures.ts
 *   time to first token = how many buckets, (distance from the one before, count)*
 *   speed = the same without its number, to the end of the entry
 *
 * A later version may add counts at their end: this one leaves out those that it does not know.
 */
import { BUCKETS } from '../usage/rollups/histogram.ts';
import { VarintReader, writeVarint } from '../usage/rollups/varint.ts';
import { bump, COUNTS, type Figures, noFigures, SPEED, TTFT } from './figures.ts';

const VERSION = 1;

/** More than any cell takes: each bucket of the histograms takes ten bytes at most. */
const CELL_BYTES_MAX = 10 * (COUNTS + 2 * BUCKETS + 2);
/** An offset and a length take less. */
const PREFIX_BYTES = 8;

/** Reads a cell. */
class CellReader extends VarintReader {
  /** Adds the cell to `figures`. */
  addTo(figures: Figures): void {
    const counts = this.varint();
    for (let n = 0; n < counts; n++) {
      const count = this.varint();
      if (n < COUNTS) bump(figures, n, count);
    }
    const timed = this.varint();
    let at = TTFT;
    for (let n = 0; n < timed; n++) {
      at += this.varint();
      bump(figures, at, this.varint());
    }
    at = SPEED;
    while (this.at < this.bytes.length) {
      at += this.varint();
      bump(figures, at, this.varint());
    }
  }
}

export function addCell(figures: Figures, cell: Uint8Array): void {
  new CellReader(cell, 0).addTo(figures);
}

const scratch = new Uint8Array(CELL_BYTES_MAX);

export function cellOf(figures: Figures): Uint8Array {
  let at = writeVarint(scratch, 0, COUNTS);
  for (let n = 0; n < COUNTS; n++) at = writeVarint(scratch, at, figures[n] as number);
  const timed = filled(figures, TTFT);
  at = writeVarint(scratch, at, timed.length);
  at = writeBuckets(at, figures, TTFT, timed);
  at = writeBuckets(at, figures, SPEED, filled(figures, SPEED));
  return scratch.slice(0, at);
}

function filled(figures: Figures, from: number): number[] {
  const found: number[] = [];
  for (let at = from; at < from + BUCKETS; at++) if (figures[at] !== 0) found.push(at);
  return found;
}

function writeBuckets(start: number, figures: Figures, from: number, some: number[]): number {
  let at = start;
  let last = from;
  for (const bucket of some) {
    at = writeVarint(scratch, at, bucket - last);
    at = writeVarint(scratch, at, figures[bucket] as number);
    last = bucket;
  }
  return at;
}

class ChunkReader extends VarintReader {
  *entries(): Generator<readonly [offset: number, cell: Uint8Array]> {
    if (this.bytes[0] !== VERSION) throw new Error(`cells have the version ${this.bytes[0]}`);
    this.at = 1;
    while (this.at < this.bytes.length) {
      const offset = this.varint();
      const length = this.varint();
      yield [offset, this.bytes.subarray(this.at, this.at + length)];
      this.at += length;
    }
  }
}

/** The cells of a chunk, with their offsets. */
export function cellsOf(chunk: Uint8Array): Iterable<readonly [offset: number, cell: Uint8Array]> {
  return new ChunkReader(chunk, 0).entries();
}

/** Returns the figures of the cell at `offset`, which are zero if there is none. */
export function figuresAt(cells: ReadonlyMap<number, Uint8Array>, offset: number): Figures {
  const figures = noFigures();
  const cell = cells.get(offset);
  if (cell) addCell(figures, cell);
  return figures;
}

/** Returns the chunk with `figures` added to what it has at `offset`. No count falls below zero. */
export function addToChunk(chunk: Uint8Array | null, offset: number, figures: Figures): Uint8Array {
  const cells = new Map(chunk === null ? [] : cellsOf(chunk));
  const sums = figuresAt(cells, offset);
  for (const [at, by] of figures.entries()) sums[at] = Math.max(0, (sums[at] as number) + by);
  cells.set(offset, cellOf(sums));
  return joined([...cells].toSorted(([a], [b]) => a - b));
}

function joined(cells: readonly (readonly [offset: number, cell: Uint8Array])[]): Uint8Array {
  const most = cells.reduce((sum, [, cell]) => sum + PREFIX_BYTES + cell.length, 1);
  const bytes = new Uint8Array(most);
  bytes[0] = VERSION;
  let at = 1;
  for (const [offset, cell] of cells) {
    at = writeVarint(bytes, at, offset);
    at = writeVarint(bytes, at, cell.length);
    bytes.set(cell, at);
    at += cell.length;
  }
  return bytes.slice(0, at);
}
