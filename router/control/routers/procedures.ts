/** Lists the routers that run on this store, and records what each serves. */
import type { IncarnationId } from '../../../shared/ids.ts';
import { milliseconds } from '../../store/milliseconds.ts';
import { readProcedure, writeProcedure } from '../../store/procedure.ts';
import type { IncarnationRow } from '../../store/schema/fleet.ts';

/**
 * The most incarnations that are listed: those that run, and dead ones that are not removed yet.
 */
const ROUTERS_MAX = 1_000;

/** `running`: how many requests hold credit on the router. */
export type ListedRouter = IncarnationRow & Readonly<{ running: bigint }>;

export const listRouters = readProcedure<null, readonly ListedRouter[]>('listRouters', (db) =>
  db
    .selectFrom('incarnations')
    .selectAll()
    .select((row) =>
      row
        .selectFrom('holds')
        .whereRef('holds.incarnation', '=', 'incarnations.id')
        .select((hold) => hold.fn.countAll<bigint>().as('n'))
        .$asScalar()
        // A count has a row even without holds.
        .$notNull()
        .as('running'),
    )
    .orderBy('started', 'desc')
    .orderBy('id')
    .limit(ROUTERS_MAX)
    .execute(),
);

export const recordTraffic = writeProcedure<
  Readonly<{ router: IncarnationId; requests: number; errors: number; now: number }>,
  null
>('recordTraffic', async (db, { router, requests, errors, now }) => {
  await db
    .updateTable('incarnations')
    .set({
      recent_requests: BigInt(requests),
      recent_errors: BigInt(errors),
      recent_at: milliseconds(now),
    })
    .where('id', '=', router)
    .execute();
  return null;
});
