/**
 * The store on PostgreSQL: a pool for procedures, two connections for the lanes and their barrier, and one that
 * listens.
 */
import pg from 'pg';
import type { Clock } from '../../../shared/clock.ts';
import type { Log } from '../../../shared/log.ts';
import { StoreUnavailable } from '../errors.ts';
import { migrate } from '../migrate.ts';
import type { Lane, LaneListener, Procedure } from '../procedure.ts';
import type { BatchFigures, Store, StoreParts, StoreReader } from '../store.ts';
import { Announcements, CHANNEL, type Hear } from './announcements.ts';
import { clientConfig, connect, settingsText, withKysely } from './connect.ts';
import { failureOf } from './failures.ts';
import { Lanes } from './lanes.ts';

/** A write procedure keeps the ledger waiting: one that takes longer is rolled back (MONEY 24). */
const WRITE_MS_MAX = 2_000;
const READ_MS_MAX = 10_000;
/** How long one waits for its turn. */
const TURN_MS_MAX = 5_000;
const CONNECTIONS_MAX = 8;
/** Under which procedures that write take their turns, as on SQLite: chosen once, at random. */
const TURN = 5_377_304_918_277n;

class PostgresStore implements Store {
  readonly #pool: pg.Pool;
  readonly #lanes: Lanes;
  readonly #announcements: Announcements;
  readonly #clock: Clock;
  readonly #parts: AsyncDisposableStack;

  constructor(
    inside: Readonly<{
      pool: pg.Pool;
      lanes: Lanes;
      announcements: Announcements;
      clock: Clock;
      parts: AsyncDisposableStack;
    }>,
  ) {
    this.#pool = inside.pool;
    this.#lanes = inside.lanes;
    this.#announcements = inside.announcements;
    this.#clock = inside.clock;
    this.#parts = inside.parts;
  }

  async call<Input, Output>(procedure: Procedure<Input, Output>, input: Input): Promise<Output> {
    const client = await this.#pool.connect().catch((error: unknown) => {
      throw failureOf(error);
    });
    let broken = true;
    try {
      const output = await this.#transact(client, procedure, input);
      broken = false;
      return output;
    } catch (error) {
      broken = !(await rollBack(client, error));
      throw error;
    } finally {
      client.release(broken);
    }
  }

  async #transact<Input, Output>(
    client: pg.ClientBase,
    procedure: Procedure<Input, Output>,
    input: Input,
  ): Promise<Output> {
    if (procedure.access === 'read') {
      return await this.#within(READ_MS_MAX, procedure.name, read(client, procedure, input));
    }
    await this.#within(TURN_MS_MAX, procedure.name, begin(client));
    return await this.#within(WRITE_MS_MAX, procedure.name, finish(client, procedure, input));
  }

  /** A server that is gone without a word must not keep a connection of the pool. */
  async #within<Output>(ms: number, name: string, running: Promise<Output>): Promise<Output> {
    const late = Promise.withResolvers<never>();
    const timer = this.#clock.after(ms, () => {
      late.reject(new StoreUnavailable(`${name} took longer than ${ms} ms`));
    });
    try {
      return await Promise.race([running, late.promise]);
    } finally {
      timer.cancel();
    }
  }

  runLane<Operation, Answer>(
    lane: Lane<Operation, Answer>,
    operations: readonly Operation[],
    hear: LaneListener<Answer>,
  ): Promise<BatchFigures> {
    return this.#lanes.run(lane, operations, hear);
  }

  onAnnouncement(hear: Hear): void {
    this.#announcements.add(hear);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#parts.disposeAsync();
  }
}

class PostgresReader implements StoreReader {
  readonly #client: pg.Client;

  constructor(client: pg.Client) {
    this.#client = client;
  }

  async call<Input, Output>(procedure: Procedure<Input, Output>, input: Input): Promise<Output> {
    if (procedure.access === 'write') throw new Error(`${procedure.name} writes: read only here`);
    return await read(this.#client, procedure, input);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#client.end();
  }
}

export async function openPostgres(url: string, parts: StoreParts): Promise<Store> {
  const { clock, log } = parts;
  await using undo = new AsyncDisposableStack();
  await bringUpToDate(url);
  const pool = openPool(url, log);
  undo.defer(() => pool.end());
  const lanes = undo.use(new Lanes({ url, clock }));
  const announcements = undo.use(new Announcements({ url, clock, log }));
  await announcements.listen();
  return new PostgresStore({ pool, lanes, announcements, clock, parts: undo.move() });
}

export async function openPostgresReadOnly(url: string): Promise<StoreReader> {
  const settings = { default_transaction_read_only: 'on' };
  return new PostgresReader(await connect(url, settings, () => {}));
}

async function bringUpToDate(url: string): Promise<void> {
  const client = await connect(url, {}, () => {});
  try {
    await withKysely(client, migrate);
  } finally {
    await client.end();
  }
}

function openPool(url: string, log: Log): pg.Pool {
  const pool = new pg.Pool({
    ...clientConfig(url),
    max: CONNECTIONS_MAX,
    onConnect(client) {
      // One that is lost while it is used: the query that it was lost in says so.
      client.on('error', () => {});
      return client.query(
        settingsText({
          // Whatever the defaults of the database or the role are.
          synchronous_commit: 'on',
          default_transaction_isolation: 'read committed',
          idle_in_transaction_session_timeout: WRITE_MS_MAX,
          lock_timeout: TURN_MS_MAX,
          statement_timeout: READ_MS_MAX,
        }),
      );
    },
  });
  // A connection that is lost while nobody uses it: the pool opens another when it is needed.
  pool.on('error', (error) => log.warn({ error: error.message }, 'a connection was lost'));
  return pool;
}

/** One writes at a time, on all routers together: what a procedure has read stays true while it runs. */
async function begin(client: pg.ClientBase): Promise<void> {
  await run(client, 'BEGIN');
  await run(client, `SELECT pg_advisory_xact_lock(${TURN})`);
}

async function read<Input, Output>(
  client: pg.ClientBase,
  procedure: Procedure<Input, Output>,
  input: Input,
): Promise<Output> {
  await run(client, 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  return await finish(client, procedure, input);
}

async function finish<Input, Output>(
  client: pg.ClientBase,
  procedure: Procedure<Input, Output>,
  input: Input,
): Promise<Output> {
  const output = await withKysely(client, (db) => procedure.run(db, input));
  if (procedure.announces) {
    await run(client, 'SELECT pg_notify($1, $2)', [CHANNEL, procedure.announces(input)]);
  }
  await run(client, 'COMMIT');
  return output;
}

async function run(client: pg.ClientBase, text: string, values: string[] = []): Promise<void> {
  try {
    await client.query(text, values);
  } catch (error) {
    throw failureOf(error);
  }
}

/** Whether the connection can be used again. */
async function rollBack(client: pg.ClientBase, error: unknown): Promise<boolean> {
  if (error instanceof StoreUnavailable) return false;
  return await run(client, 'ROLLBACK').then(
    () => true,
    () => false,
  );
}
