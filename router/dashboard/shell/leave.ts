/** The step out of the dashboard, once the session has ended. */
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { forgetInvitation } from '../pages/people/link-token.ts';

export function useLeave(): () => Promise<void> {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return async () => {
    // First away: what is forgotten while its page is there would be asked for again.
    await navigate({ to: '/sign-in', search: {} });
    queries.clear();
    forgetInvitation();
  };
}
