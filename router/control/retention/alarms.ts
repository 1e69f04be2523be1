/** Deletes alarms that ended long ago, in small slices. */
import { ALARM_DAYS } from '../../../shared/bounds/kept-alarms.ts';
import { DAY_MS } from '../../../shared/durations.ts';
import type { ScheduledTask } from '../../jobs/scheduler.ts';
import type { ControlParts } from '../parts.ts';
import { forgetAlarms } from '../platform/alarm-log.ts';

const EVERY_MS = 10 * 60_000;
/** However often alarms come and go. */
export const ALARMS_MAX = 10_000;
const SLICE_ROWS = 500;
const SLICES_MAX = 20;

export function alarmsTask({ store, clock }: Pick<ControlParts, 'store' | 'clock'>): ScheduledTask {
  return {
    name: 'forget alarms',
    everyMs: EVERY_MS,
    async run(stopping) {
      const before = clock.now() - ALARM_DAYS * DAY_MS;
      for (let slice = 0; slice < SLICES_MAX && !stopping?.aborted; slice++) {
        const of = { before, most: ALARMS_MAX, rows: SLICE_ROWS };
        if ((await store.call(forgetAlarms, of)) < SLICE_ROWS) return;
      }
    },
  };
}
