/** How many requests there were in each part of the shown time, by how they ended. */
import type { RefusalCounts } from '../../../../shared/api/refusals.ts';
import type { UsageSummary } from '../../../../shared/api/usage.ts';
import { OUTCOMES, type Outcome } from '../usage/outcome-looks.ts';

/** `start`: in ms since the epoch. */
export type VolumeBar = Readonly<{ start: number; end: number }> &
  Readonly<Record<Outcome, number>>;

/**
 * `starts`: the start of each bar, and the end of the last one. `usage` and `refusals` are null if
 * the chart leaves them out.
 */
export function volumeOf(
  starts: readonly number[],
  usage: Pick<UsageSummary, 'data'> | null,
  refusals: Pick<RefusalCounts, 'data'> | null,
): VolumeBar[] {
  const admitted = new Map(usage?.data.map((row) => [Date.parse(row.start), row]));
  const refused = new Map(refusals?.data.map(({ start, count }) => [Date.parse(start), count]));
  return starts.slice(0, -1).map((start, at) => {
    const { requests = 0, errors: failed = 0, cancelled: canceled = 0 } = admitted.get(start) ?? {};
    const succeeded = requests - failed - canceled;
    const end = starts[at + 1] as number;
    return { start, end, succeeded, canceled, failed, refused: refused.get(start) ?? 0 };
  });
}

const OR = new Intl.ListFormat('en', { type: 'disjunction' });

/** That there is no request of these outcomes, in words. */
export function noneOf(outcomes: readonly Outcome[]): string {
  return outcomes.length === OUTCOMES.length ? 'No requests' : `No ${OR.format(outcomes)} requests`;
}

export function totalOf(bar: Readonly<Record<Outcome, number>>): number {
  return OUTCOMES.reduce((sum, outcome) => sum + bar[outcome], 0);
}

/** How many requests of each outcome all bars have. */
export function totalsOf(bars: readonly VolumeBar[]): Readonly<Record<Outcome, number>> {
  const sum = (outcome: Outcome) => bars.reduce((total, bar) => total + bar[outcome], 0);
  return {
    succeeded: sum('succeeded'),
    canceled: sum('canceled'),
    failed: sum('failed'),
    refused: sum('refused'),
  };
}
