/** The columns by which the groups of usage are sorted. */
import { heightOf } from '../../format/usd.ts';
import { cachedShare, tokensOf } from './measures.ts';
import type { NamedGroup } from './series.ts';

export type GroupSort =
  | 'name'
  | 'cost'
  | 'requests'
  | 'errors'
  | 'tokens'
  | 'cached'
  | 'ttft'
  | 'duration';

/** Null without a value. */
const VALUES: Readonly<
  Record<Exclude<GroupSort, 'name'>, (group: NamedGroup['group']) => number | null>
> = {
  cost: ({ cost }) => heightOf(cost),
  requests: ({ requests }) => requests,
  errors: ({ errors }) => errors,
  tokens: tokensOf,
  cached: cachedShare,
  ttft: ({ ttft_ms }) => ttft_ms?.p50 ?? null,
  duration: ({ duration_ms }) => duration_ms?.p50 ?? null,
};

/** The group of all others, and groups without a value, come last in either order. */
export function sortedGroups(
  groups: readonly NamedGroup[],
  { sort, order }: Readonly<{ sort: GroupSort; order: 'asc' | 'desc' }>,
): NamedGroup[] {
  const way = order === 'asc' ? 1 : -1;
  return groups.toSorted((one, other) => {
    const last = Number(one.group.other) - Number(other.group.other);
    if (last !== 0) return last;
    if (sort === 'name') return way * one.name.localeCompare(other.name);
    const [a, b] = [VALUES[sort](one.group), VALUES[sort](other.group)];
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    return way * (a - b);
  });
}
