/** Formats refusals for the API. */
import type { OperatorRefusal, RefusalCounts, RefusalEntry } from '../../../shared/api/refusals.ts';
import { startOf } from '../../usage/time-buckets.ts';
import type { RefusalSum } from '../../usage/refusals/listings.ts';
import { isoInstant } from '../api.ts';
import type { CountedNames, NamedRefusal } from './procedures.ts';
import type { CountSpan } from './span.ts';

export function shownRefusal(row: NamedRefusal): RefusalEntry {
  const { request, key, keyName, region, endpoint, model, param, message, code } = row;
  return {
    request_id: request,
    key_id: key,
    key_name: keyName,
    region,
    endpoint,
    model,
    param,
    message,
    status: Number(row.status),
    code,
    created: isoInstant(row.created),
  };
}

/** A refusal with what only operators may see. */
export function refusalToOperator(row: NamedRefusal): OperatorRefusal {
  return { ...shownRefusal(row), organization_id: row.organization };
}

export function shownCounts(
  { sums, names }: CountedNames,
  { bucket, from, until }: CountSpan,
  groupBy: 'code' | 'key' | null,
): RefusalCounts {
  const at = (ordinal: number) => isoInstant(startOf(bucket, ordinal));
  const groups = [...Map.groupBy(groupBy === null ? [] : sums, ({ group }) => group)];
  return {
    start: at(from),
    end: at(until),
    bucket,
    group_by: groupBy,
    total: totalOf(sums),
    groups: groups
      .map(([group, of]) => {
        const name = group !== null && groupBy === 'key' ? (names.get(group) ?? null) : group;
        return { group, name, count: totalOf(of) };
      })
      .toSorted((a, b) => b.count - a.count),
    data: sums.map(({ bucket: ordinal, group, count }) => ({ start: at(ordinal), group, count })),
  };
}

function totalOf(sums: readonly RefusalSum[]): number {
  return sums.reduce((total, { count }) => total + count, 0);
}
