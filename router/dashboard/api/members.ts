/** Members of an organization. */
import { queryOptions } from '@tanstack/react-query';
import type { Member } from '../../../shared/api/members.ts';
import { get, type Page } from './client.ts';
import { ofOrganization } from './organization.ts';

/** All members, up to one page of 1000. */
export const membersQuery = (organization: string) =>
  queryOptions({
    queryKey: ofOrganization(organization, 'members'),
    queryFn: ({ signal }) =>
      get<Page<Member>>(`/organizations/${organization}/members`, { limit: 1000 }, signal),
  });
