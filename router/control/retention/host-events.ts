/** Deletes events of agents that are no longer kept, in small slices. */
import { DAY_MS } from '../../../shared/durations.ts';
import { findHostEventsToForget, forgetHostEvents } from '../../host-events/forget.ts';
import type { ScheduledTask } from '../../jobs/scheduler.ts';
import type { ControlParts } from '../parts.ts';

const EVERY_MS = 10 * 60_000;
export const HOST_EVENT_DAYS = 90;
/** What one search finds, and what one transaction deletes. Running requests wait during each one. */
const FOUND_ROWS = 5_000;
const SLICE_ROWS = 500;
const SEARCHES_MAX = 20;

export function hostEventsTask({
  store,
  clock,
}: Pick<ControlParts, 'store' | 'clock'>): ScheduledTask {
  return {
    name: 'forget host events',
    everyMs: EVERY_MS,
    async run(stopping) {
      const before = clock.now() - HOST_EVENT_DAYS * DAY_MS;
      for (let search = 0; search < SEARCHES_MAX; search++) {
        const ids = await store.call(findHostEventsToForget, { before, rows: FOUND_ROWS });
        for (let at = 0; at < ids.length; at += SLICE_ROWS) {
          if (stopping?.aborted) return;
          await store.call(forgetHostEvents, ids.slice(at, at + SLICE_ROWS));
        }
        if (ids.length < FOUND_ROWS) return;
      }
    },
  };
}
