import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Agent } from '../../../../shared/api/agents.ts';
import { send } from '../../api/client.ts';
import { AGENTS, agentsQuery, FLEET } from '../../api/fleet.ts';
import { Confirm } from '../../parts/dialog.tsx';
import { ActionsMenu, MenuItem } from '../../parts/menu.tsx';
import { Panel } from '../../parts/page.tsx';
import { Segmented } from '../../parts/segmented.tsx';
import { Badge, Code } from '../../parts/shown.tsx';
import { Empty, Loaded } from '../../parts/states.tsx';
import { ACTIONS, Table, Td, TimeCell } from '../../parts/table.tsx';

type Choice = 'in-use' | 'all';
type Doing = Readonly<{ agent: Agent; what: 'drain' | 'undrain' | 'revoke' }>;

export function AgentsPanel() {
  const agents = useQuery(agentsQuery);
  const [choice, setChoice] = useState<Choice>('in-use');
  const [doing, setDoing] = useState<Doing | null>(null);
  return (
    <Panel
      title="Agents"
      flush
      actions={
        <Segmented
          label="Agents to show"
          value={choice}
          choices={[
            { value: 'in-use', name: 'In use' },
            { value: 'all', name: 'All' },
          ]}
          onChange={setChoice}
        />
      }
    >
      <Loaded query={agents}>
        {(all) => (
          <AgentsTable
            agents={all.filter(({ state }) => choice === 'all' || state !== 'revoked')}
            onDo={setDoing}
          />
        )}
      </Loaded>
      {doing && <ConfirmAction {...doing} onClose={() => setDoing(null)} />}
    </Panel>
  );
}

type AgentsTableProps = Readonly<{ agents: readonly Agent[]; onDo: (doing: Doing) => void }>;

function AgentsTable({ agents, onDo }: AgentsTableProps) {
  if (agents.length === 0) {
    return <Empty title="No agents yet">Enrol an agent to add a GPU host to the fleet.</Empty>;
  }
  return (
    <Table label="Agents" columns={['Agent', 'Region', 'Status', 'Last seen', 'Enrolled', ACTIONS]}>
      {agents.map((agent) => (
        <tr key={agent.id}>
          <Td className="whitespace-nowrap">
            <Link
              to="/operator/hosts/$agent"
              params={{ agent: agent.id }}
              className="block font-medium hover:underline"
            >
              {agent.name}
            </Link>
            <Code>{agent.id}</Code>
          </Td>
          <Td>{agent.region}</Td>
          <Td>
            <AgentState agent={agent} />
          </Td>
          <TimeCell at={agent.last_seen} relative />
          <TimeCell at={agent.created} />
          <Td right>
            {agent.state !== 'revoked' && (
              <ActionsMenu of={`agent ${agent.name}`}>
                <MenuItem
                  disabled={!agent.connected}
                  onSelect={() => onDo({ agent, what: 'drain' })}
                >
                  Drain agent
                </MenuItem>
                <MenuItem
                  disabled={!agent.connected}
                  onSelect={() => onDo({ agent, what: 'undrain' })}
                >
                  End drain
                </MenuItem>
                <MenuItem danger onSelect={() => onDo({ agent, what: 'revoke' })}>
                  Revoke agent
                </MenuItem>
              </ActionsMenu>
            )}
          </Td>
        </tr>
      ))}
    </Table>
  );
}

export function AgentState({ agent: { state, connected } }: { agent: Agent }) {
  if (state === 'revoked') return <Badge tone="bad">Revoked</Badge>;
  if (connected) return <Badge tone="good">Connected</Badge>;
  if (state === 'enrolling') return <Badge tone="accent">Waiting to join</Badge>;
  return <Badge>Not connected here</Badge>;
}

const WORDS = {
  drain: {
    title: 'Drain',
    action: 'Drain agent',
    means:
      'Its workers get no new requests, and their running requests finish. They accept requests again when you end the drain, or after the agent restarts.',
  },
  undrain: {
    title: 'End the drain of',
    action: 'End drain',
    means: 'Its workers get new requests again as soon as their engines are ready.',
  },
  revoke: {
    title: 'Revoke',
    action: 'Revoke agent',
    means:
      'The agent can no longer connect, and its running requests fail over or are cut off. This cannot be undone. To add the host again, enrol a new agent.',
  },
} as const;

function ConfirmAction({ agent, what, onClose }: Doing & Readonly<{ onClose: () => void }>) {
  const change = useMutation({
    mutationFn: () => send('POST', `/agents/${agent.id}/${what}`),
    meta: { refetch: [AGENTS, FLEET] },
    onSuccess: onClose,
  });
  const { title, action, means } = WORDS[what];
  return (
    <Confirm
      onClose={onClose}
      title={`${title} ${agent.name}`}
      action={action}
      mutation={change}
      harmless={what === 'undrain'}
    >
      <p>{means}</p>
    </Confirm>
  );
}
