/**
 * Folds usage rows into the rollups, in order, after their settlement (MONEY 21). A fold is
 * prepared by a read procedure and then written, so that the slow part keeps no writer waiting. It
 * is written as a whole, together with the mark of how far it goes, and only if the mark is still
 * the one it was prepared from. So no fold is written twice, and several routers may try.
 */
import { deserialize, serialize } from 'node:v8';
import type { OrganizationId, RequestId } from '../../../shared/ids.ts';
import { type Db, readProcedure, writeProcedure } from '../../store/procedure.ts';
import type { UsageFoldRow, UsageRollupRow } from '../../store/schema/rollups.ts';
import type { Store } from '../../store/store.ts';
import { Rewriter, SeriesTable, type Stretch, stretchesOf } from './chunks.ts';
import type { Series } from './shapes.ts';
import { BUCKET_NAMES, LEVELS, oldestChunk } from '../time-buckets.ts';
import { readUnaggregated } from './usage-deltas.ts';

const SLICE_ROWS = 1_000;
/** Rows in one statement; SQLite takes 32,766 values, PostgreSQL 65,535. */
const BATCH_ROWS = 1_000;

type SliceQuery = Readonly<{ organization: OrganizationId; rows: number; now: number }>;

type Written = Omit<UsageRollupRow, 'organization'>;
type Emptied = Omit<Written, 'cells'>;

type SliceParts = Readonly<{
  organization: OrganizationId;
  /** The version of the mark that the fold was prepared from. */
  version: bigint;
  folded: bigint;
  reversed: readonly RequestId[];
  series: readonly Series[];
  written: readonly Written[];
  emptied: readonly Emptied[];
  now: number;
}>;

/**
 * A serialized SliceParts. It passes through the router's thread from the reading thread to the
 * writing one, and its thousands of chunks must not become objects there.
 */
type Slice = Uint8Array;

/** How far an organization is folded. Rows above `folded_seq` must not be deleted yet. */
export async function readMark(
  db: Db,
  organization: OrganizationId,
): Promise<Pick<UsageFoldRow, 'folded_seq' | 'version'>> {
  const row = await db
    .selectFrom('usage_folds')
    .select(['folded_seq', 'version'])
    .where('organization', '=', organization)
    .executeTakeFirst();
  return row ?? { folded_seq: 0n, version: 0n };
}

/** Prepares the fold of at most `rows` rows; null: there is nothing to fold. */
export const prepareFold = readProcedure<SliceQuery, Slice | null>(
  'prepareFold',
  { heavy: true },
  async (db, { organization, rows, now }) => {
    const { folded_seq, version } = await readMark(db, organization);
    const { deltas, last, reversed } = await readUnaggregated(db, organization, folded_seq, rows);
    if (last === folded_seq && reversed.length === 0) return null;
    const series = new SeriesTable();
    const placed = deltas.map((one) => [one, series.idsOf(one.values)] as const);
    const rewriter = new Rewriter();
    const written: Written[] = [];
    const emptied: Emptied[] = [];
    for (const stretch of BUCKET_NAMES.flatMap((name) => stretchesOf(name, placed, now))) {
      const { level, chunk, additions } = stretch;
      const stored = await readCells(db, organization, stretch);
      for (const [id, some] of additions) {
        const cells = rewriter.rewrite(stored.get(id) ?? null, some);
        if (cells) written.push({ level, chunk, series: id, cells });
        else emptied.push({ level, chunk, series: id });
      }
    }
    const all = [...series.all.values()];
    const head = { organization, version, folded: last, reversed, now };
    return serialize({ ...head, series: all, written, emptied } satisfies SliceParts);
  },
);

/** The stored chunks of a stretch, by series. */
async function readCells(
  db: Db,
  organization: OrganizationId,
  { level, chunk, additions }: Stretch,
): Promise<Map<bigint, Uint8Array>> {
  const stored = new Map<bigint, Uint8Array>();
  for (const ids of batches([...additions.keys()])) {
    const rows = await db
      .selectFrom('usage_rollups')
      .select(['series', 'cells'])
      .where('organization', '=', organization)
      .where('level', '=', level)
      .where('chunk', '=', chunk)
      .where('series', 'in', ids)
      .execute();
    for (const { series, cells } of rows) stored.set(series, cells);
  }
  return stored;
}

