/** Invitations that were not accepted yet. */
import { queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import type { Invitation, SentInvitation } from '../../../shared/api/members.ts';
import { get, type Page, send } from './client.ts';
import { ofOrganization } from './organization.ts';

/** An invitation with its link, which no other answer contains. */
export type Sent = z.infer<typeof SentInvitation>;

/** All pending invitations, up to one page of 1000. */
export const invitationsQuery = (organization: string) =>
  queryOptions({
    queryKey: ofOrganization(organization, 'invitations'),
    queryFn: ({ signal }) =>
      get<Page<Invitation>>(`/organizations/${organization}/invitations`, { limit: 1000 }, signal),
  });

export function sendAgain(organization: string, invitation: string): Promise<Sent> {
  return send('POST', `/organizations/${organization}/invitations/${invitation}/resend`);
}
