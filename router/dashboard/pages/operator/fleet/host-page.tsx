/** One host: its workers as they are, its history, and what happened to it. */
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import type { Agent } from '../../../../../shared/api/agents.ts';
import { agentsQuery, fleetQuery } from '../../../api/fleet.ts';
import { rowsOf } from '../../../api/readings.ts';
import { REGION_NAMES } from '../../../format/regions.ts';
import { Button } from '../../../parts/button.tsx';
import { Fact, Facts, Page, Panel } from '../../../parts/page.tsx';
import { Code, When } from '../../../parts/shown.tsx';
import { Empty, Loaded } from '../../../parts/states.tsx';
import { AgentState } from './agents-panel.tsx';
import { HistoryPanel } from './history-panel.tsx';
import { HostEvents } from './host-events.tsx';
import { WorkersTable } from './workers-table.tsx';

export default function HostPage() {
  const { agent: id = '' } = useParams({ strict: false });
  const agents = useQuery(agentsQuery);
  const fleet = useQuery(fleetQuery);
  const agent = agents.data?.find((one) => one.id === id);
  const rows = fleet.data ? rowsOf(fleet.data).filter(({ worker }) => worker.agent === id) : [];
  const version = rows[0]?.worker.agent_version;
  const notes = rows.flatMap(({ worker }) =>
    worker.notes.map((note) => ({ worker: worker.name, note })),
  );
  return (
    <Page
      title={agent?.name ?? 'Host'}
      description="Live state, history and events."
      actions={
        <Button asChild>
          <Link to="/operator/fleet">
            <ArrowLeft /> Fleet
          </Link>
        </Button>
      }
    >
      <Panel>
        <Loaded query={agents}>
          {() =>
            agent === undefined ? (
              <Empty title="No such host">The agent was never enrolled here.</Empty>
            ) : (
              <Facts>
                <Fact name="Agent">
                  <Code>{agent.id}</Code>
                </Fact>
                <Fact name="Status">
                  <AgentState agent={agent} />
                </Fact>
                <Fact name="Region">{REGION_NAMES[agent.region]}</Fact>
                <Fact name="Version">
                  {version === undefined ? (
                    <span className="text-muted">Not connected here</span>
                  ) : (
                    `Penstock ${version}`
                  )}
                </Fact>
                <Fact name="Enrolled">
                  <When at={agent.created} relative />
                </Fact>
                <Fact name="Last seen">
                  {agent.last_seen === null ? (
                    <span className="text-muted">Never</span>
                  ) : (
                    <When at={agent.last_seen} relative />
                  )}
                </Fact>
                {notes.length > 0 && (
                  <Fact name="Notes from its agent">
                    <ul className="grid gap-1">
                      {notes.map(({ worker, note }) => (
                        <li key={`${worker} ${note}`}>
                          <Code>{worker}</Code> {note}
                        </li>
                      ))}
                    </ul>
                  </Fact>
                )}
              </Facts>
            )
          }
        </Loaded>
      </Panel>
      <HistoryPanel agent={id} />
      <Panel title="Workers" flush>
        <Loaded query={fleet}>
          {() => <WorkersTable rows={rows} none={agent && absenceOf(agent)} />}
        </Loaded>
      </Panel>
      <HostEvents agent={id} />
    </Page>
  );
}

/** Why a host has no workers here, if it has joined. */
function absenceOf({ connected, last_seen: seen }: Agent) {
  if (connected) return 'Its agent is connected and has found no engine yet.';
  if (seen === null) return undefined;
  return (
    <>
      Not connected since <When at={seen} />.
    </>
  );
}
