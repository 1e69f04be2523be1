/** Queries about a person rather than an organization: sessions, the visitor and an invitation. */
import { queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import type { InvitationPreview } from '../../../shared/api/members.ts';
import type { Session } from '../../../shared/api/people.ts';
import { ApiError, send } from './client.ts';
import { listQuery } from './lists.ts';
import { fetchMe } from './me.ts';

export type OwnSession = z.infer<typeof Session>;

export const sessionsQuery = listQuery<OwnSession>(['sessions'], '/sessions');

/**
 * The signed-in person, or null when nobody is signed in: on the pages for visitors, status 401 is
 * not an error.
 */
export const visitorQuery = queryOptions({
  queryKey: ['visitor'],
  queryFn: async ({ signal }) => {
    try {
      return await fetchMe(signal);
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return null;
      throw error;
    }
  },
  // The browser's console would report each 401. Whoever signs in here clears the cache.
  staleTime: ({ state }) => (state.data === null ? Number.POSITIVE_INFINITY : 60_000),
});

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
