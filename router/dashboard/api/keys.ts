/** API keys. */
import { queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import type { CreatedKey as Created, Key, KeyChange, NewKey } from '../../../shared/api/keys.ts';
import { get, type Sent, send } from './client.ts';
import { everyPage } from './every-page.ts';
import { ofOrganization } from './organization.ts';

export type CreatedKey = z.infer<typeof Created>;

/** All keys of an organization, because nobody can revoke a key that is not listed. */
export const keysQuery = (organization: string) =>
  queryOptions({
    queryKey: ofOrganization(organization, 'keys'),
    queryFn: ({ signal }) => everyPage<Key>(`/organizations/${organization}/keys`, {}, signal),
  });

export const keyQuery = (organization: string, key: string) =>
  queryOptions({
    queryKey: ofOrganization(organization, 'keys', key),
    queryFn: ({ signal }) => get<Key>(`/organizations/${organization}/keys/${key}`, {}, signal),
  });

export function createKey(organization: string, body: Sent<typeof NewKey>): Promise<CreatedKey> {
  return send('POST', `/organizations/${organization}/keys`, body);
}

export function changeKey(
  organization: string,
  key: string,
  body: Sent<typeof KeyChange>,
): Promise<Key> {
  return send('PATCH', `/organizations/${organization}/keys/${key}`, body);
}

export function revokeKey(organization: string, key: string): Promise<unknown> {
  return send('POST', `/organizations/${organization}/keys/${key}/revoke`);
}

export function deleteKey(organization: string, key: string): Promise<unknown> {
  return send('DELETE', `/organizations/${organization}/keys/${key}`);
}
