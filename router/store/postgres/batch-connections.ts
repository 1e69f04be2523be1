/**
 * The two connections that run batches: one whose commits are asynchronous, and the barrier's. They
 * are opened together when first needed and closed together, so that a barrier only covers commits
 * made since the server last started.
 */
import type pg from 'pg';
import type { Clock } from '../../../shared/clock.ts';
import { within } from '../deadline.ts';
import { StoreUnavailable } from '../errors.ts';
import type {
  BatchExecutor,
  BatchConnection,
  BatchListener,
  BatchQuery,
  PostgresRunner,
} from '../procedure.ts';
import type { BatchFigures } from '../store.ts';
import { Barrier } from './barrier.ts';
import { connect, cut, type Settings } from './connect.ts';
import { batchFailureOf } from './failures.ts';

/** A batch that hangs is given up with its connections. The ledger's own timeout is as long. */
const BATCH_MS_MAX = 5_000;
/** A batch that fails within this time is run once more; one that waited for a lock has not. */
const AGAIN_MS_MAX = 1_500;

const BATCH_SETTINGS: Settings = {
  // Every row is read after the wait for its lock.
  default_transaction_isolation: 'read committed',
  // Operations that need durability wait for the barrier (MONEY 23).
  synchronous_commit: 'off',
  // A router that is stopped in mid-batch must not keep its row locks.
  idle_in_transaction_session_timeout: 1_000,
  lock_timeout: 2_000,
  statement_timeout: BATCH_MS_MAX,
  // Every statement finds its rows by primary key, whatever the table statistics are.
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  plan_cache_mode: 'force_generic_plan',
  jit: 'off',
};
const BARRIER_SETTINGS: Settings = { synchronous_commit: 'on', statement_timeout: BATCH_MS_MAX };

export type BatchConnectionsParts = Readonly<{
  url: string;
  clock: Clock;
  /** For measurements: commit synchronously, with no barrier to wait for. */
  synchronous?: boolean;
  /** Called with the reason when the connections were given up; the next batch opens new ones. */
  onLost?: (error: Error) => void;
}>;

export class BatchConnections implements AsyncDisposable {
  readonly #parts: BatchConnectionsParts;
  #connection: Promise<Connection> | null = null;
  #closed = false;

  constructor(parts: BatchConnectionsParts) {
    this.#parts = parts;
  }

  /**
   * See Store.runBatch. The next batch may be run only after the last one reported `ready`. A batch
   * that loses its connection before that is run once more on new connections, whatever became of
   * the first run, because its operations can be repeated. So nobody notices when the server ends
   * the connection of a router that paused for a second in mid-batch, or one of a deadlock.
   */
  async run<Operation, Answer>(
    executor: BatchExecutor<Operation, Answer>,
    operations: readonly Operation[],
    listener: BatchListener<Answer>,
  ): Promise<BatchFigures> {
    const { clock } = this.#parts;
    const started = clock.monotonic();
    const elapsedMs = () => clock.monotonic() - started;
    let isBegun = false;
    let commitMs: number | null = null;
    const reporting = {
      answers: listener.answers,
      ready: () => {
        commitMs = elapsedMs();
        listener.ready();
      },
    };
    const attempt = () =>
      this.#attempt(started + BATCH_MS_MAX, (connection) => {
        isBegun = true;
        return connection.runner(executor)(operations, reporting);
      });
    try {
      await attempt();
    } catch (error) {
      const isLate = elapsedMs() > AGAIN_MS_MAX;
      if (!isBegun || commitMs !== null || isLate || this.#closed) throw error;
      await attempt();
    }
    return { commitMs: commitMs ?? 0 };
  }

  /** Throws StoreUnavailable, and opens new connections for the next attempt. */
  async #attempt(endsAt: number, run: (connection: Connection) => Promise<void>): Promise<void> {
    const { clock } = this.#parts;
    const leftMs = () => endsAt - clock.monotonic();
    const connection = await within(clock, leftMs(), 'connecting', this.#connected());
    const watch = clock.after(leftMs(), () => connection.giveUp());
    try {
      await run(connection);
    } catch (error) {
      // The state of its transaction is unknown.
      connection.giveUp();
      const failure = error instanceof StoreUnavailable ? error : batchFailureOf(error);
      this.#parts.onLost?.(failure);
      throw failure;
    } finally {
      watch.cancel();
    }
  }

  async #connected(): Promise<Connection> {
    if (this.#closed) throw new StoreUnavailable('the store is closed');
    const connecting = (this.#connection ??= this.#connect(() => {
      if (this.#connection === connecting) this.#connection = null;
    }));
    try {
      return await connecting;
    } catch (error) {
      if (this.#connection === connecting) this.#connection = null;
      throw error;
    }
  }

  async #connect(onLost: () => void): Promise<Connection> {
    const { synchronous = false } = this.#parts;
    let given = false;
    let opened: Connection | null = null;
    const lost = () => {
      if (given) return;
      given = true;
      onLost();
      opened?.destroy();
    };
    const settings = synchronous ? { ...BATCH_SETTINGS, synchronous_commit: 'on' } : BATCH_SETTINGS;
    const barrier = await connect(this.#parts, BARRIER_SETTINGS, lost);
    const batch = await connect(this.#parts, settings, lost, true).catch((error: unknown) => {
      void barrier.end().catch(() => {});
      throw error;
    });
    opened = new Connection({ batch, barrier, synchronous, giveUp: lost });
    if (given) opened.destroy();
    return opened;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    const connection = await this.#connection?.catch(() => null);
    this.#connection = null;
    await connection?.end();
  }
}

type AnyRunner = PostgresRunner<unknown, unknown>;

class Connection implements BatchConnection {
  readonly #batchClient: pg.Client;
  readonly #barrierClient: pg.Client;
  readonly #barrier: Pick<Barrier, 'pass'>;
  readonly #runners = new Map<string, AnyRunner>();
  /** Closes both connections. The next batch opens new ones. */
  readonly giveUp: () => void;

  constructor(
    parts: Readonly<{
      batch: pg.Client;
      barrier: pg.Client;
      synchronous: boolean;
      giveUp: () => void;
    }>,
  ) {
    this.#batchClient = parts.batch;
    this.#barrierClient = parts.barrier;
    this.#barrier = parts.synchronous
      ? { pass: () => Promise.resolve() }
      : new Barrier(parts.barrier);
    this.giveUp = parts.giveUp;
  }

  async query<Row extends object>({ values, ...query }: BatchQuery): Promise<readonly Row[]> {
    try {
      const asked = values ? { ...query, values: [...values] } : query;
      const { rows } = await this.#batchClient.query<Row>(asked);
      return rows;
    } catch (error) {
      throw batchFailureOf(error);
    }
  }

  durable(): Promise<void> {
    return this.#barrier.pass();
  }

  runner<Operation, Answer>(
    executor: BatchExecutor<Operation, Answer>,
  ): PostgresRunner<Operation, Answer> {
    const known = this.#runners.get(executor.name) as PostgresRunner<Operation, Answer> | undefined;
    if (known) return known;
    const runner = executor.openPostgres(this);
    this.#runners.set(executor.name, runner as AnyRunner);
    return runner;
  }

  /** Closes both at once, without waiting for running queries. */
  destroy(): void {
    cut(this.#batchClient);
    cut(this.#barrierClient);
  }

  async end(): Promise<void> {
    await Promise.allSettled([this.#batchClient.end(), this.#barrierClient.end()]);
  }
}
