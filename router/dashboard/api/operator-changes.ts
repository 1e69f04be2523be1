/** Whether an operator has allowed changes in an organization that they are no member of. */
import { queryOptions } from '@tanstack/react-query';
import type { AllowedChanges } from '../../../shared/api/operator-changes.ts';
import { get } from './client.ts';
import { ofOrganization } from './organization.ts';

/** While changes are allowed, the router is asked again whether they still are. */
const AGAIN_MS = 15_000;

export const allowedChangesPath = (organization: string) =>
  `/organizations/${organization}/operator-changes`;

export const allowedChangesQuery = (organization: string) =>
  queryOptions({
    queryKey: ofOrganization(organization, 'operator-changes'),
    queryFn: ({ signal }) => get<AllowedChanges>(allowedChangesPath(organization), {}, signal),
    refetchInterval: ({ state }) => (state.data?.allowed ? AGAIN_MS : false),
  });
