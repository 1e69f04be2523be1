import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Agent } from '../../../../../shared/api/agents.ts';
import { agentsQuery, fleetQuery } from '../../../api/fleet.ts';
import { REGION_NAMES } from '../../../format/regions.ts';
import { Button } from '../../../parts/button.tsx';
import { Panel } from '../../../parts/page.tsx';
import { Segmented } from '../../../parts/segmented.tsx';
import { Selected, SelectAll, SelectRow, toggled } from '../../../parts/selection.tsx';
import { Code } from '../../../parts/shown.tsx';
import { Empty, Loaded } from '../../../parts/states.tsx';
import { ForAdministrators } from '../../../parts/for-administrators.tsx';
import { ACTIONS, foremost, Table, Td, TimeCell } from '../../../parts/table.tsx';
import { isLost } from './lost-hosts.ts';
import { AgentState } from './agent-state.tsx';
import { ChangeHostDialog, type HostDoing } from './change-host-dialog.tsx';
import { ChangeHostsDialog, type HostChange } from './change-hosts-dialog.tsx';
import { HostMenu } from './host-menu.tsx';

type Choice = 'in-use' | 'all';
type Change = Readonly<{ hosts: readonly Agent[]; what: HostChange }>;

export function HostsPanel() {
  const agents = useQuery(agentsQuery);
  const [choice, setChoice] = useState<Choice>('in-use');
  const [doing, setDoing] = useState<HostDoing | null>(null);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [changing, setChanging] = useState<Change | null>(null);
  const all = agents.data ?? [];
  const hosts = all.filter((agent) => selected.has(agent.id) && isSelectable(agent));
  return (
    <Panel
      title="Hosts"
      flush
      actions={
        <Segmented
          label="Hosts to show"
          value={choice}
          choices={[
            { value: 'in-use', name: 'In use' },
            { value: 'all', name: 'All' },
          ]}
          onChange={setChoice}
        />
      }
    >
      {hosts.length > 0 && (
        <Selected count={hosts.length} onClear={() => setSelected(new Set())}>
          <Button size="small" onClick={() => setChanging({ hosts, what: 'drain' })}>
            Drain selected
          </Button>
          <Button size="small" onClick={() => setChanging({ hosts, what: 'undrain' })}>
            End drain of selected
          </Button>
        </Selected>
      )}
      <Loaded query={agents}>
        {() => (
          <HostsTable
            agents={lostFirst(all.filter(({ state }) => choice === 'all' || state !== 'revoked'))}
            selected={selected}
            onSelect={setSelected}
            onDo={setDoing}
          />
        )}
      </Loaded>
      {changing && <ChangeHostsDialog {...changing} onClose={() => setChanging(null)} />}
      {doing && <ChangeHostDialog {...doing} onClose={() => setDoing(null)} />}
    </Panel>
  );
}

/** The hosts that no router has reached for minutes, and then the others in their order. */
function lostFirst(hosts: readonly Agent[]): readonly Agent[] {
  return [...hosts.filter(isLost), ...hosts.filter((host) => !isLost(host))];
}

/** Only an agent that is connected to this router can be drained here. */
function isSelectable({ state, connected }: Agent): boolean {
  return state !== 'revoked' && connected;
}

type HostsTableProps = Readonly<{
  agents: readonly Agent[];
  selected: ReadonlySet<string>;
  onSelect: (selected: ReadonlySet<string>) => void;
  onDo: (doing: HostDoing) => void;
}>;

function HostsTable({ agents, selected, onSelect, onDo }: HostsTableProps) {
  const workers = useQuery(fleetQuery).data?.workers ?? [];
  if (agents.length === 0) {
    return <Empty title="No hosts yet">Enrol an agent to add a GPU host to the fleet.</Empty>;
  }
  const selectable = agents.filter(isSelectable).map(({ id }) => id);
  return (
    <>
      <ForAdministrators>
        <SelectAll ids={selectable} {...{ selected, onSelect }}>
          Select all connected hosts
        </SelectAll>
      </ForAdministrators>
      <Table
        label="Hosts"
        columns={['Host', 'Region', foremost('Status'), 'Last seen', 'Enrolled', ACTIONS]}
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
              <AgentState agent={agent} />
            </Td>
            <TimeCell at={agent.last_seen} relative />
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
