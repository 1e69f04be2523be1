/**
 * Reads the books directly from SQLite's file or from PostgreSQL, in one consistent snapshot. None
 * of the product's own code takes part.
 */
import BetterSqlite3 from 'better-sqlite3';
import pg from 'pg';

export type Account = Readonly<{ id: string; balance: bigint; held: bigint; reserve: bigint }>;
export type HoldRow = Readonly<{ request: string; organization: string; amount: bigint }>;
export type TransferRow = Readonly<{
  id: string;
  organization: string;
  seq: bigint;
  debit: string;
  credit: string;
  amount: bigint;
  kind: string;
  reference: string;
}>;
export type UsageRow = Readonly<{
  request: string;
  organization: string;
  seq: bigint;
  model: string;
  price: string;
  prompt_tokens: bigint;
  cached_tokens: bigint;
  completion_tokens: bigint;
  status: bigint;
  error: string | null;
  finish_reason: string | null;
  cost: bigint;
  outcome: 'settled' | 'voided';
}>;
export type PriceRow = Readonly<{
  id: string;
  model: string;
  prompt: bigint;
  completion: bigint;
  cached: bigint;
}>;

export type Books = Readonly<{
  accounts: readonly Account[];
  holds: readonly HoldRow[];
  transfers: readonly TransferRow[];
  usage: readonly UsageRow[];
  prices: readonly PriceRow[];
}>;

const QUERIES = {
  accounts: 'SELECT id, balance, held, reserve FROM accounts',
  holds: 'SELECT request, organization, amount FROM holds',
  transfers: 'SELECT id, organization, seq, debit, credit, amount, kind, reference FROM transfers',
  usage: `SELECT request, organization, seq, model, price, prompt_tokens, cached_tokens,
    completion_tokens, status, error, finish_reason, cost, outcome FROM usage`,
  prices: 'SELECT id, model, prompt, completion, cached FROM prices',
} as const;

/** A read-only connection. Each query is one snapshot. */
export interface Reader extends AsyncDisposable {
  rows<Row>(sql: string): Promise<Row[]>;
}

export async function openReader(url: string): Promise<Reader> {
  return url.startsWith('sqlite:') ? openSqlite(url.slice('sqlite:'.length)) : openPostgres(url);
}

export async function readBooks(url: string): Promise<Books> {
  await using reader = await openReader(url);
  const isSqlite = url.startsWith('sqlite:');
  await reader.rows(isSqlite ? 'BEGIN' : 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  const books: Books = {
    accounts: await reader.rows(QUERIES.accounts),
    holds: await reader.rows(QUERIES.holds),
    transfers: await reader.rows(QUERIES.transfers),
    usage: await reader.rows(QUERIES.usage),
    prices: await reader.rows(QUERIES.prices),
  };
  await reader.rows('COMMIT');
  return books;
}

function openSqlite(file: string): Reader {
  const database = new BetterSqlite3(file, {
    readonly: true,
    fileMustExist: true,
    timeout: 10_000,
  });
  database.defaultSafeIntegers(true);
  return {
    async rows<Row>(sql: string) {
      const statement = database.prepare(sql);
      if (statement.reader) return statement.all() as Row[];
      statement.run();
      return [];
    },
    async [Symbol.asyncDispose]() {
      database.close();
    },
  };
}

const INT8 = 20;

async function openPostgres(url: string): Promise<Reader> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 10_000,
    types: {
      getTypeParser: (type: number, format?: 'text' | 'binary') =>
        type === INT8 ? (text: string) => BigInt(text) : pg.types.getTypeParser(type, format),
    },
  });
  // The server may be killed while we are connected. The next query then reports the error.
  client.on('error', () => {});
  await client.connect();
  return {
    rows: async <Row>(sql: string) => (await client.query(sql)).rows as Row[],
    [Symbol.asyncDispose]: () => client.end().catch(() => {}),
  };
}
