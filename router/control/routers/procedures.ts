/** Lists the routers that run on this store, and records what each reports of itself. */
import type { IncarnationId } from '../../../shared/ids.ts';
import { milliseconds } from '../../store/milliseconds.ts';
import { type Db, readProcedure, writeProcedure } from '../../store/procedure.ts';
import type { IncarnationRow, RouterRunRow } from '../../store/schema/fleet.ts';
import { type Period, writePeriod } from './periods.ts';
import { writeRun } from './runs.ts';

/**
 * The most incarnations that are listed: those that run, and dead ones that are not removed yet.
 */
const ROUTERS_MAX = 1_000;

/** `running`: how many requests hold credit on the router. */
export type ListedRouter = IncarnationRow &
  Readonly<{ running: bigint }> &
  Pick<RouterRunRow, 'ended' | 'ended_by'>;

/** The rows of routers, each with how many requests run on it, and how its run has ended. */
export function routersWithRunning(db: Db) {
  return db
    .selectFrom('incarnations')
    .leftJoin('router_runs', 'router_runs.router', 'incarnations.id')
    .selectAll('incarnations')
    .select(['router_runs.ended', 'router_runs.ended_by'])
    .select((row) =>
      row
        .selectFrom('holds')
        .whereRef('holds.incarnation', '=', 'incarnations.id')
        .select((hold) => hold.fn.countAll<bigint>().as('n'))
        .$asScalar()
        // A count has a row even without holds.
        .$notNull()
        .as('running'),
    );
}

export const listRouters = readProcedure<null, readonly ListedRouter[]>('listRouters', (db) =>
  routersWithRunning(db)
    .orderBy('incarnations.started', 'desc')
    .orderBy('id')
    .limit(ROUTERS_MAX)
    .execute(),
);

export type RouterReport = Readonly<{
  router: IncarnationId;
  requests: number;
  errors: number;
  tokens: number;
  host: string;
  pid: number;
  memoryBytes: number;
  loopPermille: number;
  /** Null: there was no report before. */
  storeMs: number | null;
  agents: number;
  /** JSON, as `hosts.ts` writes it. */
  agentIds: string;
  period: Period;
  isDraining: boolean;
  /** JSON. */
  noticed: string;
  now: number;
}>;

/** Returns how many requests hold credit on the router. */
export const recordReport = writeProcedure<RouterReport, number>(
  'recordReport',
  async (db, report) => {
    const { router, requests, errors, tokens, period, now } = report;
    await db
      .updateTable('incarnations')
      .set({
        recent_requests: BigInt(requests),
        recent_errors: BigInt(errors),
        recent_tokens: BigInt(tokens),
        recent_at: milliseconds(now),
        host: report.host,
        pid: BigInt(report.pid),
        memory_bytes: BigInt(report.memoryBytes),
        loop_permille: BigInt(report.loopPermille),
        store_ms: report.storeMs === null ? null : BigInt(report.storeMs),
        agents: BigInt(report.agents),
        agent_ids: report.agentIds,
        draining: report.isDraining ? 1n : 0n,
        noticed: report.noticed,
      })
      .where('id', '=', router)
      .execute();
    await writePeriod(db, router, period);
    await writeRun(db, router, now);
    const { running } = await db
      .selectFrom('holds')
      .select((row) => row.fn.countAll<bigint>().as('running'))
      .where('incarnation', '=', router)
      .executeTakeFirstOrThrow();
    return Number(running);
  },
);
