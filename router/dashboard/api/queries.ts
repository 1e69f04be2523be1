/**
 * The query client: how long data stays fresh, what is retried, and how the end of a session is
 * detected.
 */
import { MutationCache, QueryCache, QueryClient, type QueryKey } from '@tanstack/react-query';
import { ApiError } from './client.ts';

declare module '@tanstack/react-query' {
  interface Register {
    mutationMeta: {
      /**
       * The keys of the queries that the mutation changes. They are refetched when it has
       * succeeded, before its own `onSuccess` runs.
       */
      refetch?: readonly QueryKey[];
    };
  }
}

const FRESH_MS = 10_000;
const RETRIES_MAX = 2;

/** `onSignedOut` is called when the API answers that the session has ended, here or elsewhere. */
export function makeQueries(onSignedOut: () => void): QueryClient {
  const hear = (error: Error) => {
    if (error instanceof ApiError && error.code === 'not_signed_in') onSignedOut();
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError: hear }),
    mutationCache: new MutationCache({
      onError: hear,
      onSuccess: (_data, _sent, _onMutateResult, { meta }, { client }) =>
        Promise.all(
          (meta?.refetch ?? []).map((queryKey) => client.invalidateQueries({ queryKey })),
        ),
    }),
    defaultOptions: {
      // A mutation that cannot be sent fails immediately. It does not wait for the network and take
      // effect later, when nobody expects it. `gcTime` 0 removes sent passwords and received
      // secrets from the cache when the component that sent the mutation unmounts.
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
