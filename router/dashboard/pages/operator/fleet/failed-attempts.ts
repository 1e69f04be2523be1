/** Which share of the attempts of the last hour failed, by worker and by host. */
import { useQuery } from '@tanstack/react-query';
import type { FleetHistory } from '../../../../../shared/api/fleet-history.ts';
import { ApiError } from '../../../api/client.ts';
import { workersHourQuery } from '../../../api/fleet-history.ts';
import { errorsOf, judgedOf } from './history-series.ts';

/** From this share on, failures are red, and their host is named where nothing else is wrong. */
const FAILING = 0.01;

/** Attempts that were refused or limited are not counted. */
export type Attempts = Readonly<{ failed: number; all: number }>;

export type HostAttempts = Attempts & Readonly<{ agent: string; name: string | null }>;

export type LastHour = Readonly<{
  /** By the ids of workers, as in the list of workers. */
  workers: ReadonlyMap<string, Attempts>;
  /** By the ids of agents. */
  hosts: ReadonlyMap<string, HostAttempts>;
}>;

const UNKNOWN: LastHour = { workers: new Map(), hosts: new Map() };

/** Nothing is known of workers without attempts, and of all while they are not read. */
export function useLastHour(): LastHour {
  const { data } = useQuery(workersHourQuery);
  return data ? lastHourOf(data) : UNKNOWN;
}

/**
 * What reads the attempts, for what waits for it. Empty if only routers of an earlier version have
 * answered, which refuse to: then nothing is known of the attempts.
 */
export function useAttemptsReads() {
  const read = useQuery(workersHourQuery);
  const { data, error } = read;
  return data === undefined && error instanceof ApiError && error.status === 400 ? [] : [read];
}

/** `history`: by worker. */
export function lastHourOf({ groups }: FleetHistory): LastHour {
  const workers = new Map<string, Attempts>();
  const hosts = new Map<string, HostAttempts>();
  for (const { agent, agent_name: name, worker, total } of groups) {
    if (agent === null || worker === null) continue;
    const own = { failed: errorsOf(total), all: judgedOf(total) };
    if (own.all === 0) continue;
    workers.set(`${agent}/${worker}`, own);
    const { failed = 0, all = 0 } = hosts.get(agent) ?? {};
    hosts.set(agent, { agent, name, failed: failed + own.failed, all: all + own.all });
  }
  return { workers, hosts };
}

/** From 0 to 1; 0 of what nothing is known of. */
export function failedShare(attempts: Attempts | undefined): number {
  return attempts === undefined ? 0 : attempts.failed / attempts.all;
}

export function isFailing(attempts: Attempts | undefined): boolean {
  return failedShare(attempts) >= FAILING;
}

/** Those whose share is red, the worst first. */
export function failingHosts({ hosts }: LastHour): readonly HostAttempts[] {
  return [...hosts.values()]
    .filter(isFailing)
    .toSorted((a, b) => failedShare(b) - failedShare(a) || b.failed - a.failed);
}
