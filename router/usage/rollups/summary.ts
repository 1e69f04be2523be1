/**
 * Usage by time and by one dimension: the rollups and the rows not folded yet, read in one
 * transaction, so that the newest request is always included.
 */
import { StoreUnavailable } from '../../store/errors.ts';
import { type Db, readProcedure } from '../../store/procedure.ts';
import { Aggregator, groupOf, type StoredChunk } from './aggregator.ts';
import { readMark } from './fold.ts';
import { DIMENSIONS, type Dimension, shapeOf, type Values } from './shapes.ts';
import type { Summary, SummaryQuery } from './summary-query.ts';
import { type BucketName, chunkOf, LEVELS, ordinalOf, startOf } from '../time-buckets.ts';
import { type UsageDelta, readUnaggregated } from './usage-deltas.ts';

/** The most unfolded rows that a query adds up; beyond it, a fold has to come first. */
const NEWS_ROWS_MAX = 20_000;
/** The most chunks that one query reads. */
const CHUNKS_MAX = 20_000;
/** How many of them are read at once, at up to 25 KB each. */
const PAGE_CHUNKS = 200;

export const summarizeUsage = readProcedure<SummaryQuery, Summary | 'too_wide'>(
  'summarizeUsage',
  { heavy: true },
  async (db, query) => {
    const { folded_seq } = await readMark(db, query.organization);
    const news = await readUnaggregated(db, query.organization, folded_seq, NEWS_ROWS_MAX);
    if (!news.isAll) {
      throw new StoreUnavailable('more usage rows wait to be folded than a query may add up');
    }
    const tail = news.deltas.filter((one) => isWithin(query, one));
    const { bucket, from, until } = query;
    const piece = { bucket, from, until };
    const seriesMax = Math.floor(CHUNKS_MAX / chunksOf(piece).length);
    const series = await readSeries(db, query, query.groupBy, seriesMax + 1);
    if (series.size > seriesMax) return 'too_wide';
    return await new Aggregator(query).sum({
      tail,
      ranking: async () => {
        const all: StoredChunk[] = [];
        for (const one of rankingPieces(piece))
          all.push(...(await readChunks(db, query, series, one)));
        return all;
      },
      groups: (isShown) => {
        const shown = [...series].filter(([, group]) => isShown(group));
        return readChunks(db, query, new Map(shown), piece);
      },
      together: async () =>
        readChunks(db, query, await readSeries(db, query, null, seriesMax), piece),
    });
  },
);

function isWithin(query: SummaryQuery, one: UsageDelta): boolean {
  const ordinal = ordinalOf(query.bucket, one.created);
  if (ordinal < query.from || ordinal >= query.until) return false;
  return DIMENSIONS.every((dimension) => {
    const wanted = query.filters[dimension];
    return wanted === undefined || (wanted as readonly string[]).includes(one.values[dimension]);
  });
}

/** Consecutive buckets, by ordinal; `until` is not included. */
type Piece = Readonly<{ bucket: BucketName; from: number; until: number }>;

const COARSER: Readonly<Record<BucketName, BucketName | null>> = {
  minute: 'hour',
  hour: 'day',
  day: 'month',
  month: null,
};

/** Uses the next longer buckets where whole ones fit: the same sums, from far fewer chunks. */
function rankingPieces({ bucket, from, until }: Piece): Piece[] {
  const longer = COARSER[bucket];
  if (longer === null) return [{ bucket, from, until }];
  const first = ordinalOf(longer, startOf(bucket, from) - 1) + 1;
  const end = ordinalOf(longer, startOf(bucket, until));
  if (end <= first) return [{ bucket, from, until }];
  const ordinal = (whole: number) => ordinalOf(bucket, startOf(longer, whole));
  const pieces: Piece[] = [
    { bucket, from, until: ordinal(first) },
    { bucket: longer, from: first, until: end },
    { bucket, from: ordinal(end), until },
  ];
  return pieces.filter((piece) => piece.from < piece.until);
}

function chunksOf({ bucket, from, until }: Piece): number[] {
  const first = chunkOf(bucket, from);
  return Array.from({ length: chunkOf(bucket, until - 1) - first + 1 }, (_, n) => first + n);
}

async function readChunks(
  db: Db,
  { organization }: SummaryQuery,
  groups: ReadonlyMap<bigint, string>,
  piece: Piece,
): Promise<StoredChunk[]> {
  const { from, until } = piece;
  const { number, perChunk } = LEVELS[piece.bucket];
  const all: StoredChunk[] = [];
  for (const series of inParts([...groups.keys()], PAGE_CHUNKS)) {
    for (const chunks of inParts(chunksOf(piece), Math.ceil(PAGE_CHUNKS / series.length))) {
      const rows = await db
        .selectFrom('usage_rollups')
        .select(['series', 'chunk', 'cells'])
        .where('organization', '=', organization)
        .where('level', '=', BigInt(number))
        .where('chunk', 'in', chunks.map(BigInt))
        .where('series', 'in', series)
        .execute();
      for (const { series: id, chunk, cells } of rows) {
        all.push({
          first: Number(chunk) * perChunk,
          from,
          until,
          group: groups.get(id) ?? '',
          cells,
        });
      }
    }
  }
  return all;
}

function* inParts<Item>(items: readonly Item[], length: number): Generator<Item[]> {
  for (let at = 0; at < items.length; at += length) yield items.slice(at, at + length);
}

/** The series that separate no more dimensions than needed, and the group of each. */
async function readSeries(
  db: Db,
  query: SummaryQuery,
  groupBy: Dimension | null,
  limit: number,
): Promise<Map<bigint, string>> {
  const filtered = DIMENSIONS.filter((dimension) => query.filters[dimension] !== undefined);
  const shape = shapeOf(groupBy === null ? filtered : [...filtered, groupBy]);
  let rows = db
    .selectFrom('usage_series')
    .select(['id', ...DIMENSIONS])
    .where('organization', '=', query.organization)
    .where('shape', '=', BigInt(shape))
    .limit(limit);
  for (const dimension of filtered) {
    rows = rows.where(dimension, 'in', query.filters[dimension] as readonly string[]);
  }
  const found = await rows.execute();
  return new Map(found.map(({ id, ...values }) => [id, groupOf(query, values as Values)]));
}
