import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { hostsQuery } from '../../../api/fleet.ts';
import { PAGES } from '../../../pages.ts';

/**
 * A worker as operators know it: the name of its host, which leads to the host's page, and its own
 * name. `worker`: its id, which is that of the host's agent, a slash and its name.
 */
export function WorkerHost({ worker }: { worker: string }) {
  const hosts = useQuery(hostsQuery).data?.data;
  const slash = worker.indexOf('/');
  const agent = worker.slice(0, slash);
  return (
    <>
      <Link
        to={PAGES.host.path}
        params={{ agent }}
        title={worker}
        className="underline decoration-line-strong underline-offset-2 hover:decoration-ink"
      >
        {hosts?.find(({ id }) => id === agent)?.name ?? agent}
      </Link>
      {worker.slice(slash)}
    </>
  );
}
