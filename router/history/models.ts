/**
 * Reads what the history says about each model: in all of its regions together, and in each of them.
 * The last hour is read from minutes. A day and 30 days are read from hours: up to 60,000 chunks, and
 * seldom. These sums end before the last hour, and the time since then is read with the last hour,
 * from minutes. So the figures of a longer time always have every request of a shorter one.
 */
import type { ModelFigures } from '../../shared/api/public-figures.ts';
import { FIGURE_REQUESTS_MIN } from '../../shared/public-figures.ts';
import type { Region } from '../../shared/region.ts';
import { type Db, readProcedure } from '../store/procedure.ts';
import { addCell } from './cells.ts';
import {
  ANSWERED,
  bump,
  type Figures,
  LISTENED,
  noFigures,
  SERVED,
  SPEED,
  SPEED_SCALE,
  TTFT,
} from './figures.ts';
import { LEVELS, ordinalOf } from './levels.ts';
import { type Cells, chunksOf, readCells } from './read.ts';
import { countedQuantiles, percentiles } from './shown.ts';
import { endedRequests, RecentMinutes, type RecordedState, STATE_MINUTES } from './state.ts';
import { firstHour, type Outage, type UpHours, Uptime } from './uptime.ts';

const CHUNKS_MAX = 60_000;
const HOUR_MINUTES = 60;
const DAY_HOURS = 24;
/** The most minutes that are read, should the long figures not have been read for hours. */
const RECENT_MINUTES_MAX = 4 * HOUR_MINUTES;

/** The ids of the models of the catalog, and the time in ms since the epoch. */
export type ModelsQuery = Readonly<{ models: readonly string[]; now: number }>;

type InRegion = Readonly<{ model: string; region: Region }>;

export type RecentFigures = Readonly<{
  /** The sums of the last hour, and those of the time that the long figures do not have, by model. */
  hour: ModelSums;
  rest: ModelSums;
  /** A state is null with too few samples of the last minutes. */
  states: readonly (InRegion &
    Readonly<{
      state: RecordedState | null;
      /** Whether the newest minutes have a fault: the state tells of ten minutes. */
      hasFaultNow: boolean;
    }>)[];
}>;

/** `longUntil`: the hour before which the long figures end. */
export const readRecentFigures = readProcedure<
  ModelsQuery & Readonly<{ longUntil: number }>,
  RecentFigures
>('readRecentFigures', { heavy: true }, async (db, { models, now, longUntil }) => {
  const until = ordinalOf(LEVELS.minute, now);
  const hourAgo = until - HOUR_MINUTES;
  const missing = Math.max(longUntil * HOUR_MINUTES, until - RECENT_MINUTES_MAX);
  const cells = { level: LEVELS.minute, from: Math.min(hourAgo, missing), until };
  const { series } = await readSeries(db, models, cells);
  const [hour, rest] = [new Sums(), new Sums()];
  const recent = new Map(
    [...series.keys()].map((id) => [id, new RecentMinutes(until - STATE_MINUTES)]),
  );
  for await (const { series: id, ordinal, cell } of readCells(db, cells, [...series.keys()])) {
    const { model } = series.get(id) ?? { model: '' };
    if (ordinal >= missing) rest.add(model, cell);
    if (ordinal < hourAgo) continue;
    hour.add(model, cell);
    recent.get(id)?.add(ordinal, cell);
  }
  const states = [...series].map(([id, { model, region }]) => ({
    model,
    region,
    state: recent.get(id)?.state ?? null,
    hasFaultNow: recent.get(id)?.hasFaultNow ?? false,
  }));
  return { hour: hour.models, rest: rest.models, states };
});

export type LongFigures = Readonly<{
  /** The sums of a day and of 30 days, by model, without the hours from `until` on. */
  day: ModelSums;
  month: ModelSums;
  /** The ordinal of the hour before the current one: it began at least an hour ago. */
  until: number;
  /** The models of which there is too much to read: they have no figures of a day and 30 days. */
  unread: ReadonlySet<string>;
  /**
   * Where each model is offered, its uptime there by day, since when it is measured (ms), and when it
   * was not available.
   */
  uptime: readonly (InRegion &
    Readonly<{
      days: readonly UpHours[];
      since: number | null;
      outages: readonly Readonly<Outage>[];
    }>)[];
  /** Whether nothing is recorded of the time before the last hour and the current one. */
  isNew: boolean;
}>;

