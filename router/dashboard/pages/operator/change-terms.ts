import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Organization, OrganizationTerms } from '../../../../shared/api/organizations.ts';
import { type Sent, send } from '../../api/client.ts';
import { ofOrganization } from '../../api/organization.ts';

type Terms = Sent<typeof OrganizationTerms>;

/** Changes what operators decide. What was typed is read when it is sent: a fault in it is the mutation's error. */
export function useChangeTerms(organization: string, onDone: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (terms: () => Terms) =>
      send<Organization>('PATCH', `/organizations/${organization}/terms`, terms()),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ofOrganization(organization) });
      onDone();
    },
  });
}
