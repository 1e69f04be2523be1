import { useMutation } from '@tanstack/react-query';
import type { Organization, OrganizationTerms } from '../../../../../shared/api/organizations.ts';
import { type Sent, send } from '../../../api/client.ts';
import { ofOrganization } from '../../../api/organization.ts';

type Terms = Sent<typeof OrganizationTerms>;

/**
 * Changes the terms of an organization, which operators set. `terms` parses the form when it is
 * sent, so that a mistake in the form becomes the mutation's error.
 */
export function useChangeTerms(organization: string, onDone: () => void) {
  return useMutation({
    mutationFn: async (terms: () => Terms) =>
      send<Organization>('PATCH', `/organizations/${organization}/terms`, terms()),
    meta: { refetch: [ofOrganization(organization)] },
    onSuccess: onDone,
  });
}
