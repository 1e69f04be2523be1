/** The hosts of the fleet: found and filtered in the page, as its address says. */
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { Server } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { Agent } from '../../../../../shared/api/agents.ts';
import { SEARCH_CHARS_MAX } from '../../../../../shared/bounds/search-chars.ts';
import { agentsQuery, fleetQuery } from '../../../api/fleet.ts';
import { countOf, shownCount } from '../../../format/count.ts';
import { REGION_CHOICES } from '../../../format/regions.ts';
import {
  type FleetSearch,
  fleetSearch,
  HOST_LINKS,
  type HostSort,
} from '../../../operator-search.ts';
import { outdatedAt } from '../../../parts/as-of.tsx';
import { Button } from '../../../parts/form/button.tsx';
import { BarLayout } from '../../../parts/list/bar-layout.tsx';
import { FilterBar } from '../../../parts/list/filter-bar.tsx';
import { Panel } from '../../../parts/page.tsx';
import { PhoneFold } from '../../../parts/list/phone-fold.tsx';
import { SearchBox } from '../../../parts/list/search-box.tsx';
import { Selected } from '../../../parts/list/selection.tsx';
import { SortChoice, type Sorting } from '../../../parts/list/sorting.tsx';
import { Empty, Loaded } from '../../../parts/states.tsx';
import { useSearchChange } from '../../../parts/list/use-search-change.ts';
import { ChangeHostDialog, type HostDoing } from './change-host-dialog.tsx';
import { ChangeHostsDialog, type HostsChange } from './change-hosts-dialog.tsx';
import { hostsToChange } from './drain-progress.ts';
import { useLastHour } from './failed-attempts.ts';
import { HostsTable, isSelectable } from './hosts-table.tsx';
import { hostsInWords, LINK_NAMES, listedHosts, USUAL_HOSTS } from './listed-hosts.ts';

const LINKS = { choices: HOST_LINKS.map((value) => ({ value, name: LINK_NAMES[value] })) };
const FILTERS = [
  { filter: 'link', name: 'Connection', options: LINKS },
  { filter: 'region', name: 'Region', options: { choices: REGION_CHOICES } },
] as const;
const ORDERS = [
  { ...USUAL_HOSTS, name: 'Needs attention first' },
  { sort: 'name', order: 'asc', name: 'Name' },
  { sort: 'failed', order: 'desc', name: 'Most failed attempts' },
] as const;
const ALL = { host: undefined, link: undefined, region: undefined } as const;

export function HostsPanel() {
  const agents = useQuery(agentsQuery);
  const fleet = useQuery(fleetQuery);
  const address: FleetSearch = useSearch({ strict: false });
  const { host, link, region } = address;
  const [doing, setDoing] = useState<HostDoing | null>(null);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [changing, setChanging] = useState<HostsChange | null>(null);
  const change = useSearchChange(fleetSearch);
  const all = agents.data ?? [];
  const sorting: Sorting<HostSort> = {
    sort: address.hosts_by ?? USUAL_HOSTS.sort,
    order: address.hosts_order ?? USUAL_HOSTS.order,
  };
  const sortBy = ({ sort, order }: Sorting<HostSort>) =>
    change({ hosts_by: sort, hosts_order: order });
  const shown = listedHosts(all, address, sorting, useLastHour());
  const isNarrowed = Boolean(host ?? link ?? region);
  const hosts = shown.filter((agent) => selected.has(agent.id) && isSelectable(agent));
  return (
    <Panel
      title="Hosts"
      description={
        all.length > 0 &&
        (isNarrowed
          ? `${shownCount(shown.length)} of ${countOf(all.length, 'host')} shown.`
          : `${hostsInWords(all)}.`)
      }
      asOf={outdatedAt(agents, fleet)}
      flush
    >
      <Loaded query={agents}>
        {() =>
          all.length === 0 ? (
            <Empty title="No hosts yet">Enrol a host to add its GPUs to the fleet.</Empty>
          ) : (
            <PhoneFold
              what={`the hosts (${shownCount(shown.length)})`}
              open={host !== undefined || link !== undefined}
            >
              <div className="px-5 pb-3 max-md:pt-3">
                <BarLayout
                  filters={
                    <FilterBar
                      filters={FILTERS}
                      values={{
                        ...(link && { link: [link] }),
                        ...(region && { region: [region] }),
                      }}
                      onChange={(filter, [value]) => change({ [filter]: value })}
                      onClear={() => change({ link: undefined, region: undefined })}
                    />
                  }
                >
                  <SearchBox
                    label="Search hosts"
                    placeholder="Name or ID"
                    charsMax={SEARCH_CHARS_MAX}
                    searched={host ?? ''}
                    onSearch={(text) => change({ host: text === '' ? undefined : text })}
                  />
                  <SortChoice sorting={sorting} choices={ORDERS} onSort={sortBy} />
                </BarLayout>
              </div>
              {hosts.length > 0 && (
                <Selected count={hosts.length} onClear={() => setSelected(new Set())}>
                  <ChangeSelected hosts={hosts} what="drain" onChange={setChanging}>
                    Drain selected
                  </ChangeSelected>
                  <ChangeSelected hosts={hosts} what="undrain" onChange={setChanging}>
                    End drain of selected
                  </ChangeSelected>
                </Selected>
              )}
              {shown.length > 0 ? (
                <HostsTable
                  agents={shown}
                  sorting={sorting}
                  onSort={sortBy}
                  selected={selected}
                  onSelect={setSelected}
                  onDo={setDoing}
                />
              ) : (
                <Empty icon={<Server />} title="No hosts match">
                  <Button size="small" onClick={() => change(ALL)}>
                    Show all hosts
                  </Button>
                </Empty>
              )}
            </PhoneFold>
          )
        }
      </Loaded>
      {changing && <ChangeHostsDialog {...changing} onClose={() => setChanging(null)} />}
      {doing && <ChangeHostDialog {...doing} onClose={() => setDoing(null)} />}
    </Panel>
  );
}

type ChangeSelectedProps = Readonly<{
  hosts: readonly Agent[];
  what: HostsChange['what'];
  onChange: (change: HostsChange) => void;
  children: ReactNode;
}>;

/** Changes those of the selected hosts that this changes at all. */
function ChangeSelected({ hosts: selected, what, onChange, children }: ChangeSelectedProps) {
  const workers = useQuery(fleetQuery).data?.workers ?? [];
  const hosts = hostsToChange(what, selected, workers);
  return (
    <Button
      size="small"
      disabled={hosts.length === 0}
      onClick={() => onChange({ hosts, what, others: selected.length - hosts.length })}
    >
      {children}
    </Button>
  );
}
