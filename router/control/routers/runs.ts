/**
 * The runs of routers that have reported. The row of a router (`incarnations`) is deleted when it has
 * signed off, or when its peers have declared it dead and freed its holds; its run stays for a week,
 * as long as its periods (`periods.ts`).
 */
import type { IncarnationId } from '../../../shared/ids.ts';
import { milliseconds } from '../../store/milliseconds.ts';
import { type Db, readProcedure, writeProcedure } from '../../store/procedure.ts';
import type { RouterRunRow } from '../../store/schema/fleet.ts';
import { type Old, PERIODS_KEPT_MS } from './periods.ts';

/** A router that crashes again and again has many runs. The newest are listed. */
const STOPPED_MAX = 1_000;

/** The row of the router has what it has just reported. */
export async function writeRun(db: Db, router: IncarnationId, now: number): Promise<void> {
  await db
    .insertInto('router_runs')
    .columns(['router', 'host', 'pid', 'url', 'regions', 'version', 'started', 'reported'])
    .expression((from) =>
      from
        .selectFrom('incarnations')
        .select(['id', 'host', 'pid', 'url', 'regions', 'version', 'started'])
        .select((row) => row.val(milliseconds(now)).as('reported'))
        .where('id', '=', router),
    )
    .onConflict((conflict) =>
      conflict.column('router').doUpdateSet((row) => ({
        url: row.ref('excluded.url'),
        reported: row.ref('excluded.reported'),
      })),
    )
    .execute();
}

export const listStoppedRouters = readProcedure<null, readonly RouterRunRow[]>(
  'listStoppedRouters',
  (db) =>
    stoppedRouters(db).orderBy('reported', 'desc').orderBy('router').limit(STOPPED_MAX).execute(),
);

/** Null: it has not stopped, or not within a week, or it never reported. */
export const findStoppedRouter = readProcedure<IncarnationId, RouterRunRow | null>(
  'findStoppedRouter',
  async (db, router) =>
    (await stoppedRouters(db).where('router', '=', router).executeTakeFirst()) ?? null,
);

function stoppedRouters(db: Db) {
  return db
    .selectFrom('router_runs')
    .selectAll()
    .where('router', 'not in', (present) => present.selectFrom('incarnations').select('id'));
}

/** Deletes at most `rows` runs that are no longer kept. Returns how many. */
export const forgetRuns = writeProcedure<Old, number>('forgetRuns', async (db, { now, rows }) => {
  const old = await db
    .selectFrom('router_runs')
    .select('router')
    .where('reported', '<', milliseconds(now - PERIODS_KEPT_MS))
    .orderBy('reported')
    .limit(rows)
    .execute();
  const routers = old.map(({ router }) => router);
  if (routers.length > 0) {
    await db.deleteFrom('router_runs').where('router', 'in', routers).execute();
  }
  return old.length;
});
