/**
 * Enrols a GPU host. The first form takes a name, a region and the engine's URL. Then
 * the dialog shows the command to run on the host, and whether the agent has connected.
 */
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { z } from 'zod';
import type { EnrolledAgent, NewAgent } from '../../../../../shared/api/agents.ts';
import { REGION_NAMES } from '../../../../../shared/region.ts';
import { type Sent, send } from '../../../api/client.ts';
import { AGENTS, agentsQuery, fleetQuery, routersQuery } from '../../../api/fleet.ts';
import { rowsOf } from '../../../api/readings.ts';
import { Button } from '../../../parts/form/button.tsx';
import { CodeBlock } from '../../../parts/code/code-block.tsx';
import { Dialog, Dismiss, Done } from '../../../parts/form/dialog.tsx';
import { Fault, SelectField, TextField } from '../../../parts/form/field.tsx';
import { FormDialog } from '../../../parts/form/form-dialog.tsx';
import { When } from '../../../parts/shown.tsx';
import { servedRegions } from '../../../served-regions.ts';
import { addressFor, agentCommand } from './agent-command.ts';
import { HostBadge } from './host-badge.tsx';
import { hostStatus } from './host-status.ts';

type Enrolled = z.infer<typeof EnrolledAgent>;

/** Where an engine listens if it was not told otherwise. */
const ENGINE = 'http://127.0.0.1:8000';

export function EnrolDialog({ onClose }: { onClose: () => void }) {
  const [engine, setEngine] = useState(ENGINE);
  const enrol = useMutation({
    mutationFn: (agent: Sent<typeof NewAgent>) => send<Enrolled>('POST', '/agents', agent),
    meta: { refetch: [AGENTS] },
  });
  if (enrol.data) {
    return <Joining enrolled={enrol.data} engine={engine} onClose={onClose} />;
  }
  return (
    <FormDialog
      onClose={onClose}
      title="Enrol host"
      description="An agent runs on the host, beside its engines, and connects to the routers. Next, you get the command that starts it."
      action="Enrol host"
      mutation={enrol}
      fields={['name', 'region']}
      onSend={(text) => enrol.mutate({ name: text('name'), region: text('region') })}
    >
      <TextField
        label="Name"
        param="name"
        placeholder="gpu-host-1"
        maxLength={100}
        required
        autoComplete="off"
      />
      <RegionField />
      <TextField
        label="Engine URL"
        hint="The URL of the engine, as the host reaches it."
        type="url"
        placeholder={ENGINE}
        required
        value={engine}
        onChange={setEngine}
      />
    </FormDialog>
  );
}

/** The field `region`. Where one region is served, nothing is shown. */
function RegionField() {
  const regions = servedRegions();
  if (regions.length === 1) return <input type="hidden" name="region" value={regions[0]} />;
  return (
    <SelectField label="Region" hint="You cannot change the region later." param="region">
      {regions.map((each) => (
        <option key={each} value={each}>
          {REGION_NAMES[each]}
        </option>
      ))}
    </SelectField>
  );
}

type JoiningProps = Readonly<{ enrolled: Enrolled; engine: string; onClose: () => void }>;

function Joining({ enrolled, engine, onClose }: JoiningProps) {
  const routers = useQuery(routersQuery);
  const agents = useQuery(agentsQuery);
  const fleet = useQuery(fleetQuery);
  const agent = agents.data?.find(({ id }) => id === enrolled.id) ?? enrolled;
  const status = hostStatus(agent, fleet.data ? rowsOf(fleet.data) : null);
  const known = routers.data?.data ?? [];
  const command = agentCommand({
    name: enrolled.name,
    engine,
    routers: [addressFor(enrolled.region, known, location.origin)],
    token: enrolled.join_token,
  });
  return (
    <Dialog
      width="wide"
      sticky={!agent.connected}
      onClose={onClose}
      title={`Start ${enrolled.name}`}
      description="Run this command on the host. Its join token works once. You won't see it again."
    >
      <CodeBlock code={command} what="the command that starts the agent" title="Shell" />
      <Fault error={agents.error} />
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p role="status" className="flex flex-wrap items-center gap-2 text-sm text-muted">
          <HostBadge status={status} />
          {agent.connected ? (
            status.note !== '' && `${status.note}.`
          ) : (
            <span>
              The token expires <When at={enrolled.expires} relative />
            </span>
          )}
        </p>
        <div className="ml-auto">
          {agent.connected ? (
            <Done onClose={onClose} />
          ) : (
            <Dismiss>
              <Button>Done</Button>
            </Dismiss>
          )}
        </div>
      </div>
    </Dialog>
  );
}
