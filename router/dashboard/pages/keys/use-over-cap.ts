import { useQuery } from '@tanstack/react-query';
import type { RefusalCode } from '../../../../shared/refusals.ts';
import { refusalCountsQuery } from '../../api/refusals.ts';
import { useOrganization } from '../../session.tsx';
import { floorTo } from '../usage/buckets.ts';
import { useAsOf } from '../usage/use-as-of.ts';

/** The code of requests that could have cost more than a cap leaves. */
export const CAP_REACHED: RefusalCode = 'key_limit_reached';

/**
 * Returns a function that tells how many requests of a key a cap has refused today (UTC). None while
 * they are being counted, since the list does not depend on them.
 */
export function useOverCap(): (key: string) => number {
  const [asOf] = useAsOf();
  const { data } = useQuery(
    refusalCountsQuery(useOrganization(), {
      bucket: 'day',
      start: new Date(floorTo('day', asOf)).toISOString(),
      code: [CAP_REACHED],
      group_by: 'key',
    }),
  );
  const counts = new Map(data?.groups.map(({ group, count }) => [group, count]));
  return (key) => counts.get(key) ?? 0;
}
