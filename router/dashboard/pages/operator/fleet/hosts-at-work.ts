/** Which hosts have workers here, what these serve, and what is to be said of the others. */
import type { Agent } from '../../../../../shared/api/agents.ts';
import type { WorkerEntry } from '../../../../../shared/api/workers.ts';
import { serves } from '../../../api/readings.ts';
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

type ServedNow = Readonly<{ workers: number; models: number; hosts: number }>;

/** How many workers get requests, how many models they serve, and on how many hosts. */
export function servedNow(workers: readonly WorkerEntry[]): ServedNow {
  const serving = workers.filter(serves);
  return {
    workers: serving.length,
    models: new Set(serving.flatMap(({ models }) => models)).size,
    hosts: new Set(serving.map(({ agent }) => agent)).size,
  };
}
