/** Management tokens. */
import { queryOptions } from '@tanstack/react-query';
import type { Token } from '../../../shared/api/tokens.ts';
import { get, type Page } from './client.ts';
import { ofOrganization } from './organization.ts';

/** All of them, as many as a page has. */
export const tokensQuery = (organization: string) =>
  queryOptions({
    queryKey: ofOrganization(organization, 'tokens'),
    queryFn: ({ signal }) =>
      get<Page<Token>>(`/organizations/${organization}/tokens`, { limit: 1000 }, signal),
  });
