/** The routers that share this store, live, and what they serve together. */
import { useQuery } from '@tanstack/react-query';
import type { Router } from '../../../../../shared/api/routers.ts';
import { routersQuery } from '../../../api/fleet.ts';
import { shownCount } from '../../../format/count.ts';
import { REGION_NAMES } from '../../../format/regions.ts';
import { cx } from '../../../parts/class-names.ts';
import { Page, Panel } from '../../../parts/page.tsx';
import { Badge, Code } from '../../../parts/shown.tsx';
import { Loaded } from '../../../parts/states.tsx';
import { numeric, Table, Td, TimeCell } from '../../../parts/table.tsx';
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
        numeric('Running'),
        numeric('Requests per minute'),
        numeric('Errors per minute'),
        'Since',
      ]}
    >
      {routers.map(({ id, url, regions, version, started, beating, running, last_minute }) => (
        <tr key={id}>
          <Td>
            <Code>{id}</Code>
            <span className="block pt-0.5 text-xs break-all text-muted">
              {url ?? 'No URL for agents'}
            </span>
          </Td>
          <Td>
            {beating ? <Badge tone="good">Healthy</Badge> : <Badge tone="bad">Offline</Badge>}
          </Td>
          <Td>{version ?? <span className="text-muted">Unknown</span>}</Td>
          <Td>{regions.map((region) => REGION_NAMES[region]).join(', ')}</Td>
          <Td right>{countOrNone(running)}</Td>
          <Td right>{countOrNone(last_minute?.requests)}</Td>
          <Td right className={cx((last_minute?.errors ?? 0) > 0 && 'text-bad')}>
            {countOrNone(last_minute?.errors)}
          </Td>
          <TimeCell at={started} />
        </tr>
      ))}
    </Table>
  );
}

/** A dash where the router does not tell. */
function countOrNone(count: number | undefined): string {
  return count === undefined ? '–' : shownCount(count);
}
