/** Deletes old deliveries with their jobs, in small slices. */
import { DAY_MS } from '../../../shared/durations.ts';
import type { ScheduledTask } from '../../jobs/scheduler.ts';
import { milliseconds } from '../../store/milliseconds.ts';
import { writeProcedure } from '../../store/procedure.ts';
import type { ControlParts } from '../parts.ts';
import { forgetDeliveries } from './queue.ts';

const EVERY_MS = 10 * 60_000;
/** How long deliveries are kept, if an endpoint has few of them. */
export const DELIVERY_DAYS = 30;
/** Rows per transaction. Other writes wait during each one. */
const SLICE_ROWS = 200;

/** Returns how many it has deleted. `before` is in ms since the epoch. */
export const forgetOldDeliveries = writeProcedure<
  Readonly<{ before: number; rows: number }>,
  number
>('forgetOldDeliveries', async (db, { before, rows }) => {
  const old = await db
    .selectFrom('webhook_deliveries')
    .select(['id', 'attempts'])
    .where('created', '<', milliseconds(before))
    .orderBy('created')
    .limit(rows)
    .execute();
  await forgetDeliveries(db, old);
  return old.length;
});

export function forgetDeliveriesTask({
  store,
  clock,
}: Pick<ControlParts, 'store' | 'clock'>): ScheduledTask {
  return {
    name: 'forget webhook deliveries',
    everyMs: EVERY_MS,
    async run(stopping) {
      const old = { before: clock.now() - DELIVERY_DAYS * DAY_MS, rows: SLICE_ROWS };
      while (!stopping?.aborted && (await store.call(forgetOldDeliveries, old)) === SLICE_ROWS);
    },
  };
}
