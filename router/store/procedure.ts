/**
 * How all code reads and writes the store. A procedure runs where the connection is (on SQLite, on
 * a thread of its own), so it is looked up there by name, and its input and output may be cloned.
 */
import type { Database } from 'better-sqlite3';
import type { Kysely } from 'kysely';
import type { OrganizationId } from '../../shared/ids.ts';
import type { Schema } from './schema.ts';

export type Db = Kysely<Schema>;

/**
 * One transaction. `run` awaits nothing but `db` and uses neither clock nor randomness: ids and
 * instants come in with the input. It lets a failed statement fail the whole, because PostgreSQL
 * does not continue a transaction after one.
 */
export type Procedure<Input, Output> = Readonly<{
  name: string;
  access: 'read' | 'write';
  /**
   * Set if the procedure computes or transfers so much that it would delay others on its thread. It
   * runs on a thread for such procedures, which is started for the first of them. On SQLite, writes
   * always run on the writer.
   */
  heavy?: true;
  run: (db: Db, input: Input) => Promise<Output>;
  /**
   * The organization whose running requests and cached keys this changes. After the commit every
   * router is notified, so that it drops what it has cached at once and not seconds later
   * (MONEY 11).
   */
  invalidates?: (input: Input) => OrganizationId;
}>;

type Options<Input, Output> = Pick<Procedure<Input, Output>, 'heavy' | 'invalidates'>;
type Run<Input, Output> = Procedure<Input, Output>['run'];
type MakeProcedure = {
  <Input, Output>(name: string, run: Run<Input, Output>): Procedure<Input, Output>;
  <Input, Output>(
    name: string,
    options: Options<Input, Output>,
    run: Run<Input, Output>,
  ): Procedure<Input, Output>;
};

/** Makes a procedure that only reads. No two procedures have the same name. */
export const readProcedure = maker('read');
/** Makes a procedure that writes. */
export const writeProcedure = maker('write');

function maker(access: 'read' | 'write'): MakeProcedure {
  return <Input, Output>(
    name: string,
    ...rest: [Run<Input, Output>] | [Options<Input, Output>, Run<Input, Output>]
  ): Procedure<Input, Output> => {
    const [options, run] = rest.length === 1 ? [{}, rest[0]] : rest;
    return { name, access, ...options, run };
  };
}

/**
 * A hot path beside the procedures: many operations in one message, run with prepared statements.
 * It opens and commits its own transactions. On PostgreSQL it has connections that nothing else
 * uses; on SQLite it shares the writer's connection with procedures. A batch whose connection was
 * lost may be run again: two runs must have the effect of one, and of two answers to an operation
 * the first counts.
 */
export type BatchExecutor<Operation, Answer> = Readonly<{
  name: string;
  /** Called with each new connection; prepares the statements. */
  openSqlite: (database: Database) => SqliteRunner<Operation, Answer>;
  openPostgres: (connection: BatchConnection) => PostgresRunner<Operation, Answer>;
}>;

/**
 * Runs a batch in transactions of its own, whose commits are not synced to disk. The failure of one
 * operation is the answer to it; an exception fails all operations.
 */
export type SqliteRunner<Operation, Answer> = (
  operations: readonly Operation[],
) => SqliteAnswers<Answer>;

/** `onceDurable`: those to give when all that has committed is on disk (MONEY 25). */
export type SqliteAnswers<Answer> = Readonly<
  Record<'atOnce' | 'onceDurable', readonly BatchAnswer<Answer>[]>
>;

/** Runs a batch on a connection to a server: calls `listener`, and resolves when all is answered. */
export type PostgresRunner<Operation, Answer> = (
  operations: readonly Operation[],
  listener: BatchListener<Answer>,
) => Promise<void>;

export type BatchListener<Answer> = Readonly<{
  answers: (answers: readonly BatchAnswer<Answer>[]) => void;
  /** The next batch may be sent, though some of this one may not be answered yet. */
  ready: () => void;
}>;

/**
 * A connection whose commits are asynchronous. Queries are pipelined: each is sent at once, without
 * waiting for earlier answers, and they run in that order. After one fails, the rest of its
 * transaction fails too.
 */
export interface BatchConnection {
  query<Row extends object>(query: BatchQuery): Promise<readonly Row[]>;
  /** Resolves once all that has committed here until now is on disk (MONEY 23). */
  durable(): Promise<void>;
}

/** `name`: the server keeps the prepared statement under it. */
export type BatchQuery = Readonly<{ name: string; text: string; values?: readonly unknown[] }>;

/** The operation's index in the batch, and its answer. */
export type BatchAnswer<Answer> = readonly [index: number, answer: Answer];

/**
 * The exports of a registry module. A thread of the store finds procedures and batch executors in
 * them by name; other exports are ignored.
 */
export type Registry = Readonly<Record<string, unknown>>;
