/** Drains several hosts, or ends their drains, and shows how far each of them is. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Agent } from '../../../../../shared/api/agents.ts';
import type { WorkerEntry } from '../../../../../shared/api/workers.ts';
import { AGENTS, changeHost, FLEET, fleetQuery } from '../../../api/fleet.ts';
import { shownCount } from '../../../format/count.ts';
import { Button } from '../../../parts/form/button.tsx';
import { Cancel, Dialog } from '../../../parts/form/dialog.tsx';
import { Badge } from '../../../parts/shown.tsx';
import { Table, Td } from '../../../parts/list/table.tsx';
import { drainProgressOf } from './drain-progress.ts';
import { DrainReason } from './drain-reason.tsx';
import { SoleHostWarning } from './sole-host-warning.tsx';

type What = 'drain' | 'undrain';

/** `others`: how many hosts are selected as well, in which there is nothing to change. */
export type HostsChange = Readonly<{ hosts: readonly Agent[]; what: What; others: number }>;

/** Null while it is sent; otherwise `done`, or why it failed. */
type Result = 'done' | Error | null;

/** How many hosts are changed at once. */
const AT_ONCE = 4;

const WORDS = {
  drain: {
    title: 'Drain',
    action: 'Drain',
    means:
      'The workers get no new requests, and their running requests finish. They accept requests again when you end the drain, or after the agents restart.',
    others: ['already drains', 'already drain'],
  },
  undrain: {
    title: 'End the drain of',
    action: 'End drain',
    means: 'The workers get new requests again as soon as their engines are ready.',
    others: ['does not drain', 'do not drain'],
  },
} as const;

type Props = HostsChange & Readonly<{ onClose: () => void }>;

export function ChangeHostsDialog({ hosts, what, others, onClose }: Props) {
  const fleet = useQuery(fleetQuery);
  const [results, setResults] = useState<ReadonlyMap<string, Result>>(new Map());
  const [reason, setReason] = useState('');
  const set = (host: string, result: Result) =>
    setResults((before) => new Map(before).set(host, result));
  const change = useMutation({
    mutationFn: (wanted: readonly Agent[]) => changeAll(wanted, what, reason, set),
    meta: { refetch: [AGENTS, FLEET] },
  });
  const failed = hosts.filter(({ id }) => results.get(id) instanceof Error);
  const { title, action, means } = WORDS[what];
  const count = counted(hosts.length);
  return (
    <Dialog
      width="wide"
      onClose={onClose}
      title={`${title} ${count}`}
      description={[means, ...unchanged(what, others)].join(' ')}
    >
      <Table label="Hosts" columns={['Host', 'Progress']}>
        {hosts.map(({ id, name }) => (
          <tr key={id}>
            <Td className="font-medium">{name}</Td>
            <Td aria-live="polite">
              <Progress
                host={id}
                what={what}
                result={results.get(id)}
                workers={fleet.data?.workers ?? []}
              />
            </Td>
          </tr>
        ))}
      </Table>
      {what === 'drain' && change.isIdle && (
        <>
          <DrainReason error={null} onChange={setReason} />
          <SoleHostWarning leaves={({ agent }) => hosts.some(({ id }) => id === agent)} />
        </>
      )}
      <footer className="flex justify-end gap-2">
        {change.isIdle ? (
          <>
            <Cancel />
            <Button
              look={what === 'drain' ? 'danger' : 'primary'}
              onClick={() => change.mutate(hosts)}
            >
              {action} {count}
            </Button>
          </>
        ) : (
          <>
            {failed.length > 0 && (
              <Button busy={change.isPending} onClick={() => change.mutate(failed)}>
                Try failed hosts again
              </Button>
            )}
            <Button look="primary" busy={change.isPending} onClick={onClose}>
              Done
            </Button>
          </>
        )}
      </footer>
    </Dialog>
  );
}

function counted(hosts: number): string {
  return `${shownCount(hosts)} ${hosts === 1 ? 'host' : 'hosts'}`;
}

/** Says why the dialog has fewer hosts than are selected. Empty if it has all of them. */
function unchanged(what: What, others: number): readonly string[] {
  if (others === 0) return [];
  const [one, several] = WORDS[what].others;
  return [`${counted(others)} of the selected ${others === 1 ? one : several}.`];
}

/** Changes a few hosts at a time. Each has a result of its own, whatever becomes of the others. */
async function changeAll(
  hosts: readonly Agent[],
  what: What,
  reason: string,
  set: (host: string, result: Result) => void,
): Promise<void> {
  const waiting = [...hosts];
  for (const { id } of hosts) set(id, null);
  const changeNext = async () => {
    for (let host = waiting.shift(); host !== undefined; host = waiting.shift()) {
      const { id } = host;
      await changeHost(id, what, reason).then(
        () => set(id, 'done'),
        (error: unknown) => set(id, error instanceof Error ? error : new Error(String(error))),
      );
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, changeNext));
}

type ProgressProps = Readonly<{
  host: string;
  what: What;
  result: Result | undefined;
  workers: readonly WorkerEntry[];
}>;

function Progress({ host, what, result, workers }: ProgressProps) {
  const { left, isDraining } = drainProgressOf(host, workers);
  if (result instanceof Error) return <span className="text-bad">Failed: {result.message}</span>;
  if (result === null) return <span className="text-muted">Waiting</span>;
  if (left === null) return <span className="text-muted">No workers connected to this router</span>;
  const running = `${shownCount(left)} ${left === 1 ? 'request' : 'requests'} running`;
  if (result === undefined) return running;
  if (what === 'undrain') {
    return isDraining ? 'Waiting for the engines' : <Badge tone="good">Not draining</Badge>;
  }
  if (!isDraining) return <span className="text-muted">Waiting for the agent</span>;
  return left === 0 ? <Badge tone="good">Drained</Badge> : `Draining: ${running}`;
}
