import { useQuery } from '@tanstack/react-query';
import { organizationQuery } from './api/organization.ts';
import { isOrganizationId, useOrganization } from './session.tsx';

/**
 * Whether the organization that is shown is suspended. Its pages then offer nothing that only helps
 * to send requests, such as keys and credit.
 */
export function useIsSuspended(): boolean {
  const id = useOrganization();
  const { data } = useQuery({ ...organizationQuery(id), enabled: isOrganizationId(id) });
  return data?.status === 'suspended';
}
