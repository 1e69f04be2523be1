/** Which cells of the history answer a query, and how many of them make a bucket. */
import type { FleetHistoryQuery, HISTORY_SPANS } from '../../../shared/api/fleet-history.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../shared/durations.ts';
import { LEVELS, type LevelName } from '../../history/levels.ts';
import type { HistoryQuery } from '../../history/read.ts';
import { Refused } from '../api.ts';

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
  if (start !== undefined || end !== undefined) return cellsOfRange({ start, end }, ended);
  const { level, step, lengthMs } = SPANS[span];
  // The last bucket may be incomplete: the first one is left out for it.
  const bucketMs = step * LEVELS[level].lengthMs;
  const until = Math.ceil(ended / bucketMs) * step;
  return { level, from: until - lengthMs / LEVELS[level].lengthMs, until, step, end: ended };
}

/** Whole buckets, so that the range may become a little longer. `ended`: the last whole minute. */
function cellsOfRange({ start, end }: Omit<Asked, 'span'>, ended: number): Cells {
  if (start === undefined) {
    throw new Refused('invalid_value', 'An end needs a start.', 'start');
  }
  if (start < ended - LEVELS.hour.keptMs) {
    throw new Refused('invalid_value', 'The history begins 35 days ago.', 'start');
  }
  const last = Math.min(end ?? ended, ended);
  if (start >= last) {
    throw new Refused('invalid_value', 'The start must be before the end, and in the past.', 'end');
  }
  const { level, step } = bucketsOf(start, last, ended);
  const bucketMs = step * LEVELS[level].lengthMs;
  const from = Math.floor(start / bucketMs) * step;
  const until = Math.ceil(last / bucketMs) * step;
  return { level, from, until, step, end: Math.min(ended, until * LEVELS[level].lengthMs) };
}

/** At most 288 buckets, as short as the history still has them. */
function bucketsOf(start: number, end: number, ended: number): Buckets {
  const hasMinutes = start >= ended - LEVELS.minute.keptMs;
  if (hasMinutes && end - start <= 4 * HOUR_MS) return { level: 'minute', step: 1 };
  if (hasMinutes) return { level: 'minute', step: 10 };
  return { level: 'hour', step: end - start <= 8 * DAY_MS ? 1 : 4 };
}
