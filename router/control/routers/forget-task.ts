/** Deletes the figures and the runs of routers that are older than a week, in small slices. */
import type { ScheduledTask } from '../../jobs/scheduler.ts';
import type { ControlParts } from '../parts.ts';
import { forgetPeriods } from './periods.ts';
import { forgetRuns } from './runs.ts';

const EVERY_MS = 10 * 60_000;
const SLICE_ROWS = 500;
/** More than hundreds of routers write between two runs. */
const SLICES_MAX = 20;

export function forgetPeriodsTask({
  store,
  clock,
}: Pick<ControlParts, 'store' | 'clock'>): ScheduledTask {
  return {
    name: 'forget figures of routers',
    everyMs: EVERY_MS,
    async run(stopping) {
      for (const forget of [forgetPeriods, forgetRuns]) {
        for (let slice = 0; slice < SLICES_MAX && !stopping?.aborted; slice++) {
          const found = await store.call(forget, { now: clock.now(), rows: SLICE_ROWS });
          if (found < SLICE_ROWS) break;
        }
      }
    },
  };
}
