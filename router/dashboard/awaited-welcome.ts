import { useQuery } from '@tanstack/react-query';
import { creditQuery } from './api/organization.ts';
import { useOrganization, useWelcomeCredit } from './session.tsx';

/**
 * Returns the welcome credit in USD that an organization waits for, which has had no other credit so
 * far. Null for all others: who has paid gets no more requests answered by confirming an email.
 */
export function useAwaitedWelcome(): string | null {
  const welcome = useWelcomeCredit();
  const organization = useOrganization();
  const { data } = useQuery({ ...creditQuery(organization), enabled: welcome !== null });
  return data?.balance === '0' ? welcome : null;
}
