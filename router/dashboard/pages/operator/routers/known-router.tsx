import { useQuery } from '@tanstack/react-query';
import { routerName } from '../../../../../shared/router-names.ts';
import { routersQuery, stoppedRoutersQuery } from '../../../api/fleet.ts';
import { Code } from '../../../parts/shown.tsx';
import { RouterLink } from './router-link.tsx';

/** A router by its id: its name with its page, or the id of one that stopped more than a week ago. */
export function KnownRouter({ id }: { id: string }) {
  const { data: present } = useQuery(routersQuery);
  const isPresent = present?.data.some((one) => one.id === id);
  const { data: stopped } = useQuery({ ...stoppedRoutersQuery, enabled: isPresent === false });
  const router = [present, stopped]
    .flatMap((list) => list?.data ?? [])
    .find((one) => one.id === id);
  if (router !== undefined) return <RouterLink id={id} name={routerName(router)} />;
  return (
    <>
      <Code>{id}</Code>
      {stopped && <span className="block text-xs text-muted">No longer running</span>}
    </>
  );
}
