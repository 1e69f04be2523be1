/**
 * What hosts did in a day: tokens and revenue by agent and model, for the operators of hosts. It is
 * read from the usage rows, so that no settlement writes a row for it (MONEY 21), and in slices, so
 * that no snapshot stays open (MONEY 24). It names no customer.
 *
 * A request's id begins with its time of arrival, so the primary key serves as the index by time.
 */
import { DAY_MS } from '../../shared/durations.ts';
import { sql } from 'kysely';
import type { HostReportEntry } from '../../shared/api/agents.ts';
import { type AgentId, idsFrom } from '../../shared/ids.ts';
import { type PicoUsd, picoUsd } from '../../shared/money.ts';
import { joinHalves, sumHalves } from '../store/halves.ts';
import { type Db, readProcedure } from '../store/procedure.ts';
import type { StoreReader } from '../store/store.ts';

const SLICE_ROWS = 20_000;
/** A margin: a request's id is minted a moment before its time of arrival is taken. */
const APART_MS = 60_000;

/** The sums of one host and one model; `agent` is null for requests that no host served. */
export type HostSum = Omit<HostReportEntry, 'day' | 'agent' | 'agent_name' | 'revenue'> &
  Readonly<{ agent: AgentId | null; revenue: PicoUsd }>;

type SliceQuery = Readonly<{
  /** Null: all hosts. */
  agent: AgentId | null;
  /** Times of arrival, ms since the epoch; `until` is not included. */
  from: number;
  until: number;
  /** Only ids after `after` and before `end`, and at most `rows` of them. */
  after: string;
  end: string;
  rows: number;
}>;

/** A sum of 64-bit integers is wider: SQLite gives a bigint, PostgreSQL a decimal string. */
type Wide = bigint | string;
type SumRow = {
  agent: AgentId | null;
  model: string;
  requests: bigint;
  errors: Wide;
  prompt_tokens: Wide;
  cached_tokens: Wide;
  completion_tokens: Wide;
  revenue_high: Wide;
  revenue_low: Wide;
};

/** `next`: the last id of the slice; null when nothing is left. */
export const sumHostSlice = readProcedure<SliceQuery, { sums: HostSum[]; next: string | null }>(
  'sumHostSlice',
  { heavy: true },
  async (db, { agent, from, until, after, end, rows }) => {
    await checkOrder(db);
    const last = await db
      .selectFrom('usage')
      .select('request')
      .where(sql<boolean>`request > ${after} and request < ${end}`)
      .orderBy('request')
      .limit(1)
      .offset(rows - 1)
      .executeTakeFirst();
    const bound = last ? sql`request <= ${last.request}` : sql`request < ${end}`;
    const one = agent === null ? sql`` : sql`and agent = ${agent}`;
    const { rows: sums } = await sql<SumRow>`
      select agent, model, count(*) as requests,
        sum(case when status >= 500 then 1 else 0 end) as errors,
        ${billed('prompt_tokens')}, ${billed('cached_tokens')}, ${billed('completion_tokens')},
        ${sumHalves(sql`cost`, 'revenue')}
      from usage
      where request > ${after} and ${bound}
        and created >= ${BigInt(from)} and created < ${BigInt(until)} ${one}
      group by agent, model`.execute(db);
    return { sums: sums.map(sumOf), next: last?.request ?? null };
  },
);

/** Throws if the database sorts letters otherwise: rows of the day would lie outside its ids. */
async function checkOrder(db: Db): Promise<void> {
  const { rows } = await sql<{ sorts: bigint | number }>`
    select case when 'a' > '9' and 'z' > 't' then 1 else 0 end as sorts`.execute(db);
  if (Number(rows[0]?.sorts) !== 1) throw new Error('ids do not sort by time in this collation');
}

/** Nothing was billed for a voided request, whatever its row says. */
function billed(column: string) {
  return sql`sum(case when outcome = 'settled' then ${sql.ref(column)} else 0 end)
    as ${sql.ref(column)}`;
}

function sumOf(row: SumRow): HostSum {
  return {
    agent: row.agent,
    model: row.model,
    requests: Number(row.requests),
    errors: Number(row.errors),
    prompt_tokens: Number(row.prompt_tokens),
    cached_tokens: Number(row.cached_tokens),
    completion_tokens: Number(row.completion_tokens),
    revenue: picoUsd(joinHalves(row.revenue_high, row.revenue_low)),
  };
}

/**
 * Sums up `days` UTC days from `day` on, by agent and model. A request belongs to the day in which
 * it arrived, so the sums are final once all requests of these days have ended.
 */
export async function sumHostDays(
  store: Pick<StoreReader, 'call'>,
  {
    agent,
    day,
    days = 1,
    rows = SLICE_ROWS,
  }: Readonly<{ agent: AgentId | null; day: number; days?: number; rows?: number }>,
): Promise<HostSum[]> {
  const until = day + days * DAY_MS;
  const span = { agent, from: day, until, rows };
  const end = idsFrom('request', until + APART_MS);
  const all = new Map<string, HostSum>();
  let after: string | null = idsFrom('request', day - APART_MS);
  while (after !== null) {
    const slice: { sums: HostSum[]; next: string | null } = await store.call(sumHostSlice, {
      ...span,
      after,
      end,
    });
    for (const sum of slice.sums) {
      const key = `${sum.agent} ${sum.model}`;
      all.set(key, add(all.get(key), sum));
    }
    after = slice.next;
  }
  return [...all].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => sum);
}

function add(a: HostSum | undefined, b: HostSum): HostSum {
  if (!a) return b;
  return {
    agent: b.agent,
    model: b.model,
    requests: a.requests + b.requests,
    errors: a.errors + b.errors,
    prompt_tokens: a.prompt_tokens + b.prompt_tokens,
    cached_tokens: a.cached_tokens + b.cached_tokens,
    completion_tokens: a.completion_tokens + b.completion_tokens,
    revenue: picoUsd(a.revenue + b.revenue),
  };
}
