import { useQuery } from '@tanstack/react-query';
import { creditQuery, organizationQuery } from './api/organization.ts';
import { isOrganizationId, useOrganization } from './session.tsx';
import { owes } from './shell/balance.ts';

/**
 * Whether the organization that is shown is suspended. Its pages then offer nothing that only helps
 * to send requests, such as keys and credit.
 */
export function useIsSuspended(): boolean {
  const id = useOrganization();
  const { data } = useQuery({ ...organizationQuery(id), enabled: isOrganizationId(id) });
  return data?.status === 'suspended';
}

/**
 * Whether credit can help the organization: not while it is suspended, unless it owes more than it
 * may, which must be paid before it is resumed.
 */
export function useIsHelpedByCredit(): boolean {
  const id = useOrganization();
  const isSuspended = useIsSuspended();
  const { data } = useQuery({ ...creditQuery(id), enabled: isSuspended });
  return !isSuspended || (data !== undefined && owes(data));
}
