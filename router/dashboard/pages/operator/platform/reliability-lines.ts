/** The reliability of the platform over time, from the history of the fleet. */
import { AVAILABILITY_MIN } from '../../../../../shared/availability.ts';
import type { FleetHistory } from '../../../../../shared/api/fleet-history.ts';
import { ticksUpTo } from '../../../parts/chart/ticks.ts';
import { errorShareOf } from '../fleet/history-series.ts';
import { startsOf } from '../history/history-range.ts';

type Line = Readonly<{ name: string; values: readonly (number | null)[] }>;

export type ReliabilityLines = Readonly<{
  starts: readonly string[];
  availability: Line;
  errors: readonly Line[];
  ttft: readonly Line[];
}>;

/** `history`: not grouped. */
export function reliabilityLines(history: FleetHistory): ReliabilityLines {
  const starts = startsOf(history, history.bucket_seconds);
  const points = new Map(
    (history.groups[0]?.points ?? []).map((point) => [Date.parse(point.at), point]),
  );
  type Point = FleetHistory['groups'][number]['points'][number];
  const line = (name: string, of: (point: Point) => number | null): Line => ({
    name,
    values: starts.map((start) => {
      const point = points.get(Date.parse(start));
      return point === undefined ? null : of(point);
    }),
  });
  return {
    starts,
    availability: line('Availability', (point) => {
      const share = errorShareOf(point);
      return share === null ? null : 1 - share;
    }),
    errors: [
      line('Unavailable (503)', ({ unavailable }) => unavailable),
      line('Failed (other 5xx)', ({ failed }) => failed),
    ],
    ttft: [
      line('p50', ({ ttft_ms }) => ttft_ms?.p50 ?? null),
      line('p95', ({ ttft_ms }) => ttft_ms?.p95 ?? null),
    ],
  };
}

/**
 * The grid lines of availabilities, up to 100%: an axis from zero would hide the difference between
 * 99.9% and 100%. The objective is never at the edge.
 */
export function availabilityHeights(values: readonly (number | null)[]): number[] {
  const worst = Math.max(0, ...values.map((value) => (value === null ? 0 : 1 - value)));
  const failures = ticksUpTo(Math.max(worst, 2 * (1 - AVAILABILITY_MIN)), false, shownHeight);
  return failures.map((share) => 1 - share).toReversed();
}

function shownHeight(failures: number): string {
  return availabilityHeight(1 - failures);
}

/** `"99.95%"` */
export function availabilityHeight(share: number): string {
  return `${Number((100 * share).toFixed(3))}%`;
}
