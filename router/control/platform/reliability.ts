/**
 * How requests ended in the last hour and the last day, against the times before, by the history of
 * the fleet. It reads the series of regions alone, at most 35 chunks of cells for each region: nine
 * of minutes and 26 of hours. It never reads a request.
 */
import type { PlatformReliability, Reliability } from '../../../shared/api/platform.ts';
import type { FleetFigures } from '../../../shared/api/fleet-history.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../shared/durations.ts';
import { LEVELS, type LevelName } from '../../history/levels.ts';
import { readHistory, WHOLE_FLEET } from '../../history/read.ts';
import { type Db, readProcedure } from '../../store/procedure.ts';

export const readReliability = readProcedure<Readonly<{ now: number }>, PlatformReliability>(
  'readReliability',
  { heavy: true },
  async (db, { now }) => {
    const hour = Math.floor(now / HOUR_MS);
    const end = now - (now % MINUTE_MS);
    return {
      hour: await compareHours(db, now),
      // With the current hour, as far as it is written.
      day: await compare(db, { level: 'hour', until: hour + 1, cells: DAY_MS / HOUR_MS, end }),
      tokens: await compareTokens(db, hour),
    };
  },
);

/** How requests ended in the last hour. It reads nine chunks of cells for each region. */
export const readLastHour = readProcedure<Readonly<{ now: number }>, Reliability>(
  'readLastHour',
  { heavy: true },
  async (db, { now }) => (await compareHours(db, now)).present,
);

/** Without the current minute. */
async function compareHours(db: Db, now: number): Promise<PlatformReliability['hour']> {
  const until = Math.floor(now / MINUTE_MS);
  const cells = HOUR_MS / MINUTE_MS;
  return await compare(db, { level: 'minute', until, cells, end: until * MINUTE_MS });
}

type Compared = Readonly<{
  level: LevelName;
  /** The ordinal of the cell after the last one. */
  until: number;
  /** How many cells the time has. As many before it are compared with it. */
  cells: number;
  /** Ms since the epoch: what lies after it is not in the store yet. */
  end: number;
}>;

async function compare(
  db: Db,
  { level, until, cells, end }: Compared,
): Promise<PlatformReliability['hour']> {
  const { lengthMs } = LEVELS[level];
  const from = until - 2 * cells;
  const start = (until - cells) * lengthMs;
  const span = { level, from, until, step: cells, end };
  const { groups } = await readHistory(db, { ...span, ...WHOLE_FLEET });
  const points = groups[0]?.points ?? [];
  const figuresOf = (place: number) => points.find(({ bucket }) => bucket === place);
  return {
    start: new Date(start).toISOString(),
    end: new Date(end).toISOString(),
    present: reliabilityOf(figuresOf(1), end - start),
    before: reliabilityOf(figuresOf(0), cells * lengthMs),
  };
}

/** `ms`: how long the figures are of. */
function reliabilityOf(figures: FleetFigures | undefined, ms: number): Reliability {
  const { answered = 0, cancelled = 0, refused = 0, limited = 0 } = figures ?? {};
  const { unavailable = 0, failed = 0, ttft_ms = null, queued = 0 } = figures ?? {};
  const served = answered + cancelled;
  const judged = served + unavailable + failed;
  return {
    answered,
    cancelled,
    refused,
    limited,
    unavailable,
    failed,
    ttft_ms: ttft_ms && { p50: ttft_ms.p50, p95: ttft_ms.p95 },
    // Rounded down, so that a failure is never rounded away.
    availability: judged === 0 ? null : Math.floor((1_000_000 * served) / judged) / 1_000_000,
    queue_ms: judged === 0 ? null : Math.round((queued * ms) / judged),
  };
}

/** `hour`: the ordinal of the current hour, which is left out. */
async function compareTokens(db: Db, hour: number): Promise<PlatformReliability['tokens']> {
  const dayHours = DAY_MS / HOUR_MS;
  const passed = hour % dayHours;
  if (passed === 0) return { today: 0, yesterday: 0 };
  const from = hour - passed - dayHours;
  const span = { level: 'hour', from, until: hour, step: 1, end: hour * HOUR_MS } as const;
  const { groups } = await readHistory(db, { ...span, ...WHOLE_FLEET });
  const points = groups[0]?.points ?? [];
  const tokensIn = (start: number) =>
    points
      .filter(({ bucket }) => bucket >= start && bucket < start + passed)
      .reduce((sum, point) => sum + point.prompt_tokens + point.completion_tokens, 0);
  return { today: tokensIn(dayHours), yesterday: tokensIn(0) };
}
