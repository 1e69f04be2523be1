/**
 * The design with which decision 0012 is compared: usage is folded into one row for each cell, with
 * plain columns and two histogram columns, instead of into chunks of cells.
 *
 *   cube:   cells of the finest shape alone; the database adds them up, and percentiles are left out
 *   series: cells of every shape that a query may need, added up here, percentiles included
 *
 * Only what the queries read is built: days, months for ranking, and the hours of 62 days.
 */
import { bucketOf } from '../../router/usage/rollups/histogram.ts';
import type { SummaryQuery } from '../../router/usage/rollups/summary-query.ts';
import {
  DIMENSIONS,
  SHAPES,
  type Series,
  seriesOf,
  shapeOf,
  type Values,
  valuesOf,
} from '../../router/usage/rollups/shapes.ts';
import {
  addAmount,
  COST,
  DURATION,
  figuresOf,
  noSums,
  outcomeOf,
  REQUESTS,
  type Sums,
  TTFT,
} from '../../router/usage/rollups/sums.ts';
import { DAY_MS } from '../../shared/durations.ts';
import { type BucketName, LEVELS, ordinalOf } from '../../router/usage/time-buckets.ts';
import type { Direct } from './usage-seed.ts';

type Question = Omit<SummaryQuery, 'organization'>;

const FINEST = shapeOf(['model', 'key']);
const HOURS_MS = 63 * DAY_MS;
const READ_ROWS = 50_000;
const INSERT_ROWS = 500;

type Cell = { counts: number[]; ttft: Map<number, number>; duration: Map<number, number> };

/** Builds the plain rows from the usage rows. Returns how many rows there are. */
export async function buildPlain(
  db: Direct,
  { requests, until }: Readonly<{ requests: number; until: number }>,
  tell: (text: string) => void,
): Promise<number> {
  await db.run(`create table plain_series (id integer primary key, shape integer not null,
    model text not null, key text not null, member text not null, source text not null)`);
  await db.run(`create table plain_usage (level integer not null, series integer not null,
    ordinal integer not null, outcome integer not null, requests bigint not null,
    prompt bigint not null, cached bigint not null, completion bigint not null,
    cost bigint not null, ttft ${db.bytesType}, duration ${db.bytesType},
    primary key (level, series, ordinal, outcome))${db.clustered}`);
  const series = new SeriesIds();
  let rows = 0;
  const levels: readonly BucketName[] = ['day', 'month', 'hour'];
  for (const level of levels) {
    const cells = new Map<number, Cell>();
    const from = level === 'hour' ? until - HOURS_MS : 0;
    for (let first = 1; first <= requests; first += READ_ROWS) {
      const some = await db.rows(`select model, key, member, source, status, created, prompt_tokens,
        cached_tokens, completion_tokens, cost, ttft_ms, duration_ms from usage
        where seq >= ${first} and seq < ${first + READ_ROWS} and created >= ${from}`);
      for (const row of some) addRow(cells, series, level, row);
      tell(`${level}: ${first} of ${requests} rows, ${cells.size} cells`);
    }
    await insert(db, level, cells);
    rows += cells.size;
  }
  const all = [...series.all.values()].map(({ id, of }) => [
    id,
    of.shape,
    ...DIMENSIONS.map((dimension) => of[dimension]),
  ]);
  await db.insert('plain_series', all);
  await db.settle();
  return rows;
}

/** The ids of the series in which a row counts, by the row's values. */
class SeriesIds {
  readonly all = new Map<string, { id: number; of: Series }>();
  readonly #known = new Map<string, readonly number[]>();

  of(values: Values): readonly number[] {
    const name = DIMENSIONS.map((dimension) => values[dimension]).join('|');
    let ids = this.#known.get(name);
    if (!ids)
      this.#known.set(name, (ids = SHAPES.map((shape) => this.#add(seriesOf(shape, values)))));
    return ids;
  }

  #add(of: Series): number {
    const name = String(of.id);
    const known = this.all.get(name) ?? { id: this.all.size + 1, of };
    this.all.set(name, known);
    return known.id;
  }
}

/** A place for a cell of each series, bucket and outcome, as one number. */
const PLACE = { ordinals: 1_000_000, outcomes: 4 } as const;

function addRow(
  cells: Map<number, Cell>,
  series: SeriesIds,
  level: BucketName,
  row: readonly unknown[],
): void {
  const [model, key, member, source] = row as string[];
  const numbers = row.slice(4).map((value) => (value === null ? null : Number(value)));
  const [status, created, prompt, cached, completion, cost] = numbers as number[];
  const [ttft, duration] = numbers.slice(6) as [number | null, number];
  const values = valuesOf({ model, key, member, source } as Parameters<typeof valuesOf>[0]);
  const bucket = ordinalOf(level, created as number) * PLACE.outcomes + outcomeOf(status as number);
  const more = [1, prompt, cached, completion, cost] as number[];
  for (const id of series.of(values)) {
    const place = id * PLACE.ordinals * PLACE.outcomes + bucket;
    let cell = cells.get(place);
    if (!cell)
      cells.set(place, (cell = { counts: [0, 0, 0, 0, 0], ttft: new Map(), duration: new Map() }));
    for (const [at, value] of more.entries()) cell.counts[at] = (cell.counts[at] as number) + value;
    if (ttft !== null) raise(cell.ttft, bucketOf(ttft));
    raise(cell.duration, bucketOf(duration));
  }
}

