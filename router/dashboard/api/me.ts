/** The signed-in person. */
import { queryOptions } from '@tanstack/react-query';
import type { Me } from '../../../shared/api/people.ts';
import { ApiError, get } from './client.ts';

export type Membership = Me['organizations'][number];

/** Whether the page was requested with a session, which may have ended. */
export const hadSession =
  document.querySelector<HTMLMetaElement>('meta[name=session]')?.content !== 'none';

/** Whether the page was requested without a session, and nobody has asked for the person since. */
let isFirstVisit = !hadSession;

/**
 * Throws the API's error when nobody is signed in. The first call after a request of the page
 * without a session does not ask the API, because the answer is known and browsers report a 401
 * in their console. Later calls do: somebody may have signed in, here or in another tab.
 */
async function fetchMe(signal: AbortSignal): Promise<Me> {
  if (isFirstVisit) {
    isFirstVisit = false;
    const fault = { message: 'Sign in.', code: 'not_signed_in', param: null };
    throw new ApiError(401, fault, null);
  }
  return await get<Me>('/me', {}, signal);
}

export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => fetchMe(signal),
  staleTime: 60_000,
});

/**
 * The signed-in person, or null when nobody is signed in: on the pages for visitors, status 401 is
 * not an error.
 */
export const visitorQuery = queryOptions({
  queryKey: ['visitor'],
  queryFn: async ({ signal, client }) => {
    try {
      const me = await fetchMe(signal);
      // The console's frame around such a page does not ask again.
      client.setQueryData(meQuery.queryKey, me);
      return me;
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return null;
      throw error;
    }
  },
  // The browser's console would report each 401. Whoever signs in here clears the cache.
  staleTime: ({ state }) => (state.data === null ? Number.POSITIVE_INFINITY : 60_000),
});
