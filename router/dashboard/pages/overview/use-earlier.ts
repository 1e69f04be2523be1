import { useQuery } from '@tanstack/react-query';
import type { UsageSums } from '../../../../shared/api/usage.ts';
import { daysQuery, periodQuery } from '../../api/overview.ts';
import { useOrganization } from '../../session.tsx';
import { isComparable } from '../usage/previous-period.ts';
import { periodsOf, totalsOf } from './figures.ts';

/** The totals of the 30 days before those that the page shows. Undefined while they are unknown. */
function useEarlier(): UsageSums | undefined {
  const organization = useOrganization();
  const { data: days } = useQuery(daysQuery(organization));
  // Nothing is asked for before the router has told its day.
  const before = days ? periodsOf(days).before : { start: '', end: '' };
  return useQuery({ ...periodQuery(organization, before), enabled: days !== undefined }).data
    ?.totals;
}

/** The same, if they have enough requests to compare the page's with them. */
export function useCompared(): UsageSums | undefined {
  const { data: days } = useQuery(daysQuery(useOrganization()));
  const earlier = useEarlier();
  return days && earlier && isComparable(earlier, totalsOf(days)) ? earlier : undefined;
}

/** How the description of the page goes on after "Last 30 days". */
export function useComparison(): string {
  const earlier = useEarlier();
  const compared = useCompared();
  if (compared) return ', and the change from the 30 days before.';
  return earlier?.requests === 0 ? '. There were no requests in the 30 days before.' : '.';
}
