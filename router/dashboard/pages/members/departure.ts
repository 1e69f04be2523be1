/** Navigates away from an organization that the person no longer belongs to. */
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { meQuery } from '../../api/me.ts';
import { ofOrganization } from '../../api/organization.ts';
import { useMe, useOrganization } from '../../session.tsx';

/**
 * Returns a function that opens another organization of the person, or without one the fleet (for
 * operators) or the page for a new organization. It then removes all cached data of the
 * organization that was left, so that nothing refetches that data.
 */
export function useDeparture(): () => Promise<void> {
  const id = useOrganization();
  const me = useMe();
  const navigate = useNavigate();
  const queries = useQueryClient();
  return async () => {
    const next = me.organizations.find((one) => one.id !== id);
    if (next) await navigate({ to: '/$organization', params: { organization: next.id } });
    else await navigate({ to: me.operator ? '/operator' : '/new-organization' });
    queries.removeQueries({ queryKey: ofOrganization(id) });
    await queries.invalidateQueries({ queryKey: meQuery.queryKey });
  };
}
