/** Formats usage by time and one dimension for the API. */
import type { UsageSummary } from '../../../shared/api/usage.ts';
import type { SummaryQuery } from '../../usage/rollups/summary-query.ts';
import { startOf } from '../../usage/time-buckets.ts';
import { isoInstant } from '../api.ts';
import type { NamedSummary } from './procedures.ts';

export function shownSummary(
  { summary, names }: NamedSummary,
  { bucket, groupBy, from, until }: SummaryQuery,
): UsageSummary {
  const isGrouped = groupBy !== null;
  /**
   * In the store, an empty string means no value, and null means all other groups. An ungrouped
   * summary has no others.
   */
  const groupOf = (value: string | null) => ({
    group: value === '' ? null : value,
    other: isGrouped && value === null,
  });
  return {
    start: isoInstant(startOf(bucket, from)),
    end: isoInstant(startOf(bucket, until)),
    bucket,
    group_by: groupBy,
    totals: summary.totals,
    groups: summary.groups.map(({ value, figures }) => ({
      ...groupOf(value),
      name: value === null ? null : (names.get(value) ?? null),
      ...figures,
    })),
    data: summary.cells.map(({ ordinal, value, figures }) => ({
      start: isoInstant(startOf(bucket, ordinal)),
      ...groupOf(value),
      ...figures,
    })),
  };
}
