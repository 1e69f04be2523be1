/**
 * The status of a host. Every page shows this one: it is decided by whether the agent is connected,
 * and only of a connected host by what its workers do.
 */
import type { Agent } from '../../../../../shared/api/agents.ts';
import { serves, type WorkerRow } from '../../../api/readings.ts';
import { countOf, shownCount } from '../../../format/count.ts';
import type { Tone } from '../../../parts/tone.ts';
import { requestsOn } from './drain-progress.ts';
import { isTroubled } from './listed-workers.ts';

export type HostStatus = Readonly<{
  name: string;
  tone: Tone;
  /** Since when a host is away, ISO 8601. Null: it is not, or it is not known. */
  since: string | null;
  /** What the status means, without a full stop. Empty: it is not known. */
  note: string;
}>;

/**
 * When a router was connected to the host last, ISO 8601. While no router is, this is when its last
 * link ended, which routers may have recorded after they last noted that they see it.
 */
export function lastSeen({ last_seen: seen, absence }: Pick<Agent, 'last_seen' | 'absence'>) {
  return absence?.since ?? seen;
}

/** `rows`: the workers that this router lists, of this host or of all. Null: they are not known. */
export function hostStatus(agent: Agent, rows: readonly WorkerRow[] | null): HostStatus {
  if (!agent.connected || agent.state === 'revoked') return absentStatus(agent);
  if (rows === null) return { name: 'Connected', tone: 'neutral', since: null, note: '' };
  const own = rows.filter(({ worker }) => worker.agent === agent.id);
  return { ...connectedStatus(own), since: null };
}

const ABSENCES = {
  lost: { name: 'Lost', tone: 'warn', note: 'It went away without being drained or stopped' },
  drained: { name: 'Stopped', tone: 'neutral', note: 'It was drained before it went away' },
  stopped: { name: 'Stopped', tone: 'neutral', note: 'Its agent was told to stop' },
  disconnected: { name: 'Disconnected', tone: 'warn', note: 'It may be connecting again' },
} as const;

function absentStatus({ state, absence }: Agent): HostStatus {
  if (state === 'revoked') {
    return { name: 'Revoked', tone: 'bad', since: null, note: 'It can never connect again' };
  }
  if (absence) return { ...ABSENCES[absence.reason], since: absence.since };
  if (state === 'enrolling') {
    return { name: 'Waiting to join', tone: 'accent', since: null, note: 'It has never connected' };
  }
  const note = 'This router has no connection to it, but another router may have one';
  return { name: 'Not connected', tone: 'neutral', since: null, note };
}

/** The states of a worker that gets no requests and should. */
const FAILING: readonly WorkerRow['state'][] = ['unready', 'open', 'probing'];

function connectedStatus(rows: readonly WorkerRow[]): Omit<HostStatus, 'since'> {
  if (rows.length === 0) {
    return { name: 'Connected', tone: 'neutral', note: 'Its agent has found no engine yet' };
  }
  const draining = rows.filter(({ state }) => state === 'draining');
  if (draining.length === rows.length) return drainStatus(draining);
  const ready = rows.filter(({ state }) => state === 'ready').length;
  const note = `${shownCount(ready)} of ${countOf(rows.length, 'worker')} ready`;
  const isServing = rows.some(({ worker }) => serves(worker));
  if (!isServing && rows.some(({ state }) => FAILING.includes(state))) {
    return { name: 'Not ready', tone: 'bad', note };
  }
  const partly = { name: 'Partly draining', tone: 'warn', note } as const;
  const staying = rows.filter(({ state }) => state !== 'draining');
  if (staying.every(({ state }) => state === 'joining')) {
    return draining.length > 0 ? partly : { name: 'Starting', tone: 'neutral', note };
  }
  if (rows.some(isTroubled)) return { name: 'Needs attention', tone: 'warn', note };
  return draining.length > 0 ? partly : { name: 'Ready', tone: 'good', note };
}

function drainStatus(draining: readonly WorkerRow[]): Omit<HostStatus, 'since'> {
  const left = draining.reduce((sum, { worker }) => sum + requestsOn(worker), 0);
  if (left === 0) return { name: 'Drained', tone: 'neutral', note: 'It gets no new requests' };
  const note = `It gets no new requests, and ${countOf(left, 'request')} still ${left === 1 ? 'runs' : 'run'}`;
  return { name: 'Draining', tone: 'warn', note };
}
