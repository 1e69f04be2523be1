/** The lanes' connection: opened when it is first needed, and again after it was lost. */
import type pg from 'pg';
import type { Clock } from '../../../shared/clock.ts';
import { StoreUnavailable } from '../errors.ts';
import type {
  Lane,
  LaneConnection,
  LaneListener,
  LaneQuery,
  PostgresRunner,
} from '../procedure.ts';
import type { BatchFigures } from '../store.ts';
import type { Barrier } from './barrier.ts';
import { connect, type Settings } from './connect.ts';
import { failureOf } from './failures.ts';

/** A batch that hangs is given up with its connection. The ledger's own patience is as long. */
const BATCH_MS_MAX = 5_000;

const SETTINGS = {
  // Whoever needs durability waits for the barrier (MONEY 23).
  synchronous_commit: 'off',
  // A router that is stopped in mid-batch must not keep its peers from the rows it has locked.
  idle_in_transaction_session_timeout: 1_000,
  lock_timeout: 2_000,
  statement_timeout: BATCH_MS_MAX,
  // Every statement finds its rows by primary key, whatever the statistics of the day say.
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  plan_cache_mode: 'force_generic_plan',
  jit: 'off',
};

type AnyRunner = PostgresRunner<unknown, unknown>;

class Connection implements LaneConnection {
  readonly client: pg.Client;
  readonly runners = new Map<string, AnyRunner>();
  readonly #barrier: Pick<Barrier, 'pass'>;

  constructor(client: pg.Client, barrier: Pick<Barrier, 'pass'>) {
    this.client = client;
    this.#barrier = barrier;
  }

  async query<Row extends object>({ values, ...query }: LaneQuery): Promise<readonly Row[]> {
    try {
      const asked = values ? { ...query, values: [...values] } : query;
      const { rows } = await this.client.query<Row>(asked);
      return rows;
    } catch (error) {
      throw failureOf(error);
    }
  }

  durable(): Promise<void> {
    return this.#barrier.pass();
  }
}

export class Lanes implements AsyncDisposable {
  readonly #url: string;
  readonly #barrier: Pick<Barrier, 'pass'>;
  readonly #clock: Clock;
  readonly #settings: Settings;
  #connection: Connection | null = null;

  constructor(
    parts: Readonly<{
      url: string;
      barrier: Pick<Barrier, 'pass'>;
      clock: Clock;
      /** Over the lanes' own, for measurements. */
      settings?: Settings;
    }>,
  ) {
    this.#settings = { ...SETTINGS, ...parts.settings };
    this.#url = parts.url;
    this.#barrier = parts.barrier;
    this.#clock = parts.clock;
  }

  /** See Store.runLane. One batch at a time until it says that it is ready for the next. */
  async run<Operation, Answer>(
    lane: Lane<Operation, Answer>,
    operations: readonly Operation[],
    hear: LaneListener<Answer>,
  ): Promise<BatchFigures> {
    const started = this.#clock.monotonic();
    let commitMs = 0;
    const connection = (this.#connection ??= await this.#connect());
    const watch = this.#clock.after(BATCH_MS_MAX, () => this.#drop(connection));
    try {
      await runnerOf(connection, lane)(operations, {
        answers: hear.answers,
        ready: () => {
          commitMs = this.#clock.monotonic() - started;
          hear.ready();
        },
      });
      return { commitMs };
    } catch (error) {
      // What is left of its transaction is unknown: the next batch begins on a connection of its own.
      this.#drop(connection);
      throw error instanceof StoreUnavailable ? error : failureOf(error);
    } finally {
      watch.cancel();
    }
  }

  async #connect(): Promise<Connection> {
    const client = await connect(
      this.#url,
      this.#settings,
      () => {
        if (this.#connection?.client === client) this.#connection = null;
      },
      true,
    );
    return new Connection(client, this.#barrier);
  }

  #drop(connection: Connection): void {
    if (this.#connection === connection) this.#connection = null;
    // Not `end`, which waits for the queries under way.
    (
      connection.client as unknown as { connection: { stream: { destroy(): void } } }
    ).connection.stream.destroy();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#connection?.client.end().catch(() => {});
    this.#connection = null;
  }
}

function runnerOf<Operation, Answer>(
  connection: Connection,
  lane: Lane<Operation, Answer>,
): PostgresRunner<Operation, Answer> {
  const known = connection.runners.get(lane.name) as PostgresRunner<Operation, Answer> | undefined;
  if (known) return known;
  const runner = lane.openPostgres(connection);
  connection.runners.set(lane.name, runner as AnyRunner);
  return runner;
}
