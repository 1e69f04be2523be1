/**
 * What each router serves in periods of five minutes, which are kept for a week: at most 2,016 rows
 * a router. A report writes the sums of the present period again, so that a report that is written
 * twice counts once.
 */
import { DAY_MS, MINUTE_MS } from '../../../shared/durations.ts';
import type { IncarnationId } from '../../../shared/ids.ts';
import { type TimeCounts, writtenTimes } from './first-token-times.ts';
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
  firstTokenTimes: TimeCounts;
}>;

/** What a report measures. A period has the highest of each; null: it is not known yet. */
export type Measured = Readonly<{
  /** For how long the report before waited for the store. */
  storeMs: number | null;
  memoryBytes: number | null;
  loopDelayMs: number | null;
  /** How many requests held credit on the router when the report before was written. */
  running: number | null;
}>;

export type Period = Omit<RouterTotals, 'firstTokenTimes'> &
  Measured &
  Readonly<{
    /** In ms since the epoch. */
    start: number;
    /** The time in which the sums came about: since the last report of the period before. */
    coversMs: number;
    /** As `writtenTimes` writes them. */
    firstTokenTimes: Uint8Array;
  }>;

const NOT_MEASURED: Measured = {
  storeMs: null,
  memoryBytes: null,
  loopDelayMs: null,
  running: null,
};

/** The totals as they are now, which do not grow. */
export function copyOf(totals: RouterTotals): RouterTotals {
  return { ...totals, firstTokenTimes: totals.firstTokenTimes.slice() };
}

type Reading = Readonly<{ at: number; totals: RouterTotals }>;

/** The sums of one router for its present period. */
export class PeriodSums {
  /** The run of the router and the start that the sums belong to. */
  #of = '';
  /** What the periods before have, which is the beginning of this one. */
  #before: Reading;
  #latest: Reading;
  #written: Reading;
  #highest = NOT_MEASURED;

  constructor(now: number, totals: RouterTotals) {
    this.#before = this.#latest = this.#written = { at: now, totals: copyOf(totals) };
  }

  at(now: number, router: IncarnationId, totals: RouterTotals, measured: Measured): Period {
    const start = now - (now % PERIOD_MS);
    const of = `${router} ${start}`;
    if (of !== this.#of) {
      this.#of = of;
      this.#before = this.#written;
      this.#highest = NOT_MEASURED;
    }
    this.#latest = { at: now, totals };
    this.#highest = higherOf(this.#highest, measured);
    const { at: since, totals: before } = this.#before;
    return {
      start,
      // The clock follows that of the store, so it may go back.
      coversMs: Math.max(0, now - since),
      requests: totals.requests - before.requests,
      errors: totals.errors - before.errors,
      tokens: totals.tokens - before.tokens,
      firstTokens: totals.firstTokens - before.firstTokens,
      firstTokenMs: totals.firstTokenMs - before.firstTokenMs,
      firstTokenTimes: writtenTimes(
        totals.firstTokenTimes.map((count, at) => count - (before.firstTokenTimes[at] as number)),
      ),
      ...this.#highest,
    };
  }

  /** The period that was returned last is in the store. */
  written(): void {
    this.#written = this.#latest;
  }
}

function higherOf(one: Measured, other: Measured): Measured {
  const higher = (a: number | null, b: number | null) =>
    a === null || b === null ? (a ?? b) : Math.max(a, b);
  return {
    storeMs: higher(one.storeMs, other.storeMs),
    memoryBytes: higher(one.memoryBytes, other.memoryBytes),
    loopDelayMs: higher(one.loopDelayMs, other.loopDelayMs),
    running: higher(one.running, other.running),
  };
}

export async function writePeriod(db: Db, router: IncarnationId, period: Period): Promise<void> {
  const figures = {
    covers_ms: milliseconds(period.coversMs),
    requests: BigInt(period.requests),
    errors: BigInt(period.errors),
    tokens: BigInt(period.tokens),
    first_tokens: BigInt(period.firstTokens),
    first_token_ms: milliseconds(period.firstTokenMs),
    store_ms: period.storeMs === null ? null : milliseconds(period.storeMs),
    memory_bytes: wholeOrNull(period.memoryBytes),
    loop_delay_ms: wholeOrNull(period.loopDelayMs),
    running: wholeOrNull(period.running),
    first_token_times: period.firstTokenTimes,
  };
  await db
    .insertInto('router_periods')
    .values({ router, start: milliseconds(period.start), ...figures })
    .onConflict((conflict) => conflict.columns(['router', 'start']).doUpdateSet(figures))
    .execute();
}

function wholeOrNull(value: number | null): bigint | null {
  return value === null ? null : BigInt(value);
}

export type Old = Readonly<{ now: number; rows: number }>;

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
