/** Invitations that were not accepted yet. */
import { queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import type { Invitation, SentInvitation } from '../../../shared/api/members.ts';
import { get, type Page, send } from './client.ts';
import { ofOrganization } from './organization.ts';

/** With its link, which is in no other answer. */
export type Sent = z.infer<typeof SentInvitation>;

/** All of them, as many as a page has. */
export const invitationsQuery = (organization: string) =>
  queryOptions({
    queryKey: ofOrganization(organization, 'invitations'),
    queryFn: ({ signal }) =>
      get<Page<Invitation>>(`/organizations/${organization}/invitations`, { limit: 1000 }, signal),
  });

export function sendAgain(organization: string, invitation: string): Promise<Sent> {
  return send('POST', `/organizations/${organization}/invitations/${invitation}/resend`);
}
