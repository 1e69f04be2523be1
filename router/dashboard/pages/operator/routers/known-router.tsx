import { useQuery } from '@tanstack/react-query';
import { routerName } from '../../../../../shared/router-names.ts';
import { routersQuery } from '../../../api/fleet.ts';
import { Code } from '../../../parts/shown.tsx';
import { RouterLink } from './router-link.tsx';

/** A router by its id: its name with its page, or the id of a router that has left the list. */
export function KnownRouter({ id }: { id: string }) {
  const { data } = useQuery(routersQuery);
  const router = data?.data.find((one) => one.id === id);
  if (router !== undefined) return <RouterLink id={id} name={routerName(router)} />;
  return (
    <>
      <Code>{id}</Code>
      {data && <span className="block text-xs text-muted">No longer running</span>}
    </>
  );
}
