/** The routers that share this store, live, and what they serve together. */
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { Router as RouterIcon } from 'lucide-react';
import { ROUTER_STATES } from '../../../../../shared/router-states.ts';
import { routersQuery, stoppedRoutersQuery } from '../../../api/fleet.ts';
import { REGION_CHOICES } from '../../../format/regions.ts';
import { routersSearch } from '../../../operator-search.ts';
import { useSearchChange } from '../../../parts/list/use-search-change.ts';
import { ListBar } from '../../../parts/list/list-bar.tsx';
import { Page, Panel } from '../../../parts/page.tsx';
import { Empty, Loaded } from '../../../parts/states.tsx';
import { listedRouters } from './router-list.ts';
import { RouterTraffic } from './router-traffic.tsx';
import { RoutersTable } from './routers-table.tsx';
import { UnwellRouters } from './unwell-routers.tsx';
import { STATE_WORDS } from './state-words.ts';

const ORDERS = [
  { sort: 'started', order: 'desc', name: 'Started last' },
  { sort: 'started', order: 'asc', name: 'Up the longest' },
  { sort: 'name', order: 'asc', name: 'Name' },
  { sort: 'requests', order: 'desc', name: 'Most requests' },
  { sort: 'errors', order: 'desc', name: 'Most errors' },
  { sort: 'tokens', order: 'desc', name: 'Most tokens' },
  { sort: 'store', order: 'desc', name: 'Longest store lag' },
  { sort: 'memory', order: 'desc', name: 'Most memory' },
] as const;

const FILTERS = [
  {
    filter: 'state',
    name: 'Status',
    options: {
      choices: ROUTER_STATES.map((state) => ({ value: state, name: STATE_WORDS[state].name })),
    },
  },
  {
    filter: 'region',
    name: 'Region',
    options: { choices: REGION_CHOICES },
  },
] as const;

export default function RoutersPage() {
  const shown = routersSearch(useSearch({ strict: false }));
  const routers = useQuery(shown.state === 'stopped' ? stoppedRoutersQuery : routersQuery);
  const { sort = 'started', order = 'desc' } = shown;
  const change = useSearchChange(routersSearch);
  return (
    <Page
      title="Routers"
      description="All routers that share this store. Figures are of the last minute."
    >
      {routers.data && shown.state !== 'stopped' && <UnwellRouters routers={routers.data.data} />}
      <RouterTraffic />
      <ListBar
        what="routers"
        placeholder="Name, version, ID or URL"
        filters={FILTERS}
        sorting={{ sort, order }}
        orders={ORDERS}
        shown={shown}
        onChange={change}
      />
      <Panel flush className="overflow-hidden">
        <Loaded query={routers}>
          {({ data }) => {
            const rows = listedRouters(data, shown);
            return rows.length === 0 ? (
              <Empty icon={<RouterIcon />} title="No matches">
                {shown.state === 'stopped'
                  ? 'No router that stopped within a week matches.'
                  : 'No router matches. Change the search, or remove a filter.'}
              </Empty>
            ) : (
              <RoutersTable {...{ rows, sort, order }} onSort={change} />
            );
          }}
        </Loaded>
      </Panel>
    </Page>
  );
}
