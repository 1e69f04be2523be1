/** Drains several hosts, or ends their drains, and shows how far each of them is. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Agent } from '../../../../../shared/api/agents.ts';
import type { WorkerEntry } from '../../../../../shared/api/workers.ts';
import { AGENTS, changeHost, FLEET, fleetQuery } from '../../../api/fleet.ts';
import { shownCount } from '../../../format/count.ts';
import { Button } from '../../../parts/form/button.tsx';
import { Cancel, Dialog, DialogFooter } from '../../../parts/form/dialog.tsx';
import { Badge } from '../../../parts/shown.tsx';
import { Table, Td } from '../../../parts/list/table.tsx';
import { drainMeans, undrainMeans } from './drain-meaning.ts';
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
    others: ['drains already', 'drain already'],
  },
  undrain: {
    title: 'End the drain of',
    action: 'End the drain of',
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
  const { title, action } = WORDS[what];
  const [only] = hosts;
  const count = only && hosts.length === 1 ? `host ${only.name}` : counted(hosts.length);
  const which = hosts.length === 1 ? 'host' : 'hosts';
  const left = leftOn(hosts, fleet.data?.workers ?? []);
  const means = what === 'drain' ? drainMeans(which, left) : undrainMeans(which);
  return (
    <Dialog
      width="wide"
      isEdited={change.isIdle && reason !== ''}
      onClose={onClose}
      title={`${title} ${count}`}
      description={[means, ...unchanged(what, others)].join(' ')}
    >
      <Table label="Hosts" columns={['Host', change.isIdle ? 'Now' : 'Progress']}>
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
          <SoleHostWarning leaves={({ agent }) => hosts.some(({ id }) => id === agent)} />
          <DrainReason error={null} onChange={setReason} />
        </>
      )}
      <DialogFooter>
        {change.isIdle ? (
          <>
            <Cancel />
            <Button
              look={what === 'drain' ? 'danger' : 'primary'}
              onClick={() => change.mutate(hosts)}
            >
              {action} {counted(hosts.length)}
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
      </DialogFooter>
    </Dialog>
  );
}

/** The requests that run on all of these hosts. Null: of some host it is not known. */
function leftOn(hosts: readonly Agent[], workers: readonly WorkerEntry[]): number | null {
  return hosts.reduce<number | null>((sum, { id }) => {
    const { left } = drainProgressOf(id, workers);
    return sum === null || left === null ? null : sum + left;
  }, 0);
}

function counted(hosts: number): string {
  return `${shownCount(hosts)} ${hosts === 1 ? 'host' : 'hosts'}`;
}

/** Says why the dialog has fewer hosts than are selected. Empty if it has all of them. */
function unchanged(what: What, others: number): readonly string[] {
  if (others === 0) return [];
  const [one, several] = WORDS[what].others;
  return [`Of the selected hosts, ${shownCount(others)} ${others === 1 ? one : several}.`];
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
  if (result instanceof Error) return <span className="text-bad">Failed. {result.message}</span>;
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
