/** The workers of the fleet: found, filtered and sorted in the page, as its address says. */
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { Server } from 'lucide-react';
import { fleetQuery } from '../../../api/fleet.ts';
import { rowsOf, type WorkerRow } from '../../../api/readings.ts';
import { countOf, shownCount } from '../../../format/count.ts';
import { REGION_CHOICES } from '../../../format/regions.ts';
import { type FleetSearch, fleetSearch } from '../../../operator-search.ts';
import { useSearchChange } from '../../../parts/list/use-search-change.ts';
import { outdatedAt } from '../../../parts/as-of.tsx';
import { Button } from '../../../parts/form/button.tsx';
import { ListBar } from '../../../parts/list/list-bar.tsx';
import { ShowMore } from '../../../parts/list/loaded-list.tsx';
import { Panel } from '../../../parts/page.tsx';
import { PhoneFold } from '../../../parts/list/phone-fold.tsx';
import { Empty, Loaded } from '../../../parts/states.tsx';
import { useLastHour } from './failed-attempts.ts';
import { useFirstRows } from '../../../parts/list/first-rows.ts';
import { listedWorkers, USUAL_ORDER, workersInWords } from './listed-workers.ts';
import { WorkersTable } from './workers-table.tsx';

const ORDERS = [
  { ...USUAL_ORDER, name: 'Needs attention first' },
  { sort: 'name', order: 'asc', name: 'Name' },
  { sort: 'failed', order: 'desc', name: 'Most failed attempts' },
  { sort: 'requests', order: 'desc', name: 'Most requests' },
  { sort: 'kv_use', order: 'desc', name: 'Fullest KV cache' },
  { sort: 'tokens', order: 'desc', name: 'Most tokens a second' },
] as const;

const STANDINGS = {
  choices: [
    { value: 'ready', name: 'Ready' },
    { value: 'draining', name: 'Draining or drained' },
    { value: 'troubled', name: 'Needs attention' },
  ],
} as const;

export function WorkersPanel({ models }: Readonly<{ models: readonly string[] }>) {
  const fleet = useQuery(fleetQuery);
  const rows = fleet.data ? rowsOf(fleet.data) : [];
  const address: FleetSearch = useSearch({ strict: false });
  const { search, standing } = address;
  const hour = useLastHour();
  const listed = listedWorkers(rows, address, USUAL_ORDER, hour).length;
  return (
    <Panel
      title="Workers"
      description={rows.length > 0 && `${countInWords(rows, listed)}.`}
      asOf={outdatedAt(fleet)}
      flush
    >
      <Loaded query={fleet}>
        {() =>
          rows.length === 0 ? (
            <WorkersTable rows={rows} />
          ) : (
            <PhoneFold
              what={`the workers (${shownCount(listed)})`}
              open={search !== undefined || standing !== undefined}
            >
              <Listed {...{ rows, models }} />
            </PhoneFold>
          )
        }
      </Loaded>
    </Panel>
  );
}

/** "2 of 6 workers shown" of a list that is narrowed. */
function countInWords(rows: readonly WorkerRow[], listed: number): string {
  if (listed === rows.length) return workersInWords(rows);
  return `${shownCount(listed)} of ${countOf(rows.length, 'worker')} shown`;
}

type ListedProps = Readonly<{ rows: readonly WorkerRow[]; models: readonly string[] }>;

function Listed({ rows, models }: ListedProps) {
  const address: FleetSearch = useSearch({ strict: false });
  const { sort = USUAL_ORDER.sort, order = USUAL_ORDER.order } = address;
  const change = useSearchChange(fleetSearch);
  const shown = listedWorkers(rows, address, { sort, order }, useLastHour());
  const { rows: first, onMore } = useFirstRows(shown);
  return (
    <>
      <div className="px-5 pb-3 max-md:pt-3">
        <ListBar
          what="workers"
          placeholder="Host, worker, engine or model"
          filters={[
            { filter: 'standing', name: 'Status', options: STANDINGS },
            {
              filter: 'model',
              name: 'Model',
              options: { choices: models.map((value) => ({ value, name: value })) },
            },
            { filter: 'region', name: 'Region', options: { choices: REGION_CHOICES } },
          ]}
          sorting={{ sort, order }}
          orders={ORDERS}
          shown={address}
          onChange={change}
        />
      </div>
      {shown.length > 0 ? (
        <>
          <WorkersTable rows={first} sorting={{ sort, order }} onSort={change} />
          {onMore && (
            <ShowMore name={`Show all ${countOf(shown.length, 'worker')}`} onMore={onMore} />
          )}
        </>
      ) : (
        <Empty icon={<Server />} title="No workers match">
          <Button
            size="small"
            onClick={() =>
              change({
                search: undefined,
                standing: undefined,
                model: undefined,
                region: undefined,
              })
            }
          >
            Show all workers
          </Button>
        </Empty>
      )}
    </>
  );
}
