/** The signed-in person. */
import { queryOptions } from '@tanstack/react-query';
import type { Me } from '../../../shared/api/people.ts';
import { store, stored } from '../storage.ts';
import { ApiError, get } from './client.ts';

export type Membership = Me['organizations'][number];

/** Whether the person is an operator who may change something: a viewer may not. */
export function isAdministrator({ operator, operator_role: role }: Me): boolean {
  return operator && role !== 'viewer';
}

/** Whether the page was requested with a session, which may have ended. */
export const hadSession =
  document.querySelector<HTMLMetaElement>('meta[name=session]')?.content !== 'none';

/** The name of the note, for all tabs, that somebody is signed in. It opens nothing. */
const NOTE = 'session';

let isStranger = false;

/** Notes whether somebody is signed in, here and for the other tabs. */
export function noteSession(isSignedIn: boolean): void {
  isStranger = !isSignedIn;
  store(NOTE, isSignedIn ? 'present' : 'none');
}

noteSession(hadSession);

/** Whether somebody is signed in, as far as this tab knows. */
export function hasSession(): boolean {
  return !isStranger;
}

/**
 * Throws the API's error when nobody is signed in. Scripts cannot read the session cookie, and
 * browsers report each 401 in their console. So strangers are not asked for, until somebody has
 * signed in, here or in another tab.
 */
async function fetchMe(signal: AbortSignal): Promise<Me> {
  if (isStranger && stored(NOTE) !== 'present') {
    const fault = { message: 'Sign in.', code: 'not_signed_in', param: null };
    throw new ApiError(401, fault, null);
  }
  try {
    const me = await get<Me>('/me', {}, signal);
    noteSession(true);
    return me;
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) noteSession(false);
    throw error;
  }
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
      // The dashboard's frame around such a page does not ask again.
      client.setQueryData(meQuery.queryKey, me);
      return me;
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return null;
      throw error;
    }
  },
  // Whoever signs in here clears the cache.
  staleTime: ({ state }) => (state.data === null ? Number.POSITIVE_INFINITY : 60_000),
});
