/** How far the drain of a host is, by what its agent reports of its workers. */
import type { WorkerEntry } from '../../../../../shared/api/workers.ts';
import { shownCount } from '../../../format/count.ts';

export type DrainProgress = Readonly<{
  /** Requests of all routers that run or wait on the host. Null when it is not connected here. */
  left: number | null;
  /** Whether all of its workers drain. */
  isDraining: boolean;
}>;

/**
 * Requests of all routers that run or wait on a worker. One that this router has just sent is not in
 * the agent's report yet.
 */
export function requestsOn({ running, waiting, in_flight }: WorkerEntry): number {
  return Math.max(running + waiting, in_flight);
}

export function drainProgressOf(agent: string, all: readonly WorkerEntry[]): DrainProgress {
  const workers = all.filter((worker) => worker.agent === agent);
  if (workers.length === 0) return { left: null, isDraining: false };
  return {
    left: workers.reduce((sum, worker) => sum + requestsOn(worker), 0),
    isDraining: workers.every(({ phase }) => phase === 'draining'),
  };
}

/**
 * What an operator can do to a host: drain it unless all of its workers drain, and end the drain of
 * those that do.
 */
export function drainChoicesOf(
  agent: string,
  all: readonly WorkerEntry[],
): Readonly<{ drain: boolean; undrain: boolean }> {
  const workers = all.filter((worker) => worker.agent === agent);
  const draining = workers.filter(({ phase }) => phase === 'draining').length;
  return { drain: workers.length === 0 || draining < workers.length, undrain: draining > 0 };
}

/** Those of the hosts to which an operator can do this. */
export function hostsToChange<Host extends Readonly<{ id: string }>>(
  what: 'drain' | 'undrain',
  hosts: readonly Host[],
  all: readonly WorkerEntry[],
): readonly Host[] {
  return hosts.filter(({ id }) => drainChoicesOf(id, all)[what]);
}

/** "1 draining, 2 drained": a worker whose requests have ended is drained. Null if none drains. */
export function drainsInWords(workers: readonly WorkerEntry[]): string | null {
  const all = workers.filter(({ phase }) => phase === 'draining');
  const drained = all.filter((worker) => requestsOn(worker) === 0).length;
  const parts = [
    all.length > drained ? `${shownCount(all.length - drained)} draining` : null,
    drained > 0 ? `${shownCount(drained)} drained` : null,
  ].filter((part) => part !== null);
  return parts.length === 0 ? null : parts.join(', ');
}
