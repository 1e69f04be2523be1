import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { send } from './client.ts';
import { meQuery } from './me.ts';

const AGAIN_MS = 10_000;

/**
 * Sends another link that confirms the address of the signed-in person, who is read again and again
 * meanwhile: the link may be opened in another tab.
 */
export function useResendConfirmation() {
  const queries = useQueryClient();
  useQuery({ ...meQuery, refetchInterval: AGAIN_MS, refetchOnWindowFocus: 'always' });
  return useMutation({
    mutationFn: () => send('POST', '/me/email/confirmation'),
    // It may have been confirmed elsewhere.
    onError: () => void queries.invalidateQueries({ queryKey: meQuery.queryKey }),
  });
}
