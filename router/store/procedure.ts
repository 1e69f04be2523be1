/**
 * How anything reads or writes the store. A procedure's function runs where the connection is (on SQLite a
 * thread of its own), so it is found there by its name, and what goes in and comes out is cloned.
 */
import type { Database } from 'better-sqlite3';
import type { Kysely } from 'kysely';
import type { OrganizationId } from '../../shared/ids.ts';
import type { Schema } from './schema.ts';

export type Db = Kysely<Schema>;

/**
 * One transaction. `run` awaits nothing but `db`, reads no clock and draws no chance (ids and instants come
 * in with the input), and lets a failed statement fail the whole: PostgreSQL would not go on after one.
 */
export type Procedure<Input, Output> = Readonly<{
  name: string;
  access: 'read' | 'write';
  /**
   * It adds up or carries so much that whoever shares its thread would feel it: it runs on one for such
   * procedures, which is started with the first (on SQLite a write is always the writer's).
   */
  heavy?: true;
  run: (db: Db, input: Input) => Promise<Output>;
  /**
   * The organization that this changes for requests under way and keys in caches: every router is told once
   * it has committed, so that it looks again at once instead of soon (MONEY 11).
   */
  announces?: (input: Input) => OrganizationId;
}>;

/**
 * A hot path beside the procedures: many operations in one message, run with prepared statements on a
 * connection that nothing else uses. It opens and commits its own transactions.
 */
export type Lane<Operation, Answer> = Readonly<{
  name: string;
  /** Called with each new connection; prepares the statements. */
  openSqlite: (database: Database) => SqliteRunner<Operation, Answer>;
  openPostgres: (connection: LaneConnection) => PostgresRunner<Operation, Answer>;
}>;

/**
 * Yields the answers of each transaction once that has committed. An operation's own failure is an answer of
 * its own; what is thrown fails all that has not been answered.
 */
export type SqliteRunner<Operation, Answer> = (
  operations: readonly Operation[],
) => Iterable<readonly LaneAnswer<Answer>[]>;

/** The same, where the connection is to a server: it tells `hear`, and resolves when all is answered. */
export type PostgresRunner<Operation, Answer> = (
  operations: readonly Operation[],
  hear: LaneListener<Answer>,
) => Promise<void>;

export type LaneListener<Answer> = Readonly<{
  answers: (answers: readonly LaneAnswer<Answer>[]) => void;
  /** The next batch may come, though some of this one may not be answered yet. */
  ready: () => void;
}>;

/**
 * A connection whose commits are asynchronous. Queries are sent as they are asked, without waiting for the
 * answers before, and run in that order; after one that fails the rest of its transaction fails, too.
 */
export interface LaneConnection {
  query<Row extends object>(query: LaneQuery): Promise<readonly Row[]>;
  /** Resolves once all that has committed here until now is on disk (MONEY 23). */
  durable(): Promise<void>;
}

/** `name`: under which the server keeps the statement prepared. */
export type LaneQuery = Readonly<{ name: string; text: string; values?: readonly unknown[] }>;

/** The operation's index in the batch, and its answer. */
export type LaneAnswer<Answer> = readonly [index: number, answer: Answer];

/** What a registry module exports, for the store to find by name: a literal of every room's procedures. */
export type Registry = Readonly<{
  procedures: readonly Procedure<never, unknown>[];
  lanes: readonly Lane<never, unknown>[];
}>;
