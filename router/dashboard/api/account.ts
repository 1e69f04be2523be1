/** What is somebody's own beside their organizations: sessions, and who is here where perhaps nobody is. */
import { queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import type { InvitationPreview } from '../../../shared/api/members.ts';
import type { Me, Session } from '../../../shared/api/people.ts';
import { ApiError, get, send } from './client.ts';
import { listQuery } from './lists.ts';

export type OwnSession = z.infer<typeof Session>;

export const sessionsQuery = listQuery<OwnSession>(['sessions'], '/sessions');

/** Null: nobody is signed in, which is no fault on the pages of visitors. */
export const visitorQuery = queryOptions({
  queryKey: ['visitor'],
  queryFn: async ({ signal }) => {
    try {
      return await get<Me>('/me', {}, signal);
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return null;
      throw error;
    }
  },
});

/** A token stands in a body, never in an address: hence a POST that changes nothing. */
export const invitationQuery = (token: string) =>
  queryOptions({
    queryKey: ['invitation', token],
    queryFn: () =>
      send<z.infer<typeof InvitationPreview>>('POST', '/invitations/preview', { token }),
  });
