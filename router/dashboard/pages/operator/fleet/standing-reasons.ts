/** Since when and why workers drain or have an open breaker, as far as the events of the host tell. */
import type { AgentEvent } from '../../../../../shared/api/agents.ts';
import type { WorkerEntry } from '../../../../../shared/api/workers.ts';
import { because } from './host-event-words.ts';

export type StandingReason = Readonly<{
  /** The names of the workers that it is about. */
  workers: readonly string[];
  kind: 'drain' | 'breaker';
  /** ISO 8601. */
  since: string;
  /** A sentence without its end, such as "Drained by Ada". A note may have an end of its own. */
  why: string;
}>;

/** What begins or ends a drain of a worker: a start of its agent ends it. */
const DRAIN = [
  'agent.drain',
  'agent.undrain',
  'agent.started',
  'agent.stopping',
  'worker.drain',
  'worker.undrain',
] as const;
const BREAKER = ['worker.breaker-opened', 'worker.breaker-closed'] as const;

type Standing = Pick<WorkerEntry, 'name' | 'phase' | 'breaker'>;

/** Of which events the last one is the cause, for each way in which a worker is not at work. */
export function actionsOfStandings({
  phase,
  breaker,
}: Pick<Standing, 'phase' | 'breaker'>): readonly (readonly string[])[] {
  return [...(phase === 'draining' ? [DRAIN] : []), ...(breaker === 'closed' ? [] : [BREAKER])];
}

/** `events`: of the host of all these workers, in any order. Workers whose cause is not known have none. */
export function standingReasons(
  workers: readonly Standing[],
  events: readonly AgentEvent[],
): readonly StandingReason[] {
  const reasons = workers.flatMap((worker) => [
    ...(worker.phase === 'draining' ? drainOf(worker, events) : []),
    ...(worker.breaker === 'closed' ? [] : breakerOf(worker, events)),
  ]);
  const same = Map.groupBy(reasons, ({ kind, since, why }) => `${kind} ${since} ${why}`);
  return [...same.values()].flatMap(([first, ...others]) =>
    first === undefined
      ? []
      : [{ ...first, workers: [first, ...others].flatMap((one) => one.workers) }],
  );
}

/** The last of these events that is about the worker, or about its whole host. */
function lastOf(
  actions: readonly string[],
  { name }: Standing,
  events: readonly AgentEvent[],
): AgentEvent | undefined {
  return events
    .filter(
      ({ action, worker }) => actions.includes(action) && (worker === null || worker === name),
    )
    .toSorted((a, b) => (a.created < b.created ? 1 : -1))[0];
}

function drainOf(worker: Standing, events: readonly AgentEvent[]): StandingReason[] {
  const last = lastOf(DRAIN, worker, events);
  if (last === undefined || last.action === 'agent.started') return [];
  if (last.action.endsWith('.undrain')) return [];
  const why =
    last.action === 'agent.stopping'
      ? 'Its agent is stopping'
      : `Drained by ${last.actor ?? 'an operator'}${because(last.detail)}`;
  return [{ workers: [worker.name], kind: 'drain', since: last.created, why }];
}

function breakerOf(worker: Standing, events: readonly AgentEvent[]): StandingReason[] {
  const last = lastOf(BREAKER, worker, events);
  if (last?.action !== 'worker.breaker-opened') return [];
  const why = 'The breaker opened because the worker kept failing';
  return [{ workers: [worker.name], kind: 'breaker', since: last.created, why }];
}
