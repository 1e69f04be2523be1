/** The hosts of the fleet: found and filtered in the page, as its address says. */
import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { Server } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { Agent } from '../../../../../shared/api/agents.ts';
import { SEARCH_CHARS_MAX } from '../../../../../shared/bounds/search-chars.ts';
import { REGION_NAMES } from '../../../../../shared/region.ts';
import { agentsQuery, fleetQuery } from '../../../api/fleet.ts';
import { rowsOf } from '../../../api/readings.ts';
import { countOf, shownCount } from '../../../format/count.ts';
import { REGION_CHOICES } from '../../../format/regions.ts';
import { type FleetSearch, fleetSearch, HOST_LINKS } from '../../../operator-search.ts';
import { outdatedAt } from '../../../parts/as-of.tsx';
import { Button } from '../../../parts/form/button.tsx';
import { FilterBar } from '../../../parts/list/filter-bar.tsx';
import { Panel } from '../../../parts/page.tsx';
import { PhoneFold } from '../../../parts/list/phone-fold.tsx';
import { SearchBox } from '../../../parts/list/search-box.tsx';
import {
  Selected,
  SelectAll,
  SelectEvery,
  SelectRow,
  toggled,
} from '../../../parts/list/selection.tsx';
import { Code } from '../../../parts/shown.tsx';
import { Empty, Loaded } from '../../../parts/states.tsx';
import { ForAdministrators } from '../../../parts/for-administrators.tsx';
import { ACTIONS, foremost, Table, Td, TimeCell } from '../../../parts/list/table.tsx';
import { useSearchChange } from '../../../parts/list/use-search-change.ts';
import { ChangeHostDialog, type HostDoing } from './change-host-dialog.tsx';
import { ChangeHostsDialog, type HostsChange } from './change-hosts-dialog.tsx';
import { hostsToChange } from './drain-progress.ts';
import { HostBadge } from './host-badge.tsx';
import { HostMenu } from './host-menu.tsx';
import { hostStatus, lastSeen } from './host-status.ts';
import { hostsInWords, LINK_NAMES, listedHosts } from './listed-hosts.ts';

const LINKS = { choices: HOST_LINKS.map((value) => ({ value, name: LINK_NAMES[value] })) };
const FILTERS = [
  { filter: 'link', name: 'Connection', options: LINKS },
  { filter: 'region', name: 'Region', options: { choices: REGION_CHOICES } },
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
  const shown = listedHosts(all, address);
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
              <div className="grid gap-3 px-5 pb-3 max-md:pt-3 sm:flex sm:flex-wrap sm:items-center">
                <SearchBox
                  label="Search hosts"
                  placeholder="Name or ID"
                  charsMax={SEARCH_CHARS_MAX}
                  searched={host ?? ''}
                  onSearch={(text) => change({ host: text === '' ? undefined : text })}
                />
                <FilterBar
                  filters={FILTERS}
                  values={{ ...(link && { link: [link] }), ...(region && { region: [region] }) }}
                  onChange={(filter, [value]) => change({ [filter]: value })}
                  onClear={() => change({ link: undefined, region: undefined })}
                />
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

/** Only an agent that is connected to this router can be drained here. */
function isSelectable({ state, connected }: Agent): boolean {
  return state !== 'revoked' && connected;
}

const EVERY = 'Select all connected hosts';

type HostsTableProps = Readonly<{
  agents: readonly Agent[];
  selected: ReadonlySet<string>;
  onSelect: (selected: ReadonlySet<string>) => void;
  onDo: (doing: HostDoing) => void;
}>;

function HostsTable({ agents, selected, onSelect, onDo }: HostsTableProps) {
  const fleet = useQuery(fleetQuery);
  // "Just now" would be untrue of hosts that were read a while ago.
  const isOld = outdatedAt(useQuery(agentsQuery), fleet) !== null;
  const workers = fleet.data?.workers ?? [];
  const rows = fleet.data ? rowsOf(fleet.data) : null;
  const selectable = agents.filter(isSelectable).map(({ id }) => id);
  return (
    <>
      {selectable.length > 0 && (
        <ForAdministrators>
          {/* Cards have no headings. */}
          <div className="md:hidden">
            <SelectAll ids={selectable} {...{ selected, onSelect }}>
              {EVERY}
            </SelectAll>
          </div>
        </ForAdministrators>
      )}
      <Table
        label="Hosts"
        columns={[
          {
            name: 'Host',
            lead: selectable.length > 0 && (
              <ForAdministrators>
                <SelectEvery name={EVERY} ids={selectable} {...{ selected, onSelect }} />
              </ForAdministrators>
            ),
          },
          'Region',
          foremost('Status'),
          'Last seen',
          'Enrolled',
          ACTIONS,
        ]}
      >
        {agents.map((agent) => (
          <tr key={agent.id}>
            <Td className="whitespace-nowrap">
              <span className="flex items-center gap-3">
                <ForAdministrators>
                  <SelectRow
                    name={`Select ${agent.name}`}
                    checked={selected.has(agent.id) && isSelectable(agent)}
                    disabled={!isSelectable(agent)}
                    onToggle={() => onSelect(toggled(selected, agent.id))}
                  />
                </ForAdministrators>
                <span>
                  <Link
                    to="/operator/hosts/$agent"
                    params={{ agent: agent.id }}
                    className="block font-medium hover:underline"
                  >
                    {agent.name}
                  </Link>
                  <Code>{agent.id}</Code>
                </span>
              </span>
            </Td>
            <Td>{REGION_NAMES[agent.region]}</Td>
            <Td>
              <HostBadge status={hostStatus(agent, rows)} />
            </Td>
            <TimeCell at={lastSeen(agent)} relative={!isOld} precision="seconds" />
            <TimeCell at={agent.created} />
            <Td right>
              <HostMenu agent={agent} workers={workers} onDo={onDo} />
            </Td>
          </tr>
        ))}
      </Table>
    </>
  );
}
