/** Opens the sign-in page and clears cached data after the session has ended. */
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { noteSession } from '../api/me.ts';
import { forgetInvitation } from '../pages/people/link-token.ts';

export function useLeave(): () => Promise<void> {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return async () => {
    noteSession(false);
    // Leave the page before clearing the cache: a page that is shown would refetch its queries.
    await navigate({ to: '/sign-in', search: {} });
    queries.clear();
    forgetInvitation();
  };
}
