/** Asks before one host is drained, its drain is ended, or its agent is revoked. */
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Agent } from '../../../../../shared/api/agents.ts';
import { AGENTS, changeHost, FLEET } from '../../../api/fleet.ts';
import { Confirm } from '../../../parts/form/dialog.tsx';
import { DrainReason } from './drain-reason.tsx';
import { SoleHostWarning } from './sole-host-warning.tsx';

export type HostDoing = Readonly<{ agent: Agent; what: 'drain' | 'undrain' | 'revoke' }>;

const WORDS = {
  drain: {
    title: 'Drain',
    action: 'Drain host',
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

type Props = HostDoing & Readonly<{ onClose: () => void }>;

export function ChangeHostDialog({ agent, what, onClose }: Props) {
  const [reason, setReason] = useState('');
  const change = useMutation({
    mutationFn: () => changeHost(agent.id, what, reason),
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
      {what === 'drain' && <DrainReason error={change.error} onChange={setReason} />}
      {what !== 'undrain' && <SoleHostWarning leaves={(worker) => worker.agent === agent.id} />}
    </Confirm>
  );
}
