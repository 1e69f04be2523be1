/** More groups than the chart has colours, for the table. */
import { SUMMARY_FIGURES_MAX } from '../../../../shared/bounds/usage-summary.ts';
import { SUMMARY_GROUPS_MAX } from '../../api/usage.ts';
import { type Bucket, countOf, floorTo } from './buckets.ts';
import type { Span } from './span.ts';

const COARSEST_FIRST = ['month', 'day', 'hour'] as const satisfies readonly Bucket[];

/**
 * Returns what a query of the span asks for to list the most groups: the longest bucket of which the
 * span has whole ones, since an answer with fewer buckets has room for more groups, and how many fit.
 */
export function mostGroupsFilter(
  { start, end, bucket }: Pick<Span, 'start' | 'end' | 'bucket'>,
  asOf: number,
): Readonly<{ bucket: Bucket; groups: number }> {
  const from = Date.parse(start);
  const until = end === undefined ? null : Date.parse(end);
  const isWhole = (one: Bucket) =>
    floorTo(one, from) === from && (until === null || floorTo(one, until) === until);
  const longest = COARSEST_FIRST.find(isWhole) ?? bucket;
  // A bucket more may have begun at the router.
  const buckets = countOf(longest, from, until ?? asOf + 1) + 1;
  const groups = Math.min(SUMMARY_GROUPS_MAX, Math.floor(SUMMARY_FIGURES_MAX / buckets) - 1);
  return { bucket: longest, groups };
}
