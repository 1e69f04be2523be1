/** Deletes expired sessions, links and used challenges, and old throttle counts. */
import type { ScheduledTask } from '../../jobs/scheduler.ts';
import { milliseconds } from '../../store/milliseconds.ts';
import { writeProcedure } from '../../store/procedure.ts';
import { SESSION_IDLE_MS } from '../access/caller.ts';
import type { ControlParts } from '../parts.ts';
import { LONGEST_WINDOW_MS } from '../people/throttle.ts';

const EVERY_MS = 10 * 60 * 1000;
/** Rows of each kind per transaction. Other writes wait during it. */
const ROWS_MAX = 1_000;

/** Returns how many rows were deleted. */
export const sweepSignIns = writeProcedure<Readonly<{ now: number }>, number>(
  'sweepSignIns',
  async (db, input) => {
    const now = milliseconds(input.now);
    const sessions = await db
      .deleteFrom('sessions')
      .where('id', 'in', (query) =>
        query
          .selectFrom('sessions')
          .select('id')
          .where((row) =>
            row.or([
              row('expires', '<=', now),
              row('last_seen', '<=', now - BigInt(SESSION_IDLE_MS)),
            ]),
          )
          .limit(ROWS_MAX),
      )
      .executeTakeFirst();
    const links = await db
      .deleteFrom('links')
      .where('digest', 'in', (query) =>
        query.selectFrom('links').select('digest').where('expires', '<=', now).limit(ROWS_MAX),
      )
      .executeTakeFirst();
    const throttles = await db
      .deleteFrom('throttles')
      .where('subject', 'in', (query) =>
        query
          .selectFrom('throttles')
          .select('subject')
          .where('since', '<=', now - BigInt(LONGEST_WINDOW_MS))
          .limit(ROWS_MAX),
      )
      .executeTakeFirst();
    const challenges = await db
      .deleteFrom('used_challenges')
      .where('challenge', 'in', (query) =>
        query
          .selectFrom('used_challenges')
          .select('challenge')
          .where('expires', '<=', now)
          .limit(ROWS_MAX),
      )
      .executeTakeFirst();
    const swept = [sessions, links, throttles, challenges].map(
      ({ numDeletedRows }) => numDeletedRows,
    );
    return Number(swept.reduce((sum, rows) => sum + rows, 0n));
  },
);

export function sweepTask({ store, clock }: Pick<ControlParts, 'store' | 'clock'>): ScheduledTask {
  return {
    name: 'sweep-sign-ins',
    everyMs: EVERY_MS,
    run: async () => {
      while ((await store.call(sweepSignIns, { now: clock.now() })) >= ROWS_MAX);
    },
  };
}
