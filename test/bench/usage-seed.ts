/**
 * Generates a year of one busy organization's usage, outside the ledger, in SQL that both databases
 * understand: keys, models and members in cycles that do not coincide, most requests by day, some
 * of them failed. Remainders replace random numbers, so that both databases have the same rows.
 */
import BetterSqlite3 from 'better-sqlite3';
import pg from 'pg';
import { sqliteFile } from '../../router/store/store-url.ts';

export type Seed = Readonly<{
  organization: string;
  requests: number;
  keys: number;
  models: readonly Readonly<{ id: string; price: string }>[];
  members: readonly string[];
  from: number;
  until: number;
}>;

const PIECE = 200_000;

export const keyName = (n: number) => `key_bench${String(n).padStart(7, '0')}`;

export async function seedUsage(
  url: string,
  seed: Seed,
  tell: (text: string) => void,
): Promise<void> {
  const db = await connect(url);
  try {
    for (let first = 1; first <= seed.requests; first += PIECE) {
      const last = Math.min(seed.requests, first + PIECE - 1);
      await db.run(rowsOf(seed, first, last));
      tell(`${last} of ${seed.requests} rows`);
    }
    await db.run(
      `update accounts set usage_seq = ${seed.requests} where id = '${seed.organization}'`,
    );
    await db.settle();
  } finally {
    await db.close();
  }
}

/**
 * Costs use 30, 90 and 3 micro-USD per token (prompt, completion, cached), like the benchmark's
 * prices.
 */
function rowsOf(seed: Seed, first: number, last: number): string {
  const { organization, requests, keys, models, members, from, until } = seed;
  const span = Math.floor((until - from) / requests);
  const model = cases(
    '(i * 7 + i / 13) % 10',
    models.map(({ id }) => id),
    models.length,
  );
  const price = cases(
    '(i * 7 + i / 13) % 10',
    models.map(({ price: id }) => id),
    models.length,
  );
  const key = `(i * 31 + i / 7) % ${keys}`;
  const status = `case when i % 97 = 0 then 500 when i % 53 = 0 then 429 when i % 61 = 0 then 499 else 200 end`;
  // A failed request always has a code, and a canceled one never.
  const error = `case when i % 97 = 0 then 'internal_error' when i % 53 = 0 then 'rate_limited' else null end`;
  const prompt = `(50 + (i * 7919) % 3000)`;
  const cached = `((i * 104729) % 50)`;
  const completion = `(1 + (i * 15485863) % 700)`;
  return `
    with recursive n(i) as (
      select cast(${first} as bigint) union all select i + 1 from n where i < ${last})
    insert into usage (request, organization, seq, key, member, source, completion_id, model, region, agent,
      worker, price, prompt_tokens, cached_tokens, cached_source, completion_tokens, reasoning_tokens,
      ttft_ms, duration_ms, finish_reason, status, error, cost, outcome, transfer, created)
    select 'req_bench' || cast(1000000000 + i as text), '${organization}', i,
      'key_bench' || substr(cast(10000000 + ${key} as text), 2),
      ${cases(`${key} % ${members.length}`, members, members.length)},
      case when ${key} % 10 = 9 then 'playground' else 'api' end,
      'chatcmpl-bench' || cast(1000000000 + i as text), ${model}, 'global', null, 'engine', ${price},
      ${prompt}, ${cached}, 'reported', ${completion}, 0,
      case when i % 97 = 0 then null else 40 + (i * 2654435761) % 900 + ((i * 31) % 11) * ((i * 17) % 90) end,
      300 + (i * 2246822519) % 9000 + ((i * 37) % 7) * ((i * 3266489917) % 4000),
      case when i % 97 = 0 then null else 'stop' end, ${status}, ${error},
      case when i % 97 = 0 then 0
        else (${prompt} - ${cached}) * 30000000 + ${cached} * 3000000 + ${completion} * 90000000 end,
      case when i % 97 = 0 then 'voided' else 'settled' end, null,
      ${from} + i * ${span} + (i * 48271) % ${Math.max(1, span)}
    from n`;
}

function cases(of: string, values: readonly string[], count: number): string {
  const each = values.map((value, n) => `when ${n} then '${value}'`).join(' ');
  return `case (${of}) % ${count} ${each} end`;
}

/** A connection of its own to the benchmark's database. */
export type Direct = Readonly<{
  run: (statement: string) => Promise<unknown>;
  /** Rows as arrays of their columns. */
  rows: (query: string) => Promise<readonly (readonly unknown[])[]>;
  insert: (table: string, rows: readonly (readonly unknown[])[]) => Promise<unknown>;
  bytesType: string;
  /** Stores a table in the order of its primary key, where the database can. */
  clustered: string;
  /** Maintenance that a database filled over a year would have done long ago. */
  settle: () => Promise<unknown>;
  close: () => Promise<void>;
}>;

export async function connect(url: string): Promise<Direct> {
  const file = sqliteFile(url);
  if (file !== null) {
    const database = new BetterSqlite3(file);
    database.pragma('synchronous = OFF');
    return {
      run: async (statement) => database.prepare(statement).run(),
      rows: async (query) => database.prepare(query).raw().all() as unknown[][],
      insert: async (table, rows) => {
        const each = database.prepare(`insert into ${table} values (${marks(rows[0], () => '?')})`);
        database.transaction(() => rows.forEach((row) => each.run(...row)))();
      },
      bytesType: 'blob',
      clustered: ' without rowid',
      settle: async () => database.pragma('wal_checkpoint(TRUNCATE)'),
      close: async () => void database.close(),
    };
  }
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('SET synchronous_commit = off');
  return {
    run: (statement) => client.query(statement),
    rows: async (query) => (await client.query({ text: query, rowMode: 'array' })).rows,
    insert: (table, rows) => {
      const width = rows[0]?.length ?? 0;
      const values = rows.map((row, at) => `(${marks(row, (n) => `$${at * width + n + 1}`)})`);
      return client.query(`insert into ${table} values ${values.join()}`, rows.flat());
    },
    bytesType: 'bytea',
    clustered: '',
    settle: () => client.query('VACUUM ANALYZE'),
    close: () => client.end(),
  };
}

function marks(row: readonly unknown[] = [], mark: (n: number) => string): string {
  return row.map((_, n) => mark(n)).join();
}
