/**
 * Reads since when models and workers have a fault. It reads the minutes of the last hour first, and
 * more of the past only of what was not well in all of that time.
 */
import { DAY_MS, HOUR_MS } from '../../shared/durations.ts';
import { REGIONS, type Region } from '../../shared/region.ts';
import { type Db, readProcedure } from '../store/procedure.ts';
import { addCell } from './cells.ts';
import { type FaultKind, FaultReadings, type FaultStart } from './faults.ts';
import { noFigures } from './figures.ts';
import { LEVELS, ordinalOf } from './levels.ts';
import { type Cells, readCells } from './read.ts';
import { seriesOf } from './series.ts';

/** The most faults that are looked up at once. Further ones have no time. */
export const FAULTS_MAX = 64;

const NO_SERIES = { model: '', agent: '', worker: '' } as const;

/** The longer ones are almost as long as what is kept. */
const SPANS = [
  { level: LEVELS.minute, ms: HOUR_MS },
  { level: LEVELS.minute, ms: LEVELS.minute.keptMs - HOUR_MS },
  { level: LEVELS.hour, ms: LEVELS.hour.keptMs - DAY_MS },
] as const;

export type Fault =
  | Readonly<{
      kind: Exclude<FaultKind, 'unready'>;
      model: string;
      /** Null: the fault is in all regions in which routers take requests. */
      region: Region | null;
    }>
  /** `agent`: the name of its host. */
  | Readonly<{ kind: 'unready'; agent: string; worker: string }>;

/** Returns for each fault since when it holds, in ms since the epoch; null: it is not recorded. */
export const readFaultStarts = readProcedure<
  Readonly<{ faults: readonly Fault[]; now: number }>,
  readonly (number | null)[]
>('readFaultStarts', { heavy: true }, async (db, { faults, now }) => {
  const starts: (number | null)[] = [];
  for (const [nth, fault] of faults.entries()) {
    starts.push(nth < FAULTS_MAX ? await startOf(db, fault, now) : null);
  }
  return starts;
});

async function startOf(db: Db, fault: Fault, now: number): Promise<number | null> {
  const series = await seriesWith(db, fault);
  let start: number | null = null;
  let readSince = now;
  for (const { level, ms } of SPANS) {
    const span = { level, from: ordinalOf(level, now - ms), until: ordinalOf(level, now) + 1 };
    const found = await startIn(db, span, fault.kind, series);
    // An hour tells less exactly what its minutes have told.
    if (found === null || found.at >= readSince) break;
    start = found.at;
    readSince = span.from * level.lengthMs;
    if (found.isWhole) break;
  }
  return start;
}

async function startIn(db: Db, span: Cells, kind: FaultKind, series: readonly bigint[]) {
  const readings = new Map(series.map((id) => [id, new FaultReadings(kind, span.level)]));
  const figures = noFigures();
  for await (const { series: id, ordinal, cell } of readCells(db, span, series)) {
    figures.fill(0);
    addCell(figures, cell);
    readings.get(id)?.add(ordinal, figures);
  }
  // A fault in several regions has begun in the last of them.
  return [...readings.values()]
    .flatMap(({ began }) => began ?? [])
    .reduce<FaultStart | null>((last, one) => (last && last.at >= one.at ? last : one), null);
}

/** The series that tell of the fault: one, or those of all regions. */
async function seriesWith(db: Db, fault: Fault): Promise<readonly bigint[]> {
  if (fault.kind !== 'unready') {
    const regions = fault.region === null ? REGIONS : [fault.region];
    return regions.map((region) => seriesOf({ ...NO_SERIES, region, model: fault.model }).id);
  }
  const agents = await db
    .selectFrom('agents')
    .select(['id', 'region'])
    .where('name', '=', fault.agent)
    .where('state', '=', 'enrolled')
    .execute();
  const { worker } = fault;
  return agents.map(({ id, region }) => seriesOf({ ...NO_SERIES, region, agent: id, worker }).id);
}
