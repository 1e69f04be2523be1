/** The hosts, one per row, of which several can be selected. */
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { Agent } from '../../../../../shared/api/agents.ts';
import { REGION_NAMES } from '../../../../../shared/region.ts';
import { agentsQuery, fleetQuery } from '../../../api/fleet.ts';
import { rowsOf } from '../../../api/readings.ts';
import { countOf } from '../../../format/count.ts';
import type { HostSort } from '../../../operator-search.ts';
import { PAGES } from '../../../pages.ts';
import { outdatedAt } from '../../../parts/as-of.tsx';
import { ForAdministrators } from '../../../parts/for-administrators.tsx';
import { ShowMore } from '../../../parts/list/loaded-list.tsx';
import { opensOnClick } from '../../../parts/list/row-click.ts';
import { SelectAll, SelectEvery, SelectRow, toggled } from '../../../parts/list/selection.tsx';
import { sortedBy, type Sorting } from '../../../parts/list/sorting.tsx';
import { ACTIONS, foremost, Table, Td, TimeCell } from '../../../parts/list/table.tsx';
import { Code } from '../../../parts/shown.tsx';
import type { HostDoing } from './change-host-dialog.tsx';
import { useLastHour } from './failed-attempts.ts';
import { FAILED_COLUMN, FailedCell } from './failed-cell.tsx';
import { useFirstRows } from '../../../parts/list/first-rows.ts';
import { HostBadge } from './host-badge.tsx';
import { HostMenu } from './host-menu.tsx';
import { hostStatus, lastSeen } from './host-status.ts';

/** Only an agent that is connected to this router can be drained here. */
export function isSelectable({ state, connected }: Agent): boolean {
  return state !== 'revoked' && connected;
}

const EVERY = 'Select all connected hosts';

type HostsTableProps = Readonly<{
  agents: readonly Agent[];
  sorting: Sorting<HostSort>;
  onSort: (wanted: Sorting<HostSort>) => void;
  selected: ReadonlySet<string>;
  onSelect: (selected: ReadonlySet<string>) => void;
  onDo: (doing: HostDoing) => void;
}>;

export function HostsTable(props: HostsTableProps) {
  const { agents: all, sorting, onSort, selected, onSelect, onDo } = props;
  const navigate = useNavigate();
  const hour = useLastHour();
  const by = sortedBy(sorting, onSort);
  const fleet = useQuery(fleetQuery);
  // "Just now" would be untrue of hosts that were read a while ago.
  const isOld = outdatedAt(useQuery(agentsQuery), fleet) !== null;
  const workers = fleet.data?.workers ?? [];
  const rows = fleet.data ? rowsOf(fleet.data) : null;
  const selectable = all.filter(isSelectable).map(({ id }) => id);
  const { rows: agents, onMore } = useFirstRows(all);
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
            ...by('name', 'asc'),
            lead: selectable.length > 0 && (
              <ForAdministrators>
                <SelectEvery name={EVERY} ids={selectable} {...{ selected, onSelect }} />
              </ForAdministrators>
            ),
          },
          'Region',
          foremost('Status'),
          { ...FAILED_COLUMN, ...by('failed') },
          'Last seen',
          'Enrolled',
          ACTIONS,
        ]}
      >
        {agents.map((agent) => (
          <tr
            key={agent.id}
            className="cursor-pointer hover:bg-hover"
            onClick={opensOnClick(
              () => void navigate({ to: PAGES.host.path, params: { agent: agent.id } }),
            )}
          >
            <Td className="whitespace-nowrap">
              <span className="flex items-center gap-3">
                <ForAdministrators>
                  <SelectRow
                    name={`Select ${agent.name}`}
                    checked={selected.has(agent.id) && isSelectable(agent)}
                    disabled={!isSelectable(agent)}
                    why={isSelectable(agent) ? undefined : 'Not connected to this router'}
                    onToggle={() => onSelect(toggled(selected, agent.id))}
                  />
                </ForAdministrators>
                <span>
                  <Link
                    to={PAGES.host.path}
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
            <FailedCell attempts={hour.hosts.get(agent.id)} />
            <TimeCell at={lastSeen(agent)} relative={!isOld} precision="seconds" />
            <TimeCell at={agent.created} />
            <Td right>
              <HostMenu agent={agent} workers={workers} onDo={onDo} />
            </Td>
          </tr>
        ))}
      </Table>
      {onMore && <ShowMore name={`Show all ${countOf(all.length, 'host')}`} onMore={onMore} />}
    </>
  );
}
