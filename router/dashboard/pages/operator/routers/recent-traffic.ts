/** The traffic of the last minutes, from the history of the fleet by minute. */
import type { FleetHistory } from '../../../../../shared/api/fleet-history.ts';
import { MINUTE_MS } from '../../../../../shared/durations.ts';
import { requestsOf } from '../fleet/history-series.ts';
import { requestsPerSecond } from '../request-rate.ts';

const MINUTES = 5;

export type RecentTraffic = Readonly<{
  /** Of all that ended, with those that were refused. */
  requestsPerSecond: number;
  /** The median of the newest minute that has one; null: none has. */
  ttftMs: number | null;
}>;

/** `history`: not grouped, in buckets of a minute. */
export function recentTraffic({ end, groups }: FleetHistory): RecentTraffic {
  const recorded = groups[0]?.points ?? [];
  const until = lastWritten(Date.parse(end), recorded.at(-1)?.at);
  const from = until - MINUTES * MINUTE_MS;
  const points = recorded.filter(({ at }) => Date.parse(at) >= from);
  const requests = points.reduce((sum, point) => sum + requestsOf(point), 0);
  return {
    requestsPerSecond: requestsPerSecond(requests, MINUTES * 60),
    ttftMs: points.findLast(({ ttft_ms }) => ttft_ms !== null)?.ttft_ms?.p50 ?? null,
  };
}

/** Routers write a minute shortly after it has ended, so the last minute may be missing. */
function lastWritten(end: number, newest: string | undefined): number {
  const isWritten = newest !== undefined && Date.parse(newest) >= end - MINUTE_MS;
  return isWritten ? end : end - MINUTE_MS;
}
