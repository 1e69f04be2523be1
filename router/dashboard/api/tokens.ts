/** Management tokens. */
import { queryOptions } from '@tanstack/react-query';
import type { Token } from '../../../shared/api/tokens.ts';
import { get, type Page } from './client.ts';
import { ofOrganization } from './organization.ts';

/** All management tokens, up to one page of 1000. */
export const tokensQuery = (organization: string) =>
  queryOptions({
    queryKey: ofOrganization(organization, 'tokens'),
    queryFn: ({ signal }) =>
      get<Page<Token>>(`/organizations/${organization}/tokens`, { limit: 1000 }, signal),
  });
