/** Which cells of the history answer a query, and how many of them make a bucket. */
import type { FleetHistoryQuery, HISTORY_SPANS } from '../../../shared/api/fleet-history.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../shared/durations.ts';
import { LEVELS, type LevelName } from '../../history/levels.ts';
import type { HistoryQuery } from '../../history/read.ts';
import { askedRange } from '../asked-range.ts';

type Cells = Pick<HistoryQuery, 'level' | 'from' | 'until' | 'step' | 'end'>;

/** `step`: how many cells make a bucket. */
type Buckets = Readonly<{ level: LevelName; step: number }>;

const SPANS: Readonly<
  Record<(typeof HISTORY_SPANS)[number], Buckets & Readonly<{ lengthMs: number }>>
> = {
  hour: { level: 'minute', step: 1, lengthMs: HOUR_MS },
  day: { level: 'minute', step: 10, lengthMs: DAY_MS },
  week: { level: 'hour', step: 1, lengthMs: 7 * DAY_MS },
  month: { level: 'hour', step: 4, lengthMs: 30 * DAY_MS },
};

type Asked = Pick<FleetHistoryQuery, 'span' | 'start' | 'end'>;

/** `now`: in ms since the epoch. */
export function cellsOf({ span, start, end }: Asked, now: number): Cells {
  const ended = now - (now % MINUTE_MS);
  const kept = { now: ended, keptMs: LEVELS.hour.keptMs, begins: '35 days ago' };
  const range = askedRange({ start, end }, kept);
  if (range !== null) return cellsOfRange(range, ended);
  const { level, step, lengthMs } = SPANS[span];
  // The last bucket may be incomplete: the first one is left out for it.
  const bucketMs = step * LEVELS[level].lengthMs;
  const until = Math.ceil(ended / bucketMs) * step;
  return { level, from: until - lengthMs / LEVELS[level].lengthMs, until, step, end: ended };
}

type Range = Readonly<{ start: number; end: number }>;

/** Whole buckets, so that the range may become a little longer. `ended`: the last whole minute. */
function cellsOfRange({ start, end }: Range, ended: number): Cells {
  const { level, step } = bucketsOf(start, end, ended);
  const bucketMs = step * LEVELS[level].lengthMs;
  const from = Math.floor(start / bucketMs) * step;
  const until = Math.ceil(end / bucketMs) * step;
  return { level, from, until, step, end: Math.min(ended, until * LEVELS[level].lengthMs) };
}

/** As short as the history still has them; whole ones of a range are at most 289. */
function bucketsOf(start: number, end: number, ended: number): Buckets {
  const hasMinutes = start >= ended - LEVELS.minute.keptMs;
  if (hasMinutes && end - start <= 4 * HOUR_MS) return { level: 'minute', step: 1 };
  if (hasMinutes) return { level: 'minute', step: 10 };
  return { level: 'hour', step: end - start <= 8 * DAY_MS ? 1 : 4 };
}
