/** Records that hosts were lost, and that they are back, as events of their agents (decision 0034). */
import { mintId } from '../../../shared/ids.ts';
import {
  type RecordedHostEvent,
  ROWS_PER_WRITE,
  writeHostEvents,
} from '../../host-events/write.ts';
import type { ScheduledTask } from '../../jobs/scheduler.ts';
import { isoInstant } from '../api.ts';
import type { ControlParts } from '../parts.ts';
import { findUnrecordedTurns, marksOfLoss, type Turn } from './losses.ts';

const EVERY_MS = 30_000;

type Parts = Pick<ControlParts, 'store' | 'clock' | 'random' | 'incarnation'>;

export function lossesTask(parts: Parts): ScheduledTask {
  const { store, clock } = parts;
  return {
    name: 'record losses of hosts',
    everyMs: EVERY_MS,
    async run(stopping) {
      const turns = await store.call(findUnrecordedTurns, { now: clock.now() });
      const events = turns.map((turn) => eventOf(turn, parts));
      for (let from = 0; from < events.length; from += ROWS_PER_WRITE) {
        if (stopping?.aborted) return;
        await store.call(writeHostEvents, events.slice(from, from + ROWS_PER_WRITE));
      }
    },
  };
}

function eventOf(turn: Turn, { random, incarnation }: Parts): RecordedHostEvent {
  const { agent, kind, since } = turn;
  const at = turn.kind === 'lost' ? since : turn.at;
  return {
    // Is listed after the link that ended or began at this time.
    id: mintId('hostEvent', { now: () => at + 1 }, random),
    agent,
    worker: '',
    action: `agent.${kind}`,
    detail: turn.kind === 'lost' ? turn.end : isoInstant(since),
    mark: marksOfLoss(since)[kind],
    router: incarnation(),
    count: 1,
    created: at,
    last: at,
  };
}
