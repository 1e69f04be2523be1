/** What an operator can do to a host. */
import type { Agent } from '../../../../../shared/api/agents.ts';
import type { WorkerEntry } from '../../../../../shared/api/workers.ts';
import { ForAdministrators } from '../../../parts/for-administrators.tsx';
import { ActionsMenu, MenuItem } from '../../../parts/menu.tsx';
import type { HostDoing } from './change-host-dialog.tsx';
import { drainChoicesOf } from './drain-progress.ts';

type HostMenuProps = Readonly<{
  agent: Agent;
  workers: readonly WorkerEntry[];
  onDo: (doing: HostDoing) => void;
}>;

export function HostMenu({ agent, workers, onDo }: HostMenuProps) {
  if (agent.state === 'revoked') return null;
  const choices = drainChoicesOf(agent.id, workers);
  return (
    <ForAdministrators>
      <ActionsMenu of={`host ${agent.name}`}>
        {/* Only a router that is connected to the host can drain it. */}
        {choices.drain && agent.connected && (
          <MenuItem onSelect={() => onDo({ agent, what: 'drain' })}>Drain host</MenuItem>
        )}
        {choices.undrain && (
          <MenuItem onSelect={() => onDo({ agent, what: 'undrain' })}>End drain</MenuItem>
        )}
        <MenuItem danger onSelect={() => onDo({ agent, what: 'revoke' })}>
          Revoke host
        </MenuItem>
      </ActionsMenu>
    </ForAdministrators>
  );
}
