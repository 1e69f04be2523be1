/** Runs procedures over a pool of connections, each in a transaction of its own. */
import pg from 'pg';
import type { Clock } from '../../../shared/clock.ts';
import { within } from '../deadline.ts';
import { StoreUnavailable } from '../errors.ts';
import type { Procedure } from '../procedure.ts';
import type { PoolFigures } from '../store.ts';
import { CHANNEL } from './announcements.ts';
import { Client, clientConfig, setUp, withKysely } from './connect.ts';
import { failureOf } from './failures.ts';

/** A write procedure keeps the ledger waiting, so it is rolled back after this time (MONEY 24). */
const WRITE_MS_MAX = 2_000;
const READ_MS_MAX = 10_000;
/** How long a write procedure waits for its turn. */
const TURN_MS_MAX = 5_000;
/** The advisory lock by which write procedures take turns, as on SQLite; chosen once, at random. */
const TURN = 5_377_304_918_277n;

type PoolConfig = Readonly<{
  url: string;
  connectionsMax: number;
  clock: Clock;
  /** Called when an idle connection was lost; another is opened when it is needed. */
  onLost: (error: Error) => void;
}>;

export class Pool implements AsyncDisposable, PoolFigures {
  readonly #pool: pg.Pool;
  readonly #clock: Clock;

  constructor({ url, connectionsMax, clock, onLost }: PoolConfig) {
    this.#clock = clock;
    this.#pool = new pg.Pool({
      ...clientConfig({ url, clock }),
      // The pool makes clients with these settings, though its type says that it passes none.
      Client: Client as unknown as new () => Client,
      max: connectionsMax,
      onConnect(client) {
        // If a connection is lost while in use, its query reports that.
        client.on('error', () => {});
        return setUp(clock, client, {
          // Set in any case, whatever the defaults of the database or the role are.
          synchronous_commit: 'on',
          default_transaction_isolation: 'read committed',
          idle_in_transaction_session_timeout: WRITE_MS_MAX,
          lock_timeout: TURN_MS_MAX,
          statement_timeout: READ_MS_MAX,
        });
      },
    });
    this.#pool.on('error', onLost);
  }

  get idle(): number {
    return this.#pool.idleCount;
  }

  get used(): number {
    return this.#pool.totalCount - this.#pool.idleCount;
  }

  get most(): number {
    return this.#pool.options.max;
  }

  get waiting(): number {
    return this.#pool.waitingCount;
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
      broken = !(await this.#rollBack(client, error));
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
    // A server that vanished silently must not keep a connection of the pool.
    const inTime = <Step>(ms: number, running: Promise<Step>) =>
      within(this.#clock, ms, procedure.name, running);
    if (procedure.access === 'read') {
      return await inTime(READ_MS_MAX, read(client, procedure, input));
    }
    await inTime(TURN_MS_MAX, begin(client));
    return await inTime(WRITE_MS_MAX, finish(client, procedure, input));
  }

  /** Returns whether the connection can be used again. */
  async #rollBack(client: pg.ClientBase, error: unknown): Promise<boolean> {
    if (error instanceof StoreUnavailable) return false;
    return await within(this.#clock, WRITE_MS_MAX, 'ROLLBACK', run(client, 'ROLLBACK')).then(
      () => true,
      () => false,
    );
  }

  /** Waits for running procedures. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.#pool.end();
  }
}

/**
 * One procedure writes at a time, on all routers together, so no other can change what it has read.
 * The ledger's batches do not take this lock: see ledger/locks.ts.
 */
async function begin(client: pg.ClientBase): Promise<void> {
  await run(client, 'BEGIN');
  await run(client, `SELECT pg_advisory_xact_lock(${TURN})`);
}

/** A read keeps nobody waiting, so it may compute between statements for as long as it may run. */
const READ = `
  BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
  SET LOCAL idle_in_transaction_session_timeout = ${READ_MS_MAX}`;

export async function read<Input, Output>(
  client: pg.ClientBase,
  procedure: Procedure<Input, Output>,
  input: Input,
): Promise<Output> {
  await run(client, READ);
  return await finish(client, procedure, input);
}

async function finish<Input, Output>(
  client: pg.ClientBase,
  procedure: Procedure<Input, Output>,
  input: Input,
): Promise<Output> {
  const output = await withKysely(client, (db) => procedure.run(db, input));
  if (procedure.invalidates) {
    await run(client, 'SELECT pg_notify($1, $2)', [CHANNEL, procedure.invalidates(input)]);
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
