/**
 * What each router serves in periods of five minutes, which are kept for a week: at most 2,016 rows
 * a router. A report writes the sums of the present period again, so that a report that is written
 * twice counts once.
 */
import { DAY_MS, MINUTE_MS } from '../../../shared/durations.ts';
import type { IncarnationId } from '../../../shared/ids.ts';
import { milliseconds } from '../../store/milliseconds.ts';
import { type Db, writeProcedure } from '../../store/procedure.ts';

export const PERIOD_MS = 5 * MINUTE_MS;
export const PERIODS_KEPT_MS = 7 * DAY_MS;

/** They only grow. */
export type RouterTotals = Readonly<{
  requests: number;
  errors: number;
  tokens: number;
  firstTokens: number;
  firstTokenMs: number;
}>;

export type Period = RouterTotals &
  Readonly<{
    /** In ms since the epoch. */
    start: number;
    storeMs: number | null;
  }>;

/** The sums of one router for its present period. */
export class PeriodSums {
  /** The run of the router and the start that the sums belong to. */
  #of = '';
  /** The totals that the periods before have. */
  #before: RouterTotals;
  #latest: RouterTotals;
  #written: RouterTotals;
  #storeMs: number | null = null;

  constructor(totals: RouterTotals) {
    this.#before = this.#latest = this.#written = { ...totals };
  }

  /** `storeMs`: for how long the report before waited for the store. */
  at(now: number, router: IncarnationId, totals: RouterTotals, storeMs: number | null): Period {
    const start = now - (now % PERIOD_MS);
    const of = `${router} ${start}`;
    if (of !== this.#of) {
      this.#of = of;
      this.#before = this.#written;
      this.#storeMs = null;
    }
    this.#latest = totals;
    if (storeMs !== null) this.#storeMs = Math.max(storeMs, this.#storeMs ?? 0);
    const before = this.#before;
    return {
      start,
      requests: totals.requests - before.requests,
      errors: totals.errors - before.errors,
      tokens: totals.tokens - before.tokens,
      firstTokens: totals.firstTokens - before.firstTokens,
      firstTokenMs: totals.firstTokenMs - before.firstTokenMs,
      storeMs: this.#storeMs,
    };
  }

  /** The period that was returned last is in the store. */
  written(): void {
    this.#written = this.#latest;
  }
}

export async function writePeriod(db: Db, router: IncarnationId, period: Period): Promise<void> {
  const figures = {
    requests: BigInt(period.requests),
    errors: BigInt(period.errors),
    tokens: BigInt(period.tokens),
    first_tokens: BigInt(period.firstTokens),
    first_token_ms: milliseconds(period.firstTokenMs),
    store_ms: period.storeMs === null ? null : milliseconds(period.storeMs),
  };
  await db
    .insertInto('router_periods')
    .values({ router, start: milliseconds(period.start), ...figures })
    .onConflict((conflict) => conflict.columns(['router', 'start']).doUpdateSet(figures))
    .execute();
}

type Old = Readonly<{ now: number; rows: number }>;

/** Deletes at most `rows` periods that are no longer kept. Returns how many it found. */
export const forgetPeriods = writeProcedure<Old, number>(
  'forgetPeriods',
  async (db, { now, rows }) => {
    const old = await db
      .selectFrom('router_periods')
      .select(['router', 'start'])
      .where('start', '<', milliseconds(now - PERIODS_KEPT_MS - PERIOD_MS))
      .orderBy('start')
      .limit(rows)
      .execute();
    for (const [start, some] of Map.groupBy(old, (row) => row.start)) {
      const routers = some.map(({ router }) => router);
      await db
        .deleteFrom('router_periods')
        .where('start', '=', start)
        .where('router', 'in', routers)
        .execute();
    }
    return old.length;
  },
);