function raise(histogram: Map<number, number>, bucket: number): void {
  histogram.set(bucket, (histogram.get(bucket) ?? 0) + 1);
}

async function insert(db: Direct, level: BucketName, cells: Map<number, Cell>): Promise<void> {
  let rows: unknown[][] = [];
  for (const [place, { counts, ttft, duration }] of cells) {
    const outcome = place % PLACE.outcomes;
    const bucket = (place - outcome) / PLACE.outcomes;
    const ordinal = bucket % PLACE.ordinals;
    const id = (bucket - ordinal) / PLACE.ordinals;
    const { number } = LEVELS[level];
    rows.push([number, id, ordinal, outcome, ...counts, packed(ttft), packed(duration)]);
    if (rows.length < INSERT_ROWS) continue;
    await db.insert('plain_usage', rows);
    rows = [];
  }
  if (rows.length > 0) await db.insert('plain_usage', rows);
}

/** Pairs of a bucket and its count, of two bytes each. */
function packed(histogram: ReadonlyMap<number, number>): Buffer {
  return Buffer.from(Uint16Array.from([...histogram].flat()).buffer);
}

/** Answers a query from the finest shape, as far as the database can: without percentiles. */
export async function askCube(db: Direct, asked: Question): Promise<number> {
  const { groupBy } = asked;
  const group = groupBy === null ? '' : `, s.${groupBy}`;
  const rows = await db.rows(`select u.ordinal${group}, sum(u.requests), sum(u.prompt),
    sum(u.cached), sum(u.completion), sum(u.cost)
    from plain_usage u join plain_series s on s.id = u.series
    where s.shape = ${FINEST} and ${whereOf(asked)} group by u.ordinal${group}`);
  return rows.length;
}

/** Answers a query from the series of its shape, percentiles included. */
export async function askSeries(db: Direct, asked: Question): Promise<number> {
  const { groupBy, groups } = asked;
  const filtered = DIMENSIONS.filter((dimension) => asked.filters[dimension] !== undefined);
  const cells = new Map<string, Sums>();
  const add = async (shape: number, ids: string) => {
    const rows = await db.rows(`select u.series, u.ordinal, u.requests, u.prompt, u.cached,
      u.completion, u.cost, u.ttft, u.duration
      from plain_usage u join plain_series s on s.id = u.series
      where s.shape = ${shape} and ${whereOf(asked)} ${ids}`);
    for (const row of rows) addTo(cells, row);
  };
  if (groupBy !== null) {
    const shape = shapeOf([...filtered, groupBy]);
    const ranked = await db.rows(`select u.series, sum(u.cost) from plain_usage u
      join plain_series s on s.id = u.series where s.shape = ${shape} and ${whereOf(asked)}
      group by u.series order by 2 desc limit ${groups}`);
    if (ranked.length > 0)
      await add(shape, `and u.series in (${ranked.map(([id]) => String(id)).join()})`);
  }
  await add(shapeOf(filtered), '');
  return [...cells.values()].map(figuresOf).length;
}

function addTo(cells: Map<string, Sums>, row: readonly unknown[]): void {
  const place = `${String(row[0])}/${String(row[1])}`;
  let sums = cells.get(place);
  if (!sums) cells.set(place, (sums = noSums()));
  for (let at = REQUESTS; at < 4; at++) sums[at] = (sums[at] as number) + Number(row[2 + at]);
  addAmount(sums, COST, 0, Number(row[6]));
  addHistogram(sums, TTFT, row[7] as Uint8Array);
  addHistogram(sums, DURATION, row[8] as Uint8Array);
}

function addHistogram(sums: Sums, from: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; at += 4) {
    const bucket = from + (bytes[at] as number) + 256 * (bytes[at + 1] as number);
    const count = (bytes[at + 2] as number) + 256 * (bytes[at + 3] as number);
    sums[bucket] = (sums[bucket] as number) + count;
  }
}

function whereOf({ bucket, from, until, filters, status }: Question): string {
  const within = `u.level = ${LEVELS[bucket].number} and u.ordinal >= ${from} and u.ordinal < ${until}`;
  const equal = DIMENSIONS.flatMap((dimension) => {
    const values = filters[dimension];
    return values ? [`s.${dimension} in ('${values.join("', '")}')`] : [];
  });
  return [within, ...equal, ...(status?.includes('5xx') ? ['u.outcome = 3'] : [])].join(' and ');
}
