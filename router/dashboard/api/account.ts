/** Queries about a person rather than an organization: sessions and an invitation. */
import { queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import type { InvitationPreview } from '../../../shared/api/members.ts';
import type { Session } from '../../../shared/api/people.ts';
import { send } from './client.ts';
import { listQuery } from './lists.ts';

export type OwnSession = z.infer<typeof Session>;

export const sessionsQuery = listQuery<OwnSession>(['sessions'], '/sessions');

/**
 * The preview of an invitation. The request is a POST, although it changes nothing, because tokens
 * are sent in the body and never in a URL.
 */
export const invitationQuery = (token: string) =>
  queryOptions({
    queryKey: ['invitation', token],
    queryFn: () =>
      send<z.infer<typeof InvitationPreview>>('POST', '/invitations/preview', { token }),
  });
