/** Lists the routers that run on this store. */
import { readProcedure } from '../../store/procedure.ts';
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