export const readLongFigures = readProcedure<ModelsQuery, LongFigures>(
  'readLongFigures',
  { heavy: true },
  async (db, { models, now }) => {
    const current = ordinalOf(LEVELS.hour, now);
    const start = firstHour(now);
    // The day before tells whether the model was served before the days that are shown.
    const cells = { level: LEVELS.hour, from: start - DAY_HOURS, until: current + 1 };
    const { series, unread } = await readSeries(db, models, cells);
    const [day, month] = [new Sums(), new Sums()];
    const until = current - 1;
    const uptime = new Map([...series.keys()].map((id) => [id, new Uptime()]));
    const one = noFigures();
    let first = current;
    for await (const { series: id, ordinal, cell } of readCells(db, cells, [...series.keys()])) {
      const { model } = series.get(id) ?? { model: '' };
      first = Math.min(first, ordinal);
      if (ordinal >= start && ordinal < until) month.add(model, cell);
      if (ordinal >= current - DAY_HOURS && ordinal < until) day.add(model, cell);
      one.fill(0);
      addCell(one, cell);
      const [listened, served] = [one[LISTENED] as number, one[SERVED] as number];
      uptime.get(id)?.add(ordinal, { listened, served });
    }
    const offered = [...series].flatMap(([id, { model, region }]) => {
      const days = uptime.get(id)?.days(now) ?? null;
      const since = uptime.get(id)?.since(now) ?? null;
      const outages = uptime.get(id)?.outages(now) ?? [];
      return days === null ? [] : [{ model, region, days, since, outages }];
    });
    const isNew = first >= current - 1;
    return { day: day.models, month: month.models, until, unread, uptime: offered, isNew };
  },
);

/** The series of these models by id, as many as may be read, and the models of the others. */
async function readSeries(
  db: Db,
  models: readonly string[],
  cells: Cells,
): Promise<Readonly<{ series: ReadonlyMap<bigint, InRegion>; unread: ReadonlySet<string> }>> {
  const listed = new Set(models);
  const rows = await db
    .selectFrom('history_series')
    .select(['id', 'region', 'model'])
    .where('agent', '=', '')
    .where('model', '!=', '')
    .orderBy('id')
    .execute();
  const most = Math.floor(CHUNKS_MAX / chunksOf(cells).length);
  const own = rows.filter(({ model }) => listed.has(model));
  return {
    series: new Map(own.slice(0, most).map(({ id, ...series }) => [id, series])),
    unread: new Set(own.slice(most).map(({ model }) => model)),
  };
}

export type ModelSums = ReadonlyMap<string, Figures>;

/** The sums of a span, by model. */
class Sums {
  readonly models = new Map<string, Figures>();

  add(model: string, cell: Uint8Array): void {
    let figures = this.models.get(model);
    if (!figures) this.models.set(model, (figures = noFigures()));
    addCell(figures, cell);
  }
}

const NO_FIGURES: ModelFigures = {
  requests: null,
  success: null,
  ttft_ms: null,
  speed: null,
};

/** With fewer requests, the share of those that were answered is rounded to two digits. */
const EXACT_SHARE_MIN = 10_000;

/**
 * Returns what visitors are shown of these sums together. Leaves out each figure that too few
 * requests have, so that none is about one customer's few.
 */
export function shownToVisitors(...sums: readonly (Figures | undefined)[]): ModelFigures {
  const known = sums.filter((one) => one !== undefined);
  if (known.length === 0) return NO_FIGURES;
  const figures = noFigures();
  for (const one of known) for (const [at, value] of one.entries()) bump(figures, at, value);
  const ended = endedRequests(figures);
  const isShown = ended >= FIGURE_REQUESTS_MIN;
  return {
    requests: isShown ? oneDigit(ended) : null,
    success: isShown ? shareOf(figures[ANSWERED] as number, ended) : null,
    ttft_ms: percentiles(figures, TTFT, FIGURE_REQUESTS_MIN),
    speed: speedOf(figures),
  };
}

function speedOf(figures: Figures): ModelFigures['speed'] {
  const scaled = countedQuantiles(figures, SPEED, [0.05, 0.5, 0.95], FIGURE_REQUESTS_MIN);
  if (scaled === null) return null;
  const [p5, p50, p95] = scaled.map((one) => one / SPEED_SCALE) as [number, number, number];
  return { p5, p50, p95 };
}

/**
 * Rounds down, to two digits where there are few requests: from four digits of a share, one could
 * tell how many requests there were.
 */
function shareOf(part: number, all: number): number {
  const digits = all < EXACT_SHARE_MIN ? 100 : 10_000;
  return Math.floor((digits * part) / all) / digits;
}

/** Rounds down to one significant digit, so that nobody can watch single requests arrive. */
function oneDigit(count: number): number {
  const unit = 10 ** Math.floor(Math.log10(count));
  return Math.floor(count / unit) * unit;
}
