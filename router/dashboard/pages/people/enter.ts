/** The step from the pages of visitors into the dashboard. */
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { Me } from '../../../../shared/api/people.ts';
import { meQuery } from '../../api/me.ts';

/** Somebody has just signed in or up: what was loaded for whoever was here before is forgotten. */
export function useEnter(): (me: Me, next: string) => Promise<void> {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return async (me, next) => {
    queries.clear();
    queries.setQueryData(meQuery.queryKey, me);
    await navigate({ href: next, replace: true });
  };
}
