/** How a session ends in this browser. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { send } from '../api/client.ts';
import { noteSession } from '../api/me.ts';
import { forgetInvitation } from '../pages/people/link-token.ts';
import { say, unsay } from '../parts/said.tsx';

/** Opens the sign-in page and clears cached data after the session has ended. */
export function useLeave(): () => Promise<void> {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return async () => {
    noteSession(false);
    unsay();
    // Leave the page before clearing the cache: a page that is shown would refetch its queries.
    await navigate({ to: '/sign-in', search: {} });
    queries.clear();
    forgetInvitation();
  };
}

/** Ends the session. A toast shows the error: the menu or the palette is closed by then. */
export function useSignOut(): () => void {
  const { mutate } = useMutation({
    mutationFn: () => send('POST', '/sign-out'),
    onSuccess: useLeave(),
    onError: (error) => say(`Could not sign out. ${error.message}`),
  });
  return () => mutate();
}
