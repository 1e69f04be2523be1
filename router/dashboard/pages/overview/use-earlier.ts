import { useQuery } from '@tanstack/react-query';
import type { UsageSums } from '../../../../shared/api/usage.ts';
import { daysQuery, periodQuery } from '../../api/overview.ts';
import { useOrganization } from '../../session.tsx';
import { periodsOf } from './figures.ts';

/** The totals of the 30 days before those that the page shows. Undefined while they are unknown. */
export function useEarlier(): UsageSums | undefined {
  const organization = useOrganization();
  const { data: days } = useQuery(daysQuery(organization));
  // Nothing is asked for before the router has told its day.
  const before = days ? periodsOf(days).before : { start: '', end: '' };
  return useQuery({ ...periodQuery(organization, before), enabled: days !== undefined }).data
    ?.totals;
}

/** How the description of the page goes on after "The last 30 days". */
export function useComparison(): string {
  const earlier = useEarlier();
  if (earlier === undefined) return '.';
  return earlier.requests === 0
    ? '. There were no requests in the 30 days before.'
    : ', and the change from the 30 days before.';
}
