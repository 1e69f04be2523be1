/** Opens the dashboard after a visitor has signed in or up. */
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { Me } from '../../../../shared/api/people.ts';
import { meQuery, noteSession, visitorQuery } from '../../api/me.ts';

/**
 * Returns a function to call after signing in or up. It clears the data that was cached for the
 * previous person, stores `me` and opens `next`.
 */
export function useEnter(): (me: Me, next: string) => Promise<void> {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return async (me, next) => {
    noteSession(true);
    queries.clear();
    queries.setQueryData(meQuery.queryKey, me);
    queries.setQueryData(visitorQuery.queryKey, me);
    await navigate({ href: next, replace: true });
  };
}
