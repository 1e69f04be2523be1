/** Deletes stored idempotent responses, and the claims of inference requests, after two days. */
import type { ScheduledTask } from '../../jobs/scheduler.ts';
import { milliseconds } from '../../store/milliseconds.ts';
import { writeProcedure } from '../../store/procedure.ts';
import type { ControlParts } from '../parts.ts';

/** docs/api.md and docs/inference/idempotency.md promise a day. */
export const KEPT_MS = 48 * 60 * 60 * 1000;
const EVERY_MS = 10 * 60 * 1000;
/** Rows per transaction. Other writes wait during each one. */
const ROWS_MAX = 1_000;

/** Returns how many rows were deleted. */
export const sweepIdempotencyKeys = writeProcedure<Readonly<{ now: number }>, number>(
  'sweepIdempotencyKeys',
  async (db, { now }) => {
    const { numDeletedRows } = await db
      .deleteFrom('idempotency_keys')
      .where('digest', 'in', (query) =>
        query
          .selectFrom('idempotency_keys')
          .select('digest')
          .where('created', '<=', milliseconds(now - KEPT_MS))
          .limit(ROWS_MAX),
      )
      .executeTakeFirst();
    return Number(numDeletedRows);
  },
);

export function idempotencyTask({
  store,
  clock,
}: Pick<ControlParts, 'store' | 'clock'>): ScheduledTask {
  return {
    name: 'sweep-idempotency-keys',
    everyMs: EVERY_MS,
    async run(stopping) {
      while (!stopping?.aborted) {
        const swept = await store.call(sweepIdempotencyKeys, { now: clock.now() });
        if (swept < ROWS_MAX) return;
      }
    },
  };
}
