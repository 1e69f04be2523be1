/** What each member's keys have spent this month, from one summary for all members. */
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { UsageSummary } from '../../../../shared/api/usage.ts';
import { SUMMARY_GROUPS_MAX, summaryQuery } from '../../api/usage.ts';
import { dayText } from '../../format/utc.ts';
import { useOrganization } from '../../session.tsx';
import { floorTo } from '../usage/buckets.ts';
import { useAsOf } from '../usage/use-as-of.ts';

export type MonthSpend = Readonly<{
  /** The first day of the month. */
  from: string;
  /**
   * What a member has spent since then, in USD. Null if it is not known because too many others
   * have spent more.
   */
  of: (member: string) => string | null;
}>;

/** Undefined while the summary is loading, and without it, since the list does not depend on it. */
export function useMonthSpend(): MonthSpend | undefined {
  const [asOf] = useAsOf();
  const start = new Date(floorTo('month', asOf)).toISOString();
  const asked = { start, bucket: 'month', group_by: 'member', groups: SUMMARY_GROUPS_MAX };
  const { data } = useQuery(summaryQuery(useOrganization(), asked));
  return useMemo(
    () => data && { from: dayText(Date.parse(data.start)), of: spendOf(data) },
    [data],
  );
}

/** In USD. Null for a member whom the summary may count among the others. */
function spendOf({ groups }: UsageSummary): (member: string) => string | null {
  const costs = new Map(groups.map(({ group, cost }) => [group, cost]));
  const hasOthers = groups.some(({ other, requests }) => other && requests > 0);
  return (member) => costs.get(member) ?? (hasOthers ? null : '0');
}
