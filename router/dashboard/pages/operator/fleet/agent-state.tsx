import type { Agent } from '../../../../../shared/api/agents.ts';
import { Badge, When } from '../../../parts/shown.tsx';

const ABSENCES = { drained: 'Drained', stopped: 'Stopped', disconnected: 'Disconnected' } as const;

export function AgentState({ agent: { state, connected, absence } }: { agent: Agent }) {
  if (state === 'revoked') return <Badge tone="bad">Revoked</Badge>;
  if (connected) return <Badge tone="good">Connected</Badge>;
  if (state === 'enrolling') return <Badge tone="accent">Waiting to join</Badge>;
  if (absence?.reason === 'lost') {
    return (
      <Badge tone="warn">
        Lost <When at={absence.since} relative />
      </Badge>
    );
  }
  if (absence) return <Badge>{ABSENCES[absence.reason]}</Badge>;
  return <Badge>Not connected here</Badge>;
}
