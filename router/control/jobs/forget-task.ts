/**
 * Deletes jobs 30 days after they ended. An erasure that was given up is kept, because nothing else
 * says that it still has to be done.
 */
import { DAY_MS } from '../../../shared/durations.ts';
import { forgetJobs } from '../../jobs/forget.ts';
import type { ScheduledTask } from '../../jobs/scheduler.ts';
import { ERASE_ORGANIZATION } from '../erasure/organization.ts';
import { ERASE_PERSON } from '../erasure/person.ts';
import type { ControlParts } from '../parts.ts';

const EVERY_MS = 10 * 60_000;
export const JOB_DAYS = 30;
/** Rows per transaction. Other writes wait during each one. */
const SLICE_ROWS = 500;
const KEPT = { done: [], failed: [ERASE_ORGANIZATION, ERASE_PERSON] } as const;

export function forgetJobsTask({
  store,
  clock,
}: Pick<ControlParts, 'store' | 'clock'>): ScheduledTask {
  return {
    name: 'forget jobs',
    everyMs: EVERY_MS,
    async run(stopping) {
      const before = clock.now() - JOB_DAYS * DAY_MS;
      for (const state of ['done', 'failed'] as const) {
        let forgotten = SLICE_ROWS;
        while (forgotten === SLICE_ROWS && !stopping?.aborted) {
          const slice = { state, kept: KEPT[state], before, rows: SLICE_ROWS };
          forgotten = await store.call(forgetJobs, slice);
        }
      }
    },
  };
}
