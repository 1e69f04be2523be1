/**
 * Checks the rollups against the usage rows that were folded into them, and their levels and shapes
 * against one another (decision 0012). It reads one organization at a time, a page of chunks at a
 * time, and keeps only sums in memory.
 */
import { sql } from 'kysely';
import type { OrganizationId } from '../../shared/ids.ts';
import { joinHalves, sumHalves } from '../store/halves.ts';
import type { Db } from '../store/procedure.ts';
import type { UsageSeriesRow } from '../store/schema/rollups.ts';
import { SHAPES, seriesOf } from '../usage/rollups/shapes.ts';
import { DAY_MS } from '../../shared/durations.ts';
import { ordinalOf } from '../usage/time-buckets.ts';
import { type Check, eachRow, PAGE_ROWS, rowsThatDiffer, rowsWithFaults } from './check.ts';
import {
  addUp,
  type Chunk,
  type Figures,
  type Folded,
  FoldedSums,
  isSame,
  NOTHING,
  textOf,
} from './folded-sums.ts';

const marks = rowsThatDiffer(
  sql<{ organization: string; folded_seq: bigint; usage_seq: bigint | null }>`
    select f.organization, f.folded_seq, a.usage_seq
    from usage_folds f left join accounts a on a.id = f.organization
    where a.id is null or f.folded_seq > a.usage_seq or f.folded_seq < 0
      or f.folded_seq < (
        select coalesce(max(g.seq), 0) from forgotten_usage g where g.organization = f.organization)`,
  ({ organization, folded_seq, usage_seq }) =>
    `rollups of ${organization}: they are folded up to usage row ${folded_seq} of ${usage_seq ?? 'none'}`,
);

const unmarked = rowsThatDiffer(
  sql<{ organization: string }>`
    select x.organization from (
      select distinct organization from usage_rollups
      union select distinct organization from usage_series
      union select organization from forgotten_usage) x
    where not exists (select 1 from usage_folds f where f.organization = x.organization)`,
  ({ organization }) => `rollups of ${organization}: it is not recorded how far they are folded`,
);

const reversals = rowsThatDiffer(
  sql<{ request: string; cost: bigint }>`
    select r.request, r.cost from usage_reversals r
      left join usage u on u.request = r.request and u.organization = r.organization
      left join transfers t on t.id = u.transfer
    where u.request is null or u.outcome <> 'voided' or r.cost <> coalesce(t.amount, 0)`,
  ({ request, cost }) =>
    `reversal of ${request}: its cost is ${cost}, which does not match its charge`,
);

/** The id of a series is a digest of its shape and values. */
const series = rowsWithFaults(
  (db, after: UsageSeriesRow | null) =>
    db
      .selectFrom('usage_series')
      .selectAll()
      .where(sql<boolean>`(organization, id) > (${after?.organization ?? ''}, ${after?.id ?? -1n})`)
      .orderBy('organization')
      .orderBy('id')
      .limit(PAGE_ROWS)
      .execute(),
  ({ organization, id, shape, model, key, member, source }) =>
    seriesOf(Number(shape), { model, key, member, source }).id === id
      ? []
      : [`series ${id} of ${organization}: its id does not match its values`],
);

const sums = rowsWithFaults(
  async (db, after: Marked | null) => {
    const { rows } = await sql<Marked>`
      select f.organization, f.folded_seq, coalesce(g.seq, 0) as seq, coalesce(g.until, -1) as until,
        coalesce(g.charged_high - g.reversed_high, 0) as high,
        coalesce(g.charged_low - g.reversed_low, 0) as low
      from usage_folds f left join forgotten_usage g on g.organization = f.organization
      where f.organization > ${after?.organization ?? ''}
      order by f.organization limit ${sql.lit(PAGE_ROWS)}`.execute(db);
    return rows;
  },
  (marked, db) => compare(db, marked),
);

type Marked = Readonly<{
  organization: OrganizationId;
  folded_seq: bigint;
  /** Of forgotten usage rows: the last number, the latest arrival, and the sum of their costs. */
  seq: bigint;
  until: bigint;
  high: bigint;
  low: bigint;
}>;

