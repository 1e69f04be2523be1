/** API keys. */
import { queryOptions } from '@tanstack/react-query';
import type { Key } from '../../../shared/api/keys.ts';
import { get, type Page } from './client.ts';
import { ofOrganization } from './organization.ts';

/** All of them, as many as a page has. */
export const keysQuery = (organization: string) =>
  queryOptions({
    queryKey: ofOrganization(organization, 'keys'),
    queryFn: ({ signal }) =>
      get<Page<Key>>(`/organizations/${organization}/keys`, { limit: 1000 }, signal),
  });
