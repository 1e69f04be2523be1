/**
 * Writes cells into the store. The cells of several routers add up: a transaction of any of them
 * first locks one row, reads the chunks, adds to them and writes them. Each router numbers its
 * batches, so a batch is added once, even if it is sent again because its answer was lost.
 */
import type { Db } from '../store/procedure.ts';
import { writeProcedure } from '../store/procedure.ts';
import { addCell, addToChunk, cellsOf, figuresAt } from './cells.ts';
import { type Figures, noFigures } from './figures.ts';
import { chunkOf, type Level, LEVELS, oldestChunk, ordinalOf } from './levels.ts';
import { SERIES_MAX, type RecordedCell } from './recorder.ts';
import { addedToHour } from './sampled-time.ts';
import type { Series } from './series.ts';

/** The most series in the store: of models and regions, and of workers. */
const STORED_MAX = { models: 4_096, workers: 8_192 } as const;
/** How old the mark of a series may be that says when it was last written. */
const SEEN_MS = 60 * 60_000;
/** How long a router may take to send a batch again. */
const BATCHES_KEPT_MS = 24 * 60 * 60_000;
/** The row that every batch locks. */
export const LOCK = '';

export type HistoryBatch = Readonly<{
  /** One run of a router process, and the number of this batch of it, from 1. */
  router: string;
  number: number;
  /** When the cells began; ms since the epoch. */
  minute: number;
  now: number;
  cells: readonly RecordedCell[];
}>;

export const writeHistory = writeProcedure<HistoryBatch, void>(
  'writeHistory',
  async (db, { router, number, minute, now, cells }) => {
    await db
      .updateTable('history_batches')
      .set({ written: BigInt(now) })
      .where('router', '=', LOCK)
      .execute();
    if (!(await isNew(db, { router, number, now }))) return;
    const known = await keepSeries(
      db,
      cells.map(({ series }) => series),
      now,
    );
    const kept = cells
      .filter(({ series }) => known.has(series.id))
      .map(({ series: { id }, cell }) => ({ id, figures: figuresOf(cell) }));
    const minuteBefore = await addFigures(db, LEVELS.minute, { minute, now }, kept);
    const toHour = kept.map(({ id, figures }) => ({
      id,
      figures: addedToHour(minuteBefore(id), figures),
    }));
    await addFigures(db, LEVELS.hour, { minute, now }, toHour);
  },
);

function figuresOf(cell: Uint8Array): Figures {
  const figures = noFigures();
  addCell(figures, cell);
  return figures;
}

/** Notes the batch. Returns false if it was written before. */
async function isNew(
  db: Db,
  { router, number, now }: Pick<HistoryBatch, 'router' | 'number' | 'now'>,
): Promise<boolean> {
  const last = await db
    .selectFrom('history_batches')
    .select('number')
    .where('router', '=', router)
    .executeTakeFirst();
  if (last && last.number >= BigInt(number)) return false;
  const noted = { number: BigInt(number), written: BigInt(now) };
  await db
    .insertInto('history_batches')
    .values({ router, ...noted })
    .onConflict((conflict) => conflict.column('router').doUpdateSet(noted))
    .execute();
  return true;
}

/** Returns the ids of the series that are in the store, and adds those for which there is room. */
async function keepSeries(
  db: Db,
  all: readonly Series[],
  now: number,
): Promise<ReadonlySet<bigint>> {
  if (all.length === 0) return new Set();
  const ids = all.map(({ id }) => id);
  const rows = await db
    .selectFrom('history_series')
    .select(['id', 'seen'])
    .where('id', 'in', ids)
    .execute();
  const known = new Set(rows.map(({ id }) => id));
  const old = rows.filter(({ seen }) => Number(seen) < now - SEEN_MS).map(({ id }) => id);
  if (old.length > 0) {
    await db
      .updateTable('history_series')
      .set({ seen: BigInt(now) })
      .where('id', 'in', old)
      .execute();
  }
  const wanted = all.filter(({ id }) => !known.has(id));
  const added = wanted.length === 0 ? [] : await fitting(db, wanted);
  if (added.length > 0) {
    await db
      .insertInto('history_series')
      .values(added.map((series) => ({ ...series, seen: BigInt(now) })))
      .execute();
  }
  for (const { id } of added) known.add(id);
  return known;
}

