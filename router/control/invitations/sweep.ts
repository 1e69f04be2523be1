/**
 * Deletes invitations that expired long ago, so that invited addresses are not kept without need.
 */
import type { ScheduledTask } from '../../jobs/scheduler.ts';
import { milliseconds } from '../../store/milliseconds.ts';
import { writeProcedure } from '../../store/procedure.ts';
import type { ControlParts } from '../parts.ts';

const EVERY_MS = 60 * 60 * 1000;
/** How long after its expiry an invitation can still be sent again. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1000;
/** Rows per transaction. Other writes wait during each one. */
const ROWS_MAX = 500;

/** Returns how many invitations were deleted. */
export const sweepInvitations = writeProcedure<Readonly<{ now: number }>, number>(
  'sweepInvitations',
  async (db, { now }) => {
    const { numDeletedRows } = await db
      .deleteFrom('invitations')
      .where('id', 'in', (query) =>
        query
          .selectFrom('invitations')
          .select('id')
          .where('expires', '<=', milliseconds(now - KEPT_MS))
          .limit(ROWS_MAX),
      )
      .executeTakeFirst();
    return Number(numDeletedRows);
  },
);

export function invitationsTask({
  store,
  clock,
}: Pick<ControlParts, 'store' | 'clock'>): ScheduledTask {
  return {
    name: 'sweep invitations',
    everyMs: EVERY_MS,
    run: async () => {
      while ((await store.call(sweepInvitations, { now: clock.now() })) === ROWS_MAX);
    },
  };
}
