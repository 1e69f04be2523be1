/** The buttons of a host's page. */
import type { Agent } from '../../../../../shared/api/agents.ts';
import type { WorkerEntry } from '../../../../../shared/api/workers.ts';
import { Button } from '../../../parts/form/button.tsx';
import { useIsViewer } from '../../../session.tsx';
import type { HostDoing } from './change-host-dialog.tsx';
import { drainChoicesOf } from './drain-progress.ts';

type HostActionsProps = Readonly<{
  agent: Agent;
  workers: readonly WorkerEntry[];
  onDo: (what: HostDoing['what']) => void;
}>;

export function HostActions({ agent, workers, onDo }: HostActionsProps) {
  const { id, state, connected } = agent;
  const isViewer = useIsViewer();
  if (state === 'revoked' || isViewer) return null;
  const choices = drainChoicesOf(id, workers);
  return (
    <>
      {choices.undrain && <Button onClick={() => onDo('undrain')}>End drain</Button>}
      {/* Only a router that is connected to the host can drain it. */}
      {choices.drain && connected && <Button onClick={() => onDo('drain')}>Drain</Button>}
      <Button look="danger" onClick={() => onDo('revoke')}>
        Revoke
      </Button>
    </>
  );
}
