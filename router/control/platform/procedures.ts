/** Reads the platform as a whole. The rows of each query are bounded, or few for each day. */
import { DAY_MS } from '../../../shared/durations.ts';
import type { PlatformSummary } from '../../../shared/api/platform.ts';
import { formatUsd } from '../../../shared/money.ts';
import { LEVELS } from '../../history/levels.ts';
import { readHistory, WHOLE_FLEET } from '../../history/read.ts';
import { readBeginnings } from './alarm-log.ts';
import { countJobs, type JobCounts } from '../../jobs/counts.ts';
import { type Db, readProcedure } from '../../store/procedure.ts';
import type { IncarnationRow } from '../../store/schema/fleet.ts';
import { noChanges } from '../../usage/ledger-days/days.ts';
import {
  readPlatformDays,
  readTopCustomers,
  type TopCustomer,
} from '../../usage/ledger-days/platform.ts';
import { changesByDay, type ChangesByDay } from '../../usage/ledger-days/unfolded.ts';
import { listRouters } from '../routers/procedures.ts';

const HOURS_PER_DAY = DAY_MS / LEVELS.hour.lengthMs;
const PLATFORM_DAYS = 30;
const TOP_CUSTOMERS = 10;

/**
 * Reads and serializes the summary on the thread for heavy procedures: the ledger by day has a few
 * rows for each day and active organization.
 */
export const writePlatformSummary = readProcedure<
  Readonly<{ now: number }>,
  Uint8Array<ArrayBuffer>
>('writePlatformSummary', { heavy: true }, async (db, { now }) => {
  const until = Math.floor(now / DAY_MS) + 1;
  const from = until - PLATFORM_DAYS;
  const changes = await changesByDay(db, null);
  const money = await readPlatformDays(db, { from, until, changes });
  const served = await readServed(db, { from, until, now });
  const summary: PlatformSummary = {
    days: Array.from({ length: PLATFORM_DAYS }, (_, at) => {
      const { payments, refunds, credits, usage } = money.get(from + at) ?? noChanges();
      const figures = served.get(at);
      return {
        day: new Date((from + at) * DAY_MS).toISOString().slice(0, 10),
        payments: formatUsd(payments),
        refunds: formatUsd(refunds),
        credits: formatUsd(credits),
        usage: formatUsd(-usage),
        requests: figures?.requests ?? 0,
        prompt_tokens: figures?.prompt_tokens ?? 0,
        completion_tokens: figures?.completion_tokens ?? 0,
      };
    }),
    money_is_current: changes.isCurrent,
    top_customers: {
      last_7_days: await topSince(db, { from: until - 7, changes }),
      last_30_days: await topSince(db, { from, changes }),
    },
  };
  return new TextEncoder().encode(JSON.stringify(summary));
});

/** What the history of the fleet has of each day, by its place in the span. */
async function readServed(
  db: Db,
  { from, until, now }: Readonly<{ from: number; until: number; now: number }>,
) {
  const { groups } = await readHistory(db, {
    level: 'hour',
    from: from * HOURS_PER_DAY,
    until: until * HOURS_PER_DAY,
    step: HOURS_PER_DAY,
    end: now,
    ...WHOLE_FLEET,
  });
  return new Map(
    (groups[0]?.points ?? []).map((point) => {
      const { answered, cancelled, refused, limited, unavailable, failed } = point;
      const requests = answered + cancelled + refused + limited + unavailable + failed;
      const { prompt_tokens, completion_tokens } = point;
      return [point.bucket, { requests, prompt_tokens, completion_tokens }];
    }),
  );
}

async function topSince(db: Db, since: Readonly<{ from: number; changes: ChangesByDay }>) {
  const top = await readTopCustomers(db, { ...since, limit: TOP_CUSTOMERS });
  return top.map(({ organization, name, used }: TopCustomer) => ({
    organization,
    name: name === '' ? null : name,
    usage: formatUsd(used),
  }));
}

/** What the store knows of the platform's state. */
export const readPlatformState = readProcedure<
  Readonly<{ now: number }>,
  Readonly<{
    jobs: JobCounts;
    routers: readonly IncarnationRow[];
    /** When the alarms began that have not ended, in ms since the epoch, by their keys. */
    beginnings: ReadonlyMap<string, number>;
  }>
>('readPlatformState', async (db, { now }) => {
  const jobs = await countJobs(db, now);
  const routers = await listRouters.run(db, null);
  return { jobs, routers, beginnings: await readBeginnings(db, now) };
});
