/** Reads the history of the fleet: by time, and by one of its dimensions. */
import type { AgentId } from '../../shared/ids.ts';
import type { Region } from '../../shared/region.ts';
import type { Db } from '../store/procedure.ts';
import type { HistorySeriesRow } from '../store/schema/history.ts';
import { addCell, cellsOf } from './cells.ts';
import { COMPLETION, noFigures, OUTCOMES, WORKERS } from './figures.ts';
import { chunkOf, LEVELS, type LevelName, ordinalOf } from './levels.ts';
import { GroupSums, type MergedGroup, SeriesSums, type Span } from './merge.ts';
import { seriesOf } from './series.ts';

/** The most chunks that one answer is made of, and how many of them are read at once. */
const CHUNKS_MAX = 20_000;
const PAGE_CHUNKS = 500;
/** By how much of the end of the span groups are ranked. */
const RANKED_MS = 24 * 60 * 60_000;

export type HistoryQuery = Readonly<{
  level: LevelName;
  /** Ordinals of cells; `until` is not included. `step`: how many make a bucket. */
  from: number;
  until: number;
  step: number;
  /** Ms since the epoch; what lies after it is not in the store yet. */
  end: number;
  groupBy: 'model' | 'region' | 'agent' | 'worker' | null;
  /** The most groups, the busiest first. */
  groups: number;
  /** Not both a model and an agent: the history does not relate them. */
  model: string | null;
  region: Region | null;
  agent: AgentId | null;
  /** The name of a worker on that agent. */
  worker: string | null;
}>;

/** One group of all that the fleet has done. */
export const WHOLE_FLEET = {
  groupBy: null,
  groups: 1,
  model: null,
  region: null,
  agent: null,
  worker: null,
} as const satisfies Partial<HistoryQuery>;

/** What the members of a group have in common; null where they differ. */
export type HistoryGroup = MergedGroup &
  Readonly<{
    model: string | null;
    region: Region | null;
    agent: AgentId | null;
    worker: string | null;
  }>;

export type HistoryAnswer = Readonly<{ groups: readonly HistoryGroup[]; omitted: number }>;

type Series = Omit<HistorySeriesRow, 'seen'>;
type Group = readonly [Series, ...Series[]];

export async function readHistory(db: Db, query: HistoryQuery): Promise<HistoryAnswer> {
  const span: Span = { ...query, level: LEVELS[query.level] };
  const all = groupsOf(query, await readSeries(db, query));
  const ranked = all.length > 1 ? await rank(db, span, all) : all;
  const shown = fitting(span, ranked.slice(0, query.groups));
  const regions = await regionSums(db, span, shown);
  const groups: HistoryGroup[] = [];
  for (const members of shown) {
    const sums = new GroupSums(span);
    for (const series of members) {
      const own = await sumsOf(db, span, series);
      // The samples of a model's workers are those of their region: it has some without workers.
      sums.add(own, series.model === '' ? own : (regions.get(series.region) ?? own));
    }
    groups.push({ ...nameOf(query, members[0]), ...sums.shown() });
  }
  return { groups, omitted: ranked.length - shown.length };
}

/** The series of the kind that the query is about: of regions, of models, or of workers. */
async function readSeries(db: Db, query: HistoryQuery): Promise<Series[]> {
  const { groupBy, model, region, agent, worker } = query;
  let rows = db
    .selectFrom('history_series')
    .select(['id', 'region', 'model', 'agent', 'worker'])
    .orderBy('id');
  const ofWorkers = agent !== null || groupBy === 'agent' || groupBy === 'worker';
  if (agent !== null) rows = rows.where('agent', '=', agent);
  else rows = rows.where('agent', ofWorkers ? '!=' : '=', '');
  if (model !== null) rows = rows.where('model', '=', model);
  else rows = rows.where('model', groupBy === 'model' ? '!=' : '=', '');
  if (worker !== null) rows = rows.where('worker', '=', worker);
  if (region !== null) rows = rows.where('region', '=', region);
  return await rows.execute();
}

function groupsOf({ groupBy }: HistoryQuery, all: readonly Series[]): Group[] {
  const keyOf = ({ region, model, agent, worker }: Series) =>
    groupBy && { region, model, agent, worker: `${agent}/${worker}` }[groupBy];
  return [...Map.groupBy(all, keyOf).values()] as unknown as Group[];
}