/** Returns at most one fault of each kind. */
async function compare(db: Db, marked: Marked): Promise<string[]> {
  const { organization, folded_seq, until } = marked;
  const about = (words: string) => `rollups of ${organization}: ${words}`;
  const folded = await readFolded(db, organization);
  const faults = folded.unreadable.slice(0, 1).map(about);
  const rows = await readRows(db, marked);
  const forgotten = Number(until < 0n ? -1n : until / BigInt(DAY_MS));
  const days = new Set([...folded.ordinals('day', 0), ...rows.keys()]);
  const wrong = [...days].find((day) => {
    return day > forgotten && !isSame(folded.at('day', 0, day), rows.get(day) ?? NOTHING);
  });
  if (wrong !== undefined) {
    const [has, wants] = [folded.at('day', 0, wrong), rows.get(wrong) ?? NOTHING];
    faults.push(about(`day ${wrong} has ${textOf(has)}, but its usage rows have ${textOf(wants)}`));
  }
  const all = addUp([...folded.ordinals('day', 0)].map((day) => folded.at('day', 0, day)));
  const cost = addUp(rows.values()).cost + joinHalves(marked.high, marked.low);
  if (wrong === undefined && (all.requests !== folded_seq || all.cost !== cost)) {
    faults.push(
      about(
        `they have ${all.requests} requests that cost ${all.cost}, but ${folded_seq} rows that cost ${cost} were folded`,
      ),
    );
  }
  const apart = findApart(folded);
  if (apart !== null) faults.push(about(apart));
  return faults;
}

/** All shapes have the same requests in total, and a coarser level has what a finer one has. */
function findApart(folded: FoldedSums): string | null {
  for (const shape of SHAPES) {
    for (const day of new Set([...folded.ordinals('day', 0), ...folded.ordinals('day', shape)])) {
      if (!isSame(folded.at('day', shape, day), folded.at('day', 0, day))) {
        return `on day ${day} shape ${shape} does not sum to the total`;
      }
    }
    const months = new Map<number, Folded>();
    for (const day of folded.ordinals('day', shape)) {
      const month = ordinalOf('month', day * DAY_MS);
      months.set(month, addUp([months.get(month) ?? NOTHING, folded.at('day', shape, day)]));
    }
    for (const month of new Set([...folded.ordinals('month', shape), ...months.keys()])) {
      if (!isSame(folded.at('month', shape, month), months.get(month) ?? NOTHING)) {
        return `in month ${month} shape ${shape} does not sum to its days`;
      }
    }
    const beyond = folded.findBeyond(shape);
    if (beyond !== null) return beyond;
  }
  return null;
}

/** Sums the usage rows by day. */
async function readRows(db: Db, of: Marked): Promise<ReadonlyMap<number, Folded>> {
  type Row = Readonly<Record<keyof Figures | 'day' | Halves, bigint | string>>;
  type Halves = 'cost_high' | 'cost_low' | 'saved_high' | 'saved_low';
  const was = sql`case when r.request is null then u.cost else r.cost end`;
  const isBilled = sql`(u.outcome = 'settled' or r.request is not null)`;
  const billed = (column: string) =>
    sql`sum(case when ${isBilled} then ${sql.ref(`u.${column}`)} else 0 end)`;
  const saved = sql`case when ${isBilled} and p.prompt > p.cached
    then u.cached_tokens * (p.prompt - p.cached) else 0 end`;
  // A charge that was reversed, but not folded again yet, is in the rollups as it was.
  const { rows } = await sql<Row>`
    select u.created / ${sql.lit(DAY_MS)} as day, count(*) as requests,
      ${billed('prompt_tokens')} as prompt, ${billed('cached_tokens')} as cached,
      ${billed('completion_tokens')} as completion, ${billed('reasoning_tokens')} as reasoning,
      ${sumHalves(was, 'cost')}, ${sumHalves(saved, 'saved')}
    from usage u left join usage_reversals r on r.request = u.request
      left join prices p on p.id = u.price
    where u.organization = ${of.organization} and u.seq > ${of.seq} and u.seq <= ${of.folded_seq}
    group by 1`.execute(db);
  return new Map(
    rows.map((row) => [
      Number(row.day),
      {
        requests: BigInt(row.requests),
        prompt: BigInt(row.prompt),
        cached: BigInt(row.cached),
        completion: BigInt(row.completion),
        reasoning: BigInt(row.reasoning),
        cost: joinHalves(row.cost_high, row.cost_low),
        saved: joinHalves(row.saved_high, row.saved_low),
      },
    ]),
  );
}

async function readFolded(db: Db, organization: OrganizationId): Promise<FoldedSums> {
  const folded = new FoldedSums();
  const chunks = eachRow((after: Chunk | null) =>
    db
      .selectFrom('usage_rollups as r')
      .leftJoin('usage_series as s', (join) =>
        join.onRef('s.organization', '=', 'r.organization').onRef('s.id', '=', 'r.series'),
      )
      .select(['r.level', 'r.chunk', 'r.series', 'r.cells', 's.shape'])
      .where('r.organization', '=', organization)
      .where(
        sql<boolean>`(r.level, r.chunk, r.series)
          > (${after?.level ?? -1n}, ${after?.chunk ?? 0n}, ${after?.series ?? 0n})`,
      )
      .orderBy('r.level')
      .orderBy('r.chunk')
      .orderBy('r.series')
      .limit(PAGE_ROWS)
      .execute(),
  );
  for await (const chunk of chunks) folded.add(chunk);
  return folded;
}

export const checkRollups: readonly Check[] = [marks, unmarked, reversals, series, sums];
