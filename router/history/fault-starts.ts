/**
 * Reads since when models and workers have a fault. It reads the minutes of the last hour first, and
 * more of the past only of what was not well in all of that time.
 */
import { DAY_MS, HOUR_MS } from '../../shared/durations.ts';
import { REGIONS } from '../../shared/region.ts';
import { type Db, readProcedure } from '../store/procedure.ts';
import { addCell } from './cells.ts';
import {
  type Fault,
  type FaultKind,
  type FaultReadings,
  type FaultStart,
  readingsOf,
} from './faults.ts';
import { noFigures } from './figures.ts';
import { type Level, LEVELS, ordinalOf } from './levels.ts';
import { type Cells, readCells } from './read.ts';
import { seriesOf } from './series.ts';

const NO_SERIES = { model: '', agent: '', worker: '' } as const;

/** From now on into the past. The longer ones are almost as long as what is kept. */
const SPANS = [
  { level: LEVELS.minute, ms: HOUR_MS },
  { level: LEVELS.minute, ms: LEVELS.minute.keptMs - HOUR_MS },
  { level: LEVELS.hour, ms: LEVELS.hour.keptMs - DAY_MS },
] as const;

/** Routers write a cell at different times. */
const SILENT_CELLS = 2;

/** Returns for each fault since when it holds, in ms since the epoch; null: nothing is recorded of it. */
export const readFaultStarts = readProcedure<
  Readonly<{ faults: readonly Fault[]; now: number }>,
  readonly (number | null)[]
>('readFaultStarts', { heavy: true }, async (db, { faults, now }) => {
  const searches: Search[] = [];
  for (const fault of faults) searches.push(new Search(fault.kind, await seriesWith(db, fault)));
  let readSince: number | null = null;
  for (const { level, ms } of SPANS) {
    // An hour tells less exactly what its minutes have told.
    const until: number = level === LEVELS.hour && readSince !== null ? readSince : now;
    const cells = {
      level,
      from: ordinalOf(level, now - ms),
      until: ordinalOf(level, until - 1) + 1,
    };
    const open = searches.filter(({ isOpen }) => isOpen);
    await readSpan(db, cells, open);
    for (const search of open) search.endSpan(now, readSince);
    readSince = cells.from * level.lengthMs;
  }
  return searches.map(({ start }) => start);
});

/** Reads the cells once, however many faults they tell of. */
async function readSpan(db: Db, cells: Cells, searches: readonly Search[]): Promise<void> {
  const readers = new Map<bigint, FaultReadings[]>();
  for (const search of searches) {
    for (const [id, readings] of search.beginSpan(cells.level)) {
      readers.set(id, [...(readers.get(id) ?? []), readings]);
    }
  }
  const figures = noFigures();
  for await (const { series, ordinal, cell } of readCells(db, cells, [...readers.keys()])) {
    figures.fill(0);
    addCell(figures, cell);
    for (const readings of readers.get(series) ?? []) readings.add(ordinal, figures);
  }
}

/** Looks for the start of one fault, in one span after the other. */
class Search {
  readonly #kind: FaultKind;
  #series: readonly bigint[];
  #readings: ReadonlyMap<bigint, FaultReadings> = new Map();
  start: number | null = null;
  /** Whether the fault may have begun before what was read. */
  isOpen = true;

  constructor(kind: FaultKind, series: readonly bigint[]) {
    this.#kind = kind;
    this.#series = series;
  }

  beginSpan(level: Level): ReadonlyMap<bigint, FaultReadings> {
    this.#readings = new Map(this.#series.map((id) => [id, readingsOf(this.#kind, level)]));
    return this.#readings;
  }

  /** `readSince`: what is later was known before; null: nothing was. */
  endSpan(now: number, readSince: number | null): void {
    const isFirst = readSince === null;
    const present = isFirst ? presentOf(this.#readings) : [...this.#readings];
    if (isFirst) this.#series = present.map(([id]) => id);
    // A fault in several regions has begun in the last of them.
    const last = present
      .flatMap(([, readings]) => readings.start(now) ?? [])
      .reduce<FaultStart | null>((one, other) => (one && one.at >= other.at ? one : other), null);
    const isNews = last !== null && (readSince === null || last.at < readSince);
    if (isNews) this.start = last.at;
    this.isOpen = isNews && !last.isWhole;
  }
}

/** Leaves out regions that routers no longer record: they tell nothing of now. */
function presentOf(all: ReadonlyMap<bigint, FaultReadings>) {
  const newest = Math.max(...[...all.values()].map((one) => one.newest ?? -Infinity));
  return [...all].filter(([, one]) => one.newest !== null && one.newest >= newest - SILENT_CELLS);
}

/** The series that tell of the fault: one, or those of all regions. */
async function seriesWith(db: Db, fault: Fault): Promise<readonly bigint[]> {
  if (fault.kind !== 'unready') {
    const regions = fault.region === null ? REGIONS : [fault.region];
    return regions.map((region) => seriesOf({ ...NO_SERIES, region, model: fault.model }).id);
  }
  const agents = await db
    .selectFrom('agents')
    .select(['id', 'name', 'region'])
    .where('name', 'in', hostsIn(fault.name))
    .where('state', '=', 'enrolled')
    .execute();
  return agents.map(({ id, name, region }) => {
    const worker = fault.name.slice(name.length + 1);
    return seriesOf({ ...NO_SERIES, region, agent: id, worker }).id;
  });
}

/** Names of hosts and of workers may have slashes: all hosts that the name can begin with. */
function hostsIn(name: string): readonly string[] {
  const parts = name.split('/');
  return parts.map((_, nth) => parts.slice(0, nth).join('/'));
}
