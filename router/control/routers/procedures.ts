/** Lists the routers that run on this store. */
import { readProcedure } from '../../store/procedure.ts';
import type { IncarnationRow } from '../../store/schema/fleet.ts';

/**
 * The most incarnations that are listed: those that run, and dead ones that are not removed yet.
 */
const ROUTERS_MAX = 1_000;

export const listRouters = readProcedure<null, readonly IncarnationRow[]>('listRouters', (db) =>
  db
    .selectFrom('incarnations')
    .selectAll()
    .orderBy('started', 'desc')
    .orderBy('id')
    .limit(ROUTERS_MAX)
    .execute(),
);
