/** The task that deletes expired playground keys, in slices too small to delay requests. */
import type { ScheduledTask } from '../../jobs/scheduler.ts';
import type { ControlParts } from '../parts.ts';
import { deleteExpiredKeys } from './procedures.ts';

const EVERY_MS = 5 * 60_000;
const KEYS_AT_ONCE = 200;
/** Slices per run. The rest waits for the next run. */
const SLICES_MAX = 50;

export function playgroundTask({
  store,
  clock,
}: Pick<ControlParts, 'store' | 'clock'>): ScheduledTask {
  return {
    name: 'playground keys',
    everyMs: EVERY_MS,
    async run() {
      const slice = { before: clock.now(), limit: KEYS_AT_ONCE };
      for (let slices = 0; slices < SLICES_MAX; slices++) {
        if ((await store.call(deleteExpiredKeys, slice)) < KEYS_AT_ONCE) return;
      }
    },
  };
}
