/** The routers that share this store, live, and what they serve together. */
import { useQuery } from '@tanstack/react-query';
import type { Router } from '../../../../shared/api/routers.ts';
import { routersQuery } from '../../api/fleet.ts';
import { shownCount } from '../../format/count.ts';
import { Page, Panel } from '../../parts/page.tsx';
import { Badge, Code } from '../../parts/shown.tsx';
import { Loaded } from '../../parts/states.tsx';
import { numeric, Table, Td, TimeCell } from '../../parts/table.tsx';
import { RouterTraffic } from './router-traffic.tsx';

export default function RoutersPage() {
  const routers = useQuery(routersQuery);
  return (
    <Page
      title="Routers"
      description="All routers that share this store. A restarted router has a new ID."
    >
      <RouterTraffic />
      <Panel flush className="overflow-hidden">
        <Loaded query={routers}>{({ data }) => <RoutersTable routers={data} />}</Loaded>
      </Panel>
    </Page>
  );
}

function RoutersTable({ routers }: { routers: readonly Router[] }) {
  return (
    <Table
      label="Routers"
      columns={[
        'Router',
        'Status',
        'Version',
        'Regions',
        numeric('Requests running'),
        'URL for agents',
        'Running since',
      ]}
    >
      {routers.map(({ id, url, regions, version, started, beating, running }) => (
        <tr key={id}>
          <Td className="whitespace-nowrap">
            <Code>{id}</Code>
          </Td>
          <Td>
            {beating ? <Badge tone="good">Healthy</Badge> : <Badge tone="bad">Offline</Badge>}
          </Td>
          <Td>{version ?? <span className="text-muted">Unknown</span>}</Td>
          <Td>{regions.join(', ')}</Td>
          <Td right>{running === undefined ? '–' : shownCount(running)}</Td>
          <Td className="whitespace-nowrap">
            {url === null ? <span className="text-muted">None</span> : <Code>{url}</Code>}
          </Td>
          <TimeCell at={started} />
        </tr>
      ))}
    </Table>
  );
}
