/** What each member's keys have spent this month, from one summary for all members. */
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { UsageSummary } from '../../../../shared/api/usage.ts';
import { summaryQuery } from '../../api/usage.ts';
import { useOrganization } from '../../session.tsx';
import { floorTo } from '../usage/buckets.ts';
import { useAsOf } from '../usage/use-as-of.ts';

/** The most members that one summary lists separately: those with the highest cost. */
const MEMBERS_MAX = 50;

/** Undefined while the summary is loading, and without it, since the list does not depend on it. */
export function useSpendOfMembers(): ((member: string) => string | null) | undefined {
  const [asOf] = useAsOf();
  const start = new Date(floorTo('month', asOf)).toISOString();
  const asked = { start, bucket: 'month', group_by: 'member', groups: MEMBERS_MAX };
  const { data } = useQuery(summaryQuery(useOrganization(), asked));
  return useMemo(() => data && spendOf(data), [data]);
}

/** In USD. Null for a member whom the summary may count among the others. */
function spendOf({ groups }: UsageSummary): (member: string) => string | null {
  const costs = new Map(groups.map(({ group, cost }) => [group, cost]));
  const hasOthers = groups.some(({ other, requests }) => other && requests > 0);
  return (member) => costs.get(member) ?? (hasOthers ? null : '0');
}
