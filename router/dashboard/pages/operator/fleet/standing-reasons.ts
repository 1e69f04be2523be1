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

type Standing = Pick<WorkerEntry, 'name' | 'phase' | 'breaker'>;

/** `events`: of the host of all these workers, the newest first. Workers whose cause is not known have none. */
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

function drainOf({ name }: Standing, events: readonly AgentEvent[]): StandingReason[] {
  const last = events.find(
    ({ action, worker }) =>
      action === 'agent.drain' ||
      action === 'agent.undrain' ||
      // A start of the agent ends the drains of its workers.
      action === 'agent.started' ||
      action === 'agent.stopping' ||
      ((action === 'worker.drain' || action === 'worker.undrain') && worker === name),
  );
  if (last === undefined || last.action === 'agent.started') return [];
  if (last.action.endsWith('.undrain')) return [];
  const why =
    last.action === 'agent.stopping'
      ? 'Its agent is stopping'
      : `Drained by ${last.actor ?? 'an operator'}${because(last.detail)}`;
  return [{ workers: [name], kind: 'drain', since: last.created, why }];
}

function breakerOf({ name }: Standing, events: readonly AgentEvent[]): StandingReason[] {
  const last = events.find(
    ({ action, worker }) =>
      (action === 'worker.breaker-opened' || action === 'worker.breaker-closed') && worker === name,
  );
  if (last?.action !== 'worker.breaker-opened') return [];
  const why = 'The breaker opened because the worker kept failing';
  return [{ workers: [name], kind: 'breaker', since: last.created, why }];
}
