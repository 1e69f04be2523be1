/** Connections to the server, and Kysely on one of them for the duration of one procedure. */
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Db } from '../procedure.ts';
import type { Schema } from '../schema.ts';
import { failureOf } from './failures.ts';

/** How long to wait for a server that does not answer: callers must get an error soon. */
export const CONNECT_MS_MAX = 2_000;
/** How long a connection is silent before TCP keep-alive probes the server. */
const KEEP_ALIVE_MS = 10_000;
const INT8 = 20;

/** Amounts pass 2^53: no integer is ever read as a double (MONEY 1). */
const types = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === INT8) return BigInt;
    return pg.types.getTypeParser(oid, format);
  },
};

export type Settings = Readonly<Record<string, string | number>>;

export function clientConfig(url: string) {
  return {
    connectionString: url,
    application_name: 'penstock',
    connectionTimeoutMillis: CONNECT_MS_MAX,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    types,
  };
}

/**
 * Throws StoreUnavailable when the server cannot be reached. `pipeline`: queries are sent without
 * waiting for earlier answers.
 */
export async function connect(
  url: string,
  settings: Settings,
  onLost: (error: Error) => void,
  pipeline = false,
): Promise<pg.Client> {
  const client = new pg.Client({ ...clientConfig(url), pipeline });
  // Without a listener a lost connection would end the process.
  client.on('error', onLost);
  try {
    await client.connect();
    await client.query(settingsText(settings));
    return client;
  } catch (error) {
    void client.end().catch(() => {});
    throw failureOf(error);
  }
}

export function settingsText(settings: Settings): string {
  return Object.entries(settings)
    .map(([name, value]) => `SET ${name} = ${typeof value === 'number' ? value : `'${value}'`}`)
    .join('; ');
}

/**
 * Runs `use` with Kysely on this connection. Once `use` has ended, even by an exception, its Kysely
 * can no longer reach the connection: a stray query would land in another transaction.
 */
export async function withKysely<Result>(
  client: pg.ClientBase,
  use: (db: Db) => Promise<Result>,
): Promise<Result> {
  let ended = false;
  const query = async (text: string, values: readonly unknown[]) => {
    if (ended) throw new Error('a query ran after its procedure had ended');
    try {
      return await client.query(text, [...values]);
    } catch (error) {
      throw failureOf(error);
    }
  };
  const pool = { connect: async () => ({ query, release() {} }), end: async () => {} };
  // Kysely's own `destroy` is never called: the connection outlives it.
  const dialect = new PostgresDialect({ pool: pool as never });
  try {
    return await use(new Kysely<Schema>({ dialect }));
  } finally {
    ended = true;
  }
}
