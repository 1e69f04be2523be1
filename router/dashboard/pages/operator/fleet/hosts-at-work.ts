/** Which hosts have workers here, and what is to be said of the others. */
import type { Agent } from '../../../../../shared/api/agents.ts';
import type { WorkerEntry } from '../../../../../shared/api/workers.ts';
import { shownCount } from '../../../format/count.ts';
import { hostsInWords } from './listed-hosts.ts';

export type HostsAtWork = Readonly<{
  /** How many hosts have workers that are connected. */
  count: number;
  /** "2 other hosts have no workers: 1 lost, 1 waiting to join." Null if there are none. */
  others: string | null;
}>;

/** Revoked hosts are not hosts of the fleet any more. */
export function hostsAtWork(
  hosts: readonly Agent[],
  workers: readonly Pick<WorkerEntry, 'agent'>[],
): HostsAtWork {
  const serving = new Set(workers.map(({ agent }) => agent));
  const others = hosts.filter(({ id, state }) => state !== 'revoked' && !serving.has(id));
  const other = serving.size === 0 ? '' : 'other ';
  const subject =
    others.length === 1 ? `1 ${other}host has` : `${shownCount(others.length)} ${other}hosts have`;
  return {
    count: serving.size,
    others: others.length === 0 ? null : `${subject} no workers: ${hostsInWords(others)}.`,
  };
}
