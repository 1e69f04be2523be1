/** The routers that share this store, live, and what they serve together. */
import { useQuery } from '@tanstack/react-query';
import { routersQuery } from '../../../api/fleet.ts';
import { Page, Panel } from '../../../parts/page.tsx';
import { Loaded } from '../../../parts/states.tsx';
import { RouterTraffic } from './router-traffic.tsx';
import { RoutersTable } from './routers-table.tsx';
import { UnwellRouters } from './unwell-routers.tsx';

export default function RoutersPage() {
  const routers = useQuery(routersQuery);
  return (
    <Page
      title="Routers"
      description="All routers that share this store. A restarted router has a new ID."
    >
      {routers.data && <UnwellRouters routers={routers.data.data} />}
      <RouterTraffic />
      <Panel flush className="overflow-hidden">
        <Loaded query={routers}>{({ data }) => <RoutersTable routers={data} />}</Loaded>
      </Panel>
    </Page>
  );
}
