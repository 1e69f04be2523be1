/**
 * A thread of the store: the writer, with the only connection that writes data, or a reader. It
 * runs its requests one after another. After a failure that may have broken its connection it opens
 * another.
 */
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { Database } from 'better-sqlite3';
import { type Clock, systemClock } from '../../../shared/clock.ts';
import { lowerPriority } from '../../../shared/thread-priority.ts';
import { unreachable } from '../../../shared/unreachable.ts';
import { within } from '../deadline.ts';
import { StoreUnavailable } from '../errors.ts';
import { checkTables, migrate } from '../migrate.ts';
import type { Db, Registry, SqliteRunner } from '../procedure.ts';
import { MessageSocket } from '../threads/message-socket.ts';
import type { Reply, Request } from '../threads/messages.ts';
import type { OnAnswers } from '../threads/pending-calls.ts';
import { post, Procedures } from '../threads/port.ts';
import { connect, withKysely } from './connect.ts';
import { ThreadConnection } from './connection.ts';
import { failureOf } from './failures.ts';
import { countTransfers, readMark, recordState, writeMark } from './mark.ts';
import type {
  BatchResult,
  Command,
  Checkpointed,
  LogFigures,
  SqliteCommand,
  ThreadData,
} from './messages.ts';

/** A write procedure keeps the ledger waiting: one that takes longer is rolled back (MONEY 24). */
const WRITE_MS_MAX = 2_000;
/** Below this many pages (4 MiB), a checkpoint is not worth its syncs. */
const CHECKPOINT_FRAMES_MIN = 1_024;

/** Sends a reply to whoever made the request. */
type Respond = (reply: Reply) => void;
type Batch = Extract<SqliteCommand, { kind: 'batch' }>;
type AnyRunner = SqliteRunner<unknown, unknown>;

class StoreWorker {
  readonly #data: ThreadData;
  readonly #port: MessagePort;
  readonly #clock: Clock;
  readonly #procedures: Procedures;
  readonly #runners = new Map<string, AnyRunner>();
  readonly #connection: ThreadConnection;
  #checkpointer: Database | null = null;
  /** The writer: how many transfers were on disk when it last counted them. */
  #durable = 0n;
  /** The number in the mark beside the file; null: not read yet. */
  #marked: bigint | null = null;
  /** The call of another process may arrive after the parent has closed the store. */
  #closed = false;
  #tail: Promise<void> = Promise.resolve();

  constructor(data: ThreadData, port: MessagePort, registry: Registry, clock: Clock) {
    this.#data = data;
    this.#port = port;
    this.#clock = clock;
    this.#connection = new ThreadConnection(data.file, data.role === 'writer' ? 'write' : 'read');
    this.#procedures = new Procedures(registry);
  }

  async start(): Promise<void> {
    const { role, besideWriter, socket } = this.#data;
    if (role === 'writer') {
      await withKysely(this.#connected(), migrate);
      recordState(this.#connected(), 'open');
    }
    // A reader that starts together with the writer may not find the tables yet.
    else if (!besideWriter) await withKysely(this.#connected(), checkTables);
    const respond: Respond = (reply) => post(this.#port, reply);
    this.#port.on('message', (request: Request<SqliteCommand>) => this.#enqueue(request, respond));
    if (socket !== null) await this.#listen(socket);
    respond({ kind: 'ready' });
  }

  /** Serves the calls of other processes, each over a connection of its own. */
  async #listen(path: string): Promise<void> {
    const server = createServer({ allowHalfOpen: true }, (connection) => this.#attend(connection));
    server.listen(path);
    await once(server, 'listening');
    // A connection could not be accepted. Its process connects again with its next call.
    server.on('error', () => {});
  }

  #attend(connection: Socket): void {
    const messages = new MessageSocket(connection, (request) =>
      this.#enqueue(request as Request<SqliteCommand>, (reply) => messages.send(reply)),
    );
    // The other process makes no more calls. Those before are still answered.
    connection.on('end', () => {
      this.#tail = this.#tail.then(() => void connection.end());
    });
    // The process is gone, or sent no message. Answers to its calls go nowhere.
    connection.on('error', () => connection.destroy());
  }

  #enqueue(request: Request<SqliteCommand>, respond: Respond): void {
    this.#tail = this.#tail.then(() => this.#serve(request, respond));
  }

  async #serve({ id, command }: Request<SqliteCommand>, respond: Respond): Promise<void> {
    try {
      respond({ kind: 'done', id, value: await this.#run(id, command, respond) });
    } catch (error) {
      this.#connection.note(error);
      const failure = failureOf(error);
      // An executor answers with a fault for an operation that fails by itself. What it throws is a
      // fault of the connection or the store.
      const unfit = failure.broken || (command.kind === 'batch' && failure.kind === 'thrown');
      if (unfit || this.#connection.isInTransaction) this.#disconnect();
      respond({ kind: 'failed', id, failure });
    }
  }

  async #run(id: number, command: Command, respond: Respond): Promise<unknown> {
    switch (command.kind) {
      case 'procedure':
        return await this.#runProcedure(command.name, command.input);
      case 'batch':
        return this.#runBatch(command, (answers) => respond({ kind: 'part', id, answers }));
      case 'count':
        return this.#countDurable();
      case 'checkpoint':
        return this.#checkpoint(command.transfers);
      case 'close':
        return this.#close();
      default:
        return unreachable(command);
    }
  }

  async #runProcedure(name: string, input: unknown): Promise<unknown> {
    const procedure = this.#procedures.find(name);
    const database = this.#connected();
    const writes = procedure.access === 'write';
    if (writes) this.#connection.syncAtCommit(true);
    database.exec(writes ? 'BEGIN IMMEDIATE' : 'BEGIN');
    try {
      const run = (db: Db) => procedure.run(db, input);
      const output = await withKysely(database, (db) =>
        writes ? within(this.#clock, WRITE_MS_MAX, name, run(db)) : run(db),
      );
      database.exec('COMMIT');
      return output;
    } catch (error) {
      if (database.inTransaction) database.exec('ROLLBACK');
      throw error;
    }
  }

  /** The last answers come with the result, because each message wakes the other thread. */
  #runBatch({ name, operations }: Batch, onAnswers: OnAnswers): BatchResult {
    const started = this.#clock.monotonic();
    const run = this.#runner(name);
    this.#connection.syncAtCommit(false);
    const { atOnce, onceDurable } = run(operations);
    const commitMs = () => this.#clock.monotonic() - started;
    if (onceDurable.length === 0) return { answers: atOnce, commitMs: commitMs() };
    if (atOnce.length > 0) onAnswers(atOnce);
    this.#connection.syncLog();
    return { answers: onceDurable, commitMs: commitMs() };
  }

  #runner(name: string): AnyRunner {
    const database = this.#connected();
    const known = this.#runners.get(name);
    if (known) return known;
    const runner = this.#procedures.findExecutor(name).openSqlite(database);
    this.#runners.set(name, runner);
    return runner;
  }

  #connected(): Database {
    if (this.#closed) throw new StoreUnavailable('the store is closed');
    return this.#connection.database;
  }

  #disconnect(): void {
    this.#runners.clear();
    const checkpointer = this.#checkpointer;
    this.#checkpointer = null;
    this.#connection.close();
    checkpointer?.close();
  }

