/** Connections to the server, and Kysely on one of them for the duration of one procedure. */
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Clock, Timer } from '../../../shared/clock.ts';
import { within } from '../deadline.ts';
import type { Db } from '../procedure.ts';
import type { Schema } from '../schema.ts';
import { failureOf } from './failures.ts';

/** How long to wait for a server that does not answer: callers must get an error soon. */
export const CONNECT_MS_MAX = 2_000;
/** How long a server may take to close a connection. Then it is cut. */
const END_MS_MAX = 1_000;
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

/** A server, and the clock that bounds how long it is waited for. */
export type ServerParts = Readonly<{ url: string; clock: Clock }>;

export function clientConfig({ url, clock }: ServerParts) {
  return {
    connectionString: url,
    application_name: 'penstock',
    connectionTimeoutMillis: CONNECT_MS_MAX,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    types,
    clock,
  };
}

/**
 * A client whose `end` cuts the connection when the server has not closed it within a second. A
 * server that was frozen would otherwise keep a router from ending.
 */
export class Client extends pg.Client {
  readonly #clock: Clock;
  #late: Timer | null = null;
  #hasEnded = false;

  constructor(config: ReturnType<typeof clientConfig> & Readonly<{ pipeline?: boolean }>) {
    super(config);
    this.#clock = config.clock;
    this.once('end', () => {
      this.#hasEnded = true;
      this.#late?.cancel();
    });
  }

  override end(): Promise<void>;
  override end(callback: (error: Error) => void): void;
  override end(callback?: (error: Error) => void): Promise<void> | void {
    if (!this.#hasEnded) this.#late ??= this.#clock.after(END_MS_MAX, () => cut(this));
    return callback ? super.end(callback) : super.end();
  }
}

/** Closes the socket at once, without waiting for running queries as `end` does. */
export function cut(client: pg.Client): void {
  const { connection } = client as unknown as { connection: { stream: { destroy(): void } } };
  connection.stream.destroy();
}

/**
 * Throws StoreUnavailable when the server cannot be reached. `pipeline`: queries are sent without
 * waiting for earlier answers.
 */
export async function connect(
  server: ServerParts,
  settings: Settings,
  onLost: (error: Error) => void,
  pipeline = false,
): Promise<pg.Client> {
  const client = new Client({ ...clientConfig(server), pipeline });
  // Without a listener a lost connection would end the process.
  client.on('error', onLost);
  try {
    await client.connect();
    await setUp(server.clock, client, settings);
    return client;
  } catch (error) {
    void client.end().catch(() => {});
    throw failureOf(error);
  }
}

/** Throws StoreUnavailable when the server does not answer in time. */
export async function setUp(
  clock: Clock,
  client: pg.ClientBase,
  settings: Settings,
): Promise<void> {
  await within(clock, CONNECT_MS_MAX, 'a new connection', client.query(settingsText(settings)));
}

function settingsText(settings: Settings): string {
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
