import { useMutation } from '@tanstack/react-query';
import { say } from '../parts/said.tsx';
import { send } from './client.ts';

/** Sends another link that confirms the address of the signed-in person. */
export function useSendConfirmation() {
  return useMutation({
    mutationFn: () => send('POST', '/me/email/confirmation'),
    onError: (error) => say(error.message),
  });
}
