import { useMutation, useQueryClient } from '@tanstack/react-query';
import { send } from './client.ts';
import { meQuery } from './me.ts';

/** Sends another link that confirms the address of the signed-in person. */
export function useSendConfirmation(onError?: (message: string) => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => send('POST', '/me/email/confirmation'),
    onError: ({ message }) => {
      onError?.(message);
      // It may have been confirmed elsewhere.
      void queries.invalidateQueries({ queryKey: meQuery.queryKey });
    },
  });
}
