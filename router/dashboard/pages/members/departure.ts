/** Away from an organization that one does not belong to any more. */
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { meQuery } from '../../api/me.ts';
import { ofOrganization } from '../../api/organization.ts';
import { useMe, useOrganization } from '../../session.tsx';

/** To another one of theirs, if there is one; nothing of this one is kept or asked for again. */
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
