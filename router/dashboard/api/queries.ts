/** One client of queries: what is asked, for how long it is good, and what a lost session means everywhere. */
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from './client.ts';

const FRESH_MS = 10_000;
const RETRIES_MAX = 2;

/** `onSignedOut`: the session has ended, here or elsewhere. */
export function makeQueries(onSignedOut: () => void): QueryClient {
  const hear = (error: Error) => {
    if (error instanceof ApiError && error.code === 'not_signed_in') onSignedOut();
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError: hear }),
    mutationCache: new MutationCache({ onError: hear }),
    defaultOptions: {
      // What cannot be sent now fails now: nothing waits for the network and is done when nobody expects it any more.
      // Passwords that were sent and secrets that came are kept by nobody but who asked.
      mutations: { networkMode: 'always', gcTime: 0 },
      queries: {
        networkMode: 'always',
        staleTime: FRESH_MS,
        retry: (count, error) => count < RETRIES_MAX && isPassing(error),
      },
    },
  });
}

/** Whether the same request may succeed when it is sent again. */
function isPassing(error: Error): boolean {
  return !(error instanceof ApiError) || error.status === 0 || error.status >= 500;
}
