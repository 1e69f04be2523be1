/** The traffic of today against that of yesterday until the same hour. Days are in UTC. */
import type { FleetHistory } from '../../../../../shared/api/fleet-history.ts';
import { DAY_MS, HOUR_MS } from '../../../../../shared/durations.ts';

type Point = FleetHistory['groups'][number]['points'][number];

/**
 * By how much the tokens of today's whole hours are more than those of the same hours of yesterday:
 * 0.12 is 12% more. Null: no hour of today is whole, or there were no tokens yesterday.
 * `history`: not grouped, in buckets of an hour.
 */
export function tokensAgainstYesterday({ end, groups }: FleetHistory): number | null {
  const now = Date.parse(end);
  const hour = now - (now % HOUR_MS);
  const day = now - (now % DAY_MS);
  const points = groups[0]?.points ?? [];
  const today = tokensIn(points, day, hour);
  const yesterday = tokensIn(points, day - DAY_MS, hour - DAY_MS);
  return yesterday === 0 ? null : (today - yesterday) / yesterday;
}

/** `until` is not included. */
function tokensIn(points: readonly Point[], from: number, until: number): number {
  return points
    .filter(({ at }) => Date.parse(at) >= from && Date.parse(at) < until)
    .reduce((sum, point) => sum + point.prompt_tokens + point.completion_tokens, 0);
}