  /** Counts the transfers that are on disk, after a sync if there are more than before. */
  #countDurable(): bigint {
    const transfers = countTransfers(this.#connected());
    if (transfers !== this.#durable) this.#connection.syncLog();
    this.#durable = transfers;
    return transfers;
  }

  /**
   * Moves the log into the database. The reader's thread does most of it while the writer goes on.
   * If the writer is too busy for the log ever to be moved in full, the writer does the rest itself
   * between two batches, and its next commit starts the log over. `transfers`: how many are on disk.
   */
  #checkpoint(transfers: bigint): Checkpointed {
    if (this.#data.role === 'writer') {
      return { ...passLog(this.#connected(), 'PASSIVE'), markFault: null };
    }
    if (!this.#data.besideWriter)
      throw new Error('this reader must not checkpoint the log: no writer runs beside it');
    this.#checkpointer ??= connect(this.#data.file, 'write');
    let figures = passLog(this.#checkpointer, 'NOOP');
    if (figures.left >= CHECKPOINT_FRAMES_MIN) figures = passLog(this.#checkpointer, 'PASSIVE');
    try {
      this.#mark(transfers);
    } catch (error) {
      // A mark that is behind detects fewer old copies, but it is never wrong. A full disk must not
      // stop the checkpoints as well.
      return { ...figures, markFault: String(error) };
    }
    return { ...figures, markFault: null };
  }

  #close(): void {
    try {
      if (this.#data.role !== 'writer') return;
      const database = this.#connected();
      this.#connection.syncAtCommit(true);
      recordState(database, 'closed');
      this.#mark(this.#countDurable());
    } finally {
      this.#closed = true;
      this.#disconnect();
    }
  }

  /** Brings the mark up to date. On the reader's thread the ledger's commits do not wait for it. */
  #mark(transfers: bigint): void {
    const { file } = this.#data;
    this.#marked ??= readMark(file) ?? 0n;
    if (transfers <= this.#marked) return;
    writeMark(file, transfers);
    this.#marked = transfers;
  }
}

function passLog(database: Database, mode: 'NOOP' | 'PASSIVE'): LogFigures {
  const [row] = database.pragma(`wal_checkpoint(${mode})`) as {
    log: bigint;
    checkpointed: bigint;
  }[];
  if (!row) throw new Error('wal_checkpoint returned no row');
  return { frames: Number(row.log), left: Number(row.log - row.checkpointed) };
}

async function main(port: MessagePort, data: ThreadData): Promise<void> {
  if (data.role === 'heavy reader') lowerPriority('lowest');
  const registry = (await import(data.registry)) as Registry;
  await new StoreWorker(data, port, registry, systemClock).start();
}

if (!parentPort) throw new Error('the store worker must run as a thread');
await main(parentPort, workerData as ThreadData);