/** Those of the new series that the bounds allow. */
async function fitting(db: Db, wanted: readonly Series[]): Promise<Series[]> {
  const rows = await db
    .selectFrom('history_series')
    .select((row) => ['agent', row.fn.countAll<bigint>().as('n')] as const)
    .groupBy('agent')
    .execute();
  const ofAgent = new Map(rows.map(({ agent, n }) => [agent, Number(n)]));
  const models = ofAgent.get('') ?? 0;
  let modelsLeft = STORED_MAX.models - models;
  let workersLeft = STORED_MAX.workers + models - [...ofAgent.values()].reduce((a, n) => a + n, 0);
  return wanted.filter(({ agent }) => {
    if (agent === '') return modelsLeft-- > 0;
    const n = ofAgent.get(agent) ?? 0;
    if (n >= SERIES_MAX.workersOfAgent || workersLeft <= 0) return false;
    ofAgent.set(agent, n + 1);
    workersLeft -= 1;
    return true;
  });
}

type Added = Readonly<{ id: bigint; figures: Figures }>;

/**
 * Adds figures to the cells of a level. Returns a function that tells what a series had there
 * before.
 */
async function addFigures(
  db: Db,
  level: Level,
  { minute, now }: Pick<HistoryBatch, 'minute' | 'now'>,
  added: readonly Added[],
): Promise<(id: bigint) => Figures> {
  const ordinal = ordinalOf(level, minute);
  const chunk = chunkOf(level, ordinal);
  if (added.length === 0 || chunk < oldestChunk(level, now)) return noFigures;
  const offset = ordinal - chunk * level.perChunk;
  const place = { level: BigInt(level.number), chunk: BigInt(chunk) };
  const rows = await db
    .selectFrom('history_cells')
    .select(['series', 'cells'])
    .where('level', '=', place.level)
    .where('chunk', '=', place.chunk)
    .where(
      'series',
      'in',
      added.map(({ id }) => id),
    )
    .execute();
  const stored = new Map(rows.map(({ series, cells }) => [series, cells]));
  await db
    .insertInto('history_cells')
    .values(
      added.map(({ id, figures }) => ({
        ...place,
        series: id,
        cells: addToChunk(stored.get(id) ?? null, offset, figures),
      })),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['level', 'chunk', 'series'])
        .doUpdateSet((row) => ({ cells: row.ref('excluded.cells') })),
    )
    .execute();
  return (id) => {
    const before = stored.get(id);
    return before ? figuresAt(new Map(cellsOf(before)), offset) : noFigures();
  };
}

type Sweep = Readonly<{ now: number; rows: number }>;

/** Deletes at most `rows` rows of chunks and of series that are too old. Returns how many it found. */
export const sweepHistory = writeProcedure<Sweep, number>(
  'sweepHistory',
  async (db, { now, rows }) => {
    let found = 0;
    for (const level of Object.values(LEVELS)) {
      const old = await db
        .selectFrom('history_cells')
        .select(['chunk', 'series'])
        .where('level', '=', BigInt(level.number))
        .where('chunk', '<', BigInt(oldestChunk(level, now)))
        .orderBy('chunk')
        .limit(rows - found)
        .execute();
      found += old.length;
      for (const [chunk, some] of Map.groupBy(old, (row) => row.chunk)) {
        await db
          .deleteFrom('history_cells')
          .where('level', '=', BigInt(level.number))
          .where('chunk', '=', chunk)
          .where(
            'series',
            'in',
            some.map(({ series }) => series),
          )
          .execute();
      }
      if (found >= rows) return found;
    }
    const before = BigInt(now - LEVELS.hour.keptMs - LEVELS.hour.perChunk * LEVELS.hour.lengthMs);
    const gone = await db
      .selectFrom('history_series')
      .select('id')
      .where('seen', '<', before - BigInt(SEEN_MS))
      .limit(rows - found)
      .execute();
    if (gone.length > 0) {
      const ids = gone.map(({ id }) => id);
      await db.deleteFrom('history_series').where('id', 'in', ids).execute();
    }
    await db
      .deleteFrom('history_batches')
      .where('written', '<', BigInt(now - BATCHES_KEPT_MS))
      .where('router', '!=', LOCK)
      .execute();
    return found + gone.length;
  },
);
