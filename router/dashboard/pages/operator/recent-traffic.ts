/** The traffic of the last minutes, from the history of the fleet by minute. */
import type { FleetHistory } from '../../../../shared/api/fleet-history.ts';
import { errorsOf, requestsOf } from './history-series.ts';

export const TRAFFIC_MINUTES = 5;

export type RecentTraffic = Readonly<{
  /** All that ended, with those that were refused. */
  requests: number;
  requestsPerSecond: number;
  tokensPerSecond: number;
  failed: number;
  /** The median of the newest minute that has one; null: none has. */
  ttftMs: number | null;
}>;

/** `history`: not grouped, in buckets of a minute. */
export function recentTraffic({ end, groups }: FleetHistory): RecentTraffic {
  const seconds = 60 * TRAFFIC_MINUTES;
  const from = Date.parse(end) - 1_000 * seconds;
  const points = (groups[0]?.points ?? []).filter(({ at }) => Date.parse(at) >= from);
  const sum = (of: (point: (typeof points)[number]) => number) =>
    points.reduce((all, point) => all + of(point), 0);
  const requests = sum(requestsOf);
  return {
    requests,
    requestsPerSecond: requests / seconds,
    tokensPerSecond: sum(({ completion_tokens }) => completion_tokens) / seconds,
    failed: sum(errorsOf),
    ttftMs: points.findLast(({ ttft_ms }) => ttft_ms !== null)?.ttft_ms?.p50 ?? null,
  };
}