function nameOf({ groupBy, model, region, agent, worker }: HistoryQuery, one: Series) {
  const isWorker = groupBy === 'worker';
  return {
    model: groupBy === 'model' ? one.model : model,
    region: groupBy === 'region' ? one.region : region,
    agent: isWorker || groupBy === 'agent' ? (one.agent as AgentId) : agent,
    worker: isWorker ? one.worker : worker,
  };
}

/** Sorts the groups by what they did at the end of the span, and leaves out those with nothing. */
async function rank(db: Db, span: Span, all: readonly Group[]): Promise<Group[]> {
  const end = span.until * span.level.lengthMs;
  const start = Math.max(span.from * span.level.lengthMs, end - RANKED_MS);
  const hours = {
    level: LEVELS.hour,
    from: ordinalOf(LEVELS.hour, start),
    until: ordinalOf(LEVELS.hour, end - 1) + 1,
  };
  const activity = new Map<bigint, number>();
  const ids = all.flatMap((group) => group.map(({ id }) => id));
  const figures = noFigures();
  for await (const { series, cell } of readCells(db, hours, ids)) {
    figures.fill(0);
    addCell(figures, cell);
    // Those without requests are sorted by their workers.
    let sum = (figures[COMPLETION] as number) + (figures[WORKERS] as number) / 1_000_000;
    for (let outcome = 0; outcome < OUTCOMES; outcome++) sum += figures[outcome] as number;
    activity.set(series, (activity.get(series) ?? 0) + sum);
  }
  return all
    .map((group) => ({
      group,
      sum: group.reduce((sum, { id }) => sum + (activity.get(id) ?? 0), 0),
    }))
    .filter(({ sum }) => sum > 0)
    .toSorted((a, b) => b.sum - a.sum)
    .map(({ group }) => group);
}

/** The first groups, as many as may be read for one answer. */
function fitting(span: Cells, groups: readonly Group[]): readonly Group[] {
  const perSeries = chunksOf(span).length;
  let chunks = 0;
  const fit = groups.findIndex((members) => (chunks += members.length * perSeries) > CHUNKS_MAX);
  return fit < 0 ? groups : groups.slice(0, fit);
}

/** The sums of the regions whose models are shown. */
async function regionSums(
  db: Db,
  span: Span,
  groups: readonly Group[],
): Promise<ReadonlyMap<Region, SeriesSums>> {
  const regions = new Set(groups.flat().flatMap(({ model, region }) => (model ? [region] : [])));
  const sums = new Map<Region, SeriesSums>();
  for (const region of regions) {
    const series = seriesOf({ region, model: '', agent: '', worker: '' });
    sums.set(region, await sumsOf(db, span, series));
  }
  return sums;
}

async function sumsOf(db: Db, span: Span, { id }: Pick<Series, 'id'>): Promise<SeriesSums> {
  const sums = new SeriesSums(span);
  for await (const { ordinal, cell } of readCells(db, span, [id])) sums.add(ordinal, cell);
  return sums;
}

/** Consecutive cells of a level; `until` is not included. */
export type Cells = Pick<Span, 'level' | 'from' | 'until'>;
type Cell = Readonly<{ series: bigint; ordinal: number; cell: Uint8Array }>;

export async function* readCells(
  db: Db,
  cells: Cells,
  series: readonly bigint[],
): AsyncGenerator<Cell> {
  const { level, from, until } = cells;
  for (const ids of inParts(series, PAGE_CHUNKS)) {
    for (const chunks of inParts(chunksOf(cells), Math.ceil(PAGE_CHUNKS / ids.length))) {
      const rows = await db
        .selectFrom('history_cells')
        .select(['series', 'chunk', 'cells'])
        .where('level', '=', BigInt(level.number))
        .where('chunk', 'in', chunks)
        .where('series', 'in', ids)
        .execute();
      for (const row of rows) {
        const first = Number(row.chunk) * level.perChunk;
        for (const [offset, cell] of cellsOf(row.cells)) {
          const ordinal = first + offset;
          if (ordinal >= from && ordinal < until) yield { series: row.series, ordinal, cell };
        }
      }
    }
  }
}

export function chunksOf({ level, from, until }: Cells): bigint[] {
  const first = chunkOf(level, from);
  const count = chunkOf(level, until - 1) + 1 - first;
  return Array.from({ length: count }, (_, nth) => BigInt(first + nth));
}

function* inParts<Item>(items: readonly Item[], length: number): Generator<Item[]> {
  for (let at = 0; at < items.length; at += length) yield items.slice(at, at + length);
}
