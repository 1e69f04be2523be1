/**
 * The query client: how long data stays fresh, what is retried, and how the end of a session is
 * noticed.
 */
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from './client.ts';

const FRESH_MS = 10_000;
const RETRIES_MAX = 2;

/** `onSignedOut` is called when the API answers that the session has ended, here or elsewhere. */
export function makeQueries(onSignedOut: () => void): QueryClient {
  const hear = (error: Error) => {
    if (error instanceof ApiError && error.code === 'not_signed_in') onSignedOut();
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError: hear }),
    mutationCache: new MutationCache({ onError: hear }),
    defaultOptions: {
      // A mutation that cannot be sent now fails now: none waits for the network and takes effect
      // when nobody expects it any more. `gcTime` 0 keeps passwords that were sent and secrets that
      // came back out of the cache once the component that asked is gone.
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
