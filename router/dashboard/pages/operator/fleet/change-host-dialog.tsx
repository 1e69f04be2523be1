/** Asks before one host is drained, its drain is ended, or it is revoked. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Agent } from '../../../../../shared/api/agents.ts';
import { AGENTS, changeHost, FLEET, fleetQuery } from '../../../api/fleet.ts';
import { Confirm } from '../../../parts/form/dialog.tsx';
import { drainMeans, REVOKE_MEANS, undrainMeans } from './drain-meaning.ts';
import { drainProgressOf } from './drain-progress.ts';
import { DrainReason } from './drain-reason.tsx';
import { SoleHostWarning } from './sole-host-warning.tsx';

export type HostDoing = Readonly<{ agent: Agent; what: 'drain' | 'undrain' | 'revoke' }>;

const WORDS = {
  drain: { title: 'Drain host', action: 'Drain host' },
  undrain: { title: 'End the drain of host', action: 'End drain' },
  revoke: { title: 'Revoke host', action: 'Revoke host' },
} as const;

type Props = HostDoing & Readonly<{ onClose: () => void }>;

export function ChangeHostDialog({ agent, what, onClose }: Props) {
  const [reason, setReason] = useState('');
  const change = useMutation({
    mutationFn: () => changeHost(agent.id, what, reason),
    meta: { refetch: [AGENTS, FLEET] },
    onSuccess: onClose,
  });
  const fleet = useQuery(fleetQuery);
  const { left } = drainProgressOf(agent.id, fleet.data?.workers ?? []);
  const { title, action } = WORDS[what];
  return (
    <Confirm
      onClose={onClose}
      title={`${title} ${agent.name}`}
      action={action}
      mutation={change}
      harmless={what === 'undrain'}
      isEdited={reason !== ''}
    >
      {what === 'drain' && <p>{drainMeans('host', left)}</p>}
      {what === 'undrain' && <p>{undrainMeans('host')}</p>}
      {what === 'revoke' && REVOKE_MEANS.map((part) => <p key={part}>{part}</p>)}
      {what !== 'undrain' && <SoleHostWarning leaves={(worker) => worker.agent === agent.id} />}
      {what === 'drain' && <DrainReason error={change.error} onChange={setReason} />}
    </Confirm>
  );
}
