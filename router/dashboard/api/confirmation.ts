import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { send } from './client.ts';
import { meQuery } from './me.ts';

const AGAIN_MS = 10_000;

/** Sends another link that confirms the address of the signed-in person. */
export function useSendConfirmation() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => send('POST', '/me/email/confirmation'),
    // It may have been confirmed elsewhere.
    onError: () => void queries.invalidateQueries({ queryKey: meQuery.queryKey }),
  });
}

/** Reads the person again and again: the link that confirms their address may be opened in another tab. */
export function useAwaitConfirmation(): void {
  useQuery({ ...meQuery, refetchInterval: AGAIN_MS, refetchOnWindowFocus: 'always' });
}
