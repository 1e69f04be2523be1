/** Deletes history that is older than it is kept for, in small slices. */
import type { Clock } from '../../shared/clock.ts';
import type { ScheduledTask } from '../jobs/scheduler.ts';
import type { Store } from '../store/store.ts';
import { sweepHistory } from './write.ts';

const EVERY_MS = 10 * 60_000;
const SLICE_ROWS = 500;
/** More than a fleet of thousands of workers writes between two runs. */
const SLICES_MAX = 20;

export function historyTask({
  store,
  clock,
}: Readonly<{ store: Pick<Store, 'call'>; clock: Clock }>): ScheduledTask {
  return {
    name: 'forget history',
    everyMs: EVERY_MS,
    async run(stopping) {
      for (let slice = 0; slice < SLICES_MAX && !stopping?.aborted; slice++) {
        const found = await store.call(sweepHistory, { now: clock.now(), rows: SLICE_ROWS });
        if (found < SLICE_ROWS) return;
      }
    },
  };
}
