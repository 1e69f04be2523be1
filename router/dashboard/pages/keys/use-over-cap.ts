import { useQuery } from '@tanstack/react-query';
import type { RefusalCode } from '../../../../shared/refusals.ts';
import { refusalCountsQuery } from '../../api/refusals.ts';
import { useOrganization } from '../../session.tsx';
import { floorTo } from '../usage/buckets.ts';
import { useAsOf } from '../usage/use-as-of.ts';

/** How often the requests are counted again. */
const AGAIN_MS = 60_000;

/** The code of requests that could have cost more than a cap leaves. */
export const CAP_REACHED: RefusalCode = 'key_limit_reached';

export type OverCap = Readonly<{
  /** The beginning of today (UTC), as ISO 8601. */
  start: string;
  /** How many requests of a key a cap has refused since then. */
  refusedOf: (key: string) => number;
}>;

/** Every count is 0 until the counts are loaded, since the list does not depend on them. */
export function useOverCap(): OverCap {
  const [asOf] = useAsOf();
  const start = new Date(floorTo('day', asOf)).toISOString();
  const { data } = useQuery({
    ...refusalCountsQuery(useOrganization(), {
      bucket: 'day',
      start,
      code: [CAP_REACHED],
      group_by: 'key',
    }),
    refetchInterval: AGAIN_MS,
  });
  const counts = new Map(data?.groups.map(({ group, count }) => [group, count]));
  return { start, refusedOf: (key) => counts.get(key) ?? 0 };
}