/** Writes a fold. False: another fold was written in the meantime, and this one was not. */
export const writeFold = writeProcedure<Slice, boolean>(
  'writeFold',
  { heavy: true },
  async (db, slice) => {
    const parts = deserialize(slice) as SliceParts;
    const { organization, version, folded, reversed, series, written, emptied, now } = parts;
    await db
      .insertInto('usage_folds')
      .values({ organization, folded_seq: 0n, version: 0n })
      .onConflict((conflict) => conflict.column('organization').doNothing())
      .execute();
    const { numUpdatedRows } = await db
      .updateTable('usage_folds')
      .set({ folded_seq: folded, version: version + 1n })
      .where('organization', '=', organization)
      .where('version', '=', version)
      .executeTakeFirst();
    if (numUpdatedRows !== 1n) return false;
    for (const requests of batches(reversed)) {
      await db.deleteFrom('usage_reversals').where('request', 'in', requests).execute();
    }
    await writeSeries(db, organization, series);
    for (const rows of batches(written)) {
      await db
        .insertInto('usage_rollups')
        .values(rows.map((row) => ({ organization, ...row })))
        .onConflict((conflict) =>
          conflict
            .columns(['organization', 'level', 'chunk', 'series'])
            .doUpdateSet((row) => ({ cells: row.ref('excluded.cells') })),
        )
        .execute();
    }
    for (const { level, chunk, series: id } of emptied) {
      await db
        .deleteFrom('usage_rollups')
        .where('organization', '=', organization)
        .where('level', '=', level)
        .where('chunk', '=', chunk)
        .where('series', '=', id)
        .execute();
    }
    await dropOldest(db, organization, now);
    return true;
  },
);

async function writeSeries(
  db: Db,
  organization: OrganizationId,
  series: readonly Series[],
): Promise<void> {
  for (const rows of batches(series)) {
    await db
      .insertInto('usage_series')
      .values(rows.map((row) => ({ ...row, organization, shape: BigInt(row.shape) })))
      .onConflict((conflict) => conflict.columns(['organization', 'id']).doNothing())
      .execute();
  }
}

/** Deletes one expired chunk of each level, which is more than expire between two folds. */
async function dropOldest(db: Db, organization: OrganizationId, now: number): Promise<void> {
  for (const name of ['minute', 'hour'] as const) {
    const level = BigInt(LEVELS[name].number);
    const oldest = await db
      .selectFrom('usage_rollups')
      .select('chunk')
      .where('organization', '=', organization)
      .where('level', '=', level)
      .orderBy('chunk')
      .limit(1)
      .executeTakeFirst();
    const kept = oldestChunk(name, now);
    if (!oldest || kept === null || oldest.chunk >= kept) continue;
    await db
      .deleteFrom('usage_rollups')
      .where('organization', '=', organization)
      .where('level', '=', level)
      .where('chunk', '=', oldest.chunk)
      .execute();
  }
}

/** Folds a slice. `nothing`: no rows wait. `overtaken`: another fold was written first. */
export async function foldSlice(
  store: Pick<Store, 'call'>,
  { organization, now, rows = SLICE_ROWS }: Omit<SliceQuery, 'rows'> & { rows?: number },
): Promise<'folded' | 'nothing' | 'overtaken'> {
  const slice = await store.call(prepareFold, { organization, rows, now });
  if (!slice) return 'nothing';
  return (await store.call(writeFold, slice)) ? 'folded' : 'overtaken';
}

function* batches<Row>(rows: readonly Row[]): Generator<Row[]> {
  for (let at = 0; at < rows.length; at += BATCH_ROWS) yield rows.slice(at, at + BATCH_ROWS);
}
