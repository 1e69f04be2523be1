/** The chunks of one level that a fold changes: what is added to them, and their new contents. */
import { CellReader, CellWriter, placeOf } from './cells.ts';
import { type Series, SHAPES, seriesOf, type Values } from './shapes.ts';
import { noSums } from './sums.ts';
import { type BucketName, chunkOf, LEVELS, oldestChunk, ordinalOf } from '../time-buckets.ts';
import { type UsageDelta, applyDelta } from './usage-deltas.ts';

/** The usage deltas of each cell, by the cell's place. */
type Additions = Map<number, UsageDelta[]>;

/** All chunks of one stretch of time that change. */
export type Stretch = Readonly<{
  level: bigint;
  chunk: bigint;
  /** By series. */
  additions: ReadonlyMap<bigint, Additions>;
}>;

/** The series in which a row counts, one for each shape. */
export class SeriesTable {
  readonly all = new Map<bigint, Series>();
  readonly #known = new Map<string, readonly bigint[]>();

  idsOf(values: Values): readonly bigint[] {
    const { model, key, member, source } = values;
    const name = JSON.stringify([model, key, member, source]);
    const known = this.#known.get(name);
    if (known) return known;
    const made = SHAPES.map((shape) => seriesOf(shape, values));
    for (const series of made) this.all.set(series.id, series);
    const ids = made.map(({ id }) => id);
    this.#known.set(name, ids);
    return ids;
  }
}

/** Sorts usage deltas by chunk and series. Rows older than the level keeps are left out. */
export function stretchesOf(
  name: BucketName,
  deltas: readonly (readonly [UsageDelta, readonly bigint[]])[],
  now: number,
): Stretch[] {
  const { number, perChunk } = LEVELS[name];
  const oldest = oldestChunk(name, now) ?? Number.NEGATIVE_INFINITY;
  const stretches = new Map<number, Map<bigint, Additions>>();
  for (const [one, ids] of deltas) {
    const ordinal = ordinalOf(name, one.created);
    const chunk = chunkOf(name, ordinal);
    if (chunk < oldest) continue;
    const place = placeOf(ordinal - chunk * perChunk, one.outcome);
    let stretch = stretches.get(chunk);
    if (!stretch) stretches.set(chunk, (stretch = new Map()));
    for (const id of ids) {
      let additions = stretch.get(id);
      if (!additions) stretch.set(id, (additions = new Map()));
      const cell = additions.get(place);
      if (cell) cell.push(one);
      else additions.set(place, [one]);
    }
  }
  const level = BigInt(number);
  return [...stretches].map(([chunk, additions]) => ({ level, chunk: BigInt(chunk), additions }));
}

/** Rewrites chunks; cells without additions are copied as they are. */
export class Rewriter {
  readonly #writer = new CellWriter();
  readonly #sums = noSums();

  /** Returns null if the chunk is empty. */
  rewrite(cells: Uint8Array | null, additions: Additions): Uint8Array | null {
    const writer = this.#writer;
    const reader = cells ? new CellReader(cells) : null;
    let more = reader?.next() ?? false;
    writer.begin();
    for (const place of [...additions.keys()].toSorted((a, b) => a - b)) {
      for (; reader && more && reader.place < place; more = reader.next()) {
        writer.copy(reader.place, reader.raw());
      }
      const isThere = more && reader?.place === place;
      this.#add(place, isThere ? reader : null, additions.get(place) ?? []);
      if (reader && isThere) more = reader.next();
    }
    for (; reader && more; more = reader.next()) writer.copy(reader.place, reader.raw());
    return writer.end();
  }

  #add(place: number, reader: CellReader | null, some: readonly UsageDelta[]): void {
    const sums = this.#sums;
    const touched: number[] = [];
    sums.fill(0);
    reader?.addTo(sums, true, touched);
    for (const one of some) applyDelta(sums, one, true, touched);
    this.#writer.add(place, sums, touched);
  }
}
