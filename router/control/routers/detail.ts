/** Reads one router: its row, the hosts that are connected to it, and what it has served. */
import type { RouterHistory } from '../../../shared/api/routers.ts';
import type { AgentId, IncarnationId } from '../../../shared/ids.ts';
import { isoInstant } from '../api.ts';
import { milliseconds } from '../../store/milliseconds.ts';
import { type Db, readProcedure } from '../../store/procedure.ts';
import type { RouterPeriodRow } from '../../store/schema/fleet.ts';
import { readAgents } from './connected-agents.ts';
import { percentilesOfTimes } from './first-token-times.ts';
import type { HistoryRange } from './history-range.ts';
import { PERIOD_MS } from './periods.ts';
import { type ListedRouter, routersWithRunning } from './procedures.ts';

/** `hosts`: null if the router does not tell which agents are connected to it. */
export type FoundRouter = Readonly<{
  router: ListedRouter;
  hosts: readonly Readonly<{ id: AgentId; name: string }>[] | null;
}>;

export const findRouter = readProcedure<IncarnationId, FoundRouter | null>(
  'findRouter',
  async (db, id) => {
    const router = await routersWithRunning(db)
      .where('incarnations.id', '=', id)
      .executeTakeFirst();
    if (router === undefined) return null;
    const ids = readAgents(router.agent_ids);
    if (ids === null || ids.length === 0) return { router, hosts: ids === null ? null : [] };
    const agents = db.selectFrom('agents').select(['id', 'name']).where('id', 'in', ids);
    return { router, hosts: await agents.orderBy('name').orderBy('id').execute() };
  },
);

export type RouterHistoryRead = HistoryRange & Readonly<{ router: IncarnationId }>;

/** Reads at most the periods of a week. Null: there is no such router. */
export const readRouterHistory = readProcedure<RouterHistoryRead, RouterHistory | null>(
  'readRouterHistory',
  async (db, { router, span, from, until, bucketMs }) => {
    if (!(await isKnown(db, router))) return null;
    const periods = await db
      .selectFrom('router_periods')
      .selectAll()
      .where('router', '=', router)
      .where('start', '>=', milliseconds(from))
      .where('start', '<', milliseconds(until))
      .orderBy('start')
      .execute();
    const buckets = Map.groupBy(periods, ({ start }) => Number(start) - (Number(start) % bucketMs));
    return {
      span,
      start: isoInstant(from),
      end: isoInstant(until),
      bucket_seconds: bucketMs / 1_000,
      points: [...buckets].map(([at, some]) => pointOf(at, some)),
    };
  },
);

async function isKnown(db: Db, id: IncarnationId): Promise<boolean> {
  const present = db.selectFrom('incarnations').select('id').where('id', '=', id);
  const run = db.selectFrom('router_runs').select('router as id').where('router', '=', id);
  return (await present.union(run).executeTakeFirst()) !== undefined;
}

function pointOf(at: number, periods: readonly RouterPeriodRow[]): RouterHistory['points'][number] {
  const sum = (of: (period: RouterPeriodRow) => bigint) =>
    Number(periods.reduce((all, period) => all + of(period), 0n));
  const coveredMs = sum(({ covers_ms: ms }) => ms ?? BigInt(PERIOD_MS));
  const answers = sum((period) => period.first_tokens);
  const times = periods.flatMap(({ first_token_times: bytes }) => bytes ?? []);
  const percentiles = percentilesOfTimes(times);
  const highest = (of: (period: RouterPeriodRow) => bigint | null) => {
    const known = periods.flatMap((period) => of(period) ?? []);
    return known.length === 0 ? null : Math.max(...known.map(Number));
  };
  return {
    at: isoInstant(at),
    seconds: Math.max(1, Math.round(coveredMs / 1_000)),
    requests: sum((period) => period.requests),
    errors: sum((period) => period.errors),
    completion_tokens: sum((period) => period.tokens),
    ttft_ms: answers === 0 ? null : Math.round(sum((one) => one.first_token_ms) / answers),
    ttft_p50_ms: percentiles?.p50 ?? null,
    ttft_p95_ms: percentiles?.p95 ?? null,
    store_ms: highest((period) => period.store_ms),
    memory_bytes: highest((period) => period.memory_bytes),
    loop_delay_ms: highest((period) => period.loop_delay_ms),
    running: highest((period) => period.running),
  };
}
