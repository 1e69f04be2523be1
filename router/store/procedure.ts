/**
 * How anything reads or writes the store. A procedure's function runs where the connection is (on SQLite a
 * thread of its own), so it is found there by its name, and what goes in and comes out is cloned.
 */
import type { Database } from 'better-sqlite3';
import type { Kysely } from 'kysely';
import type { Schema } from './schema.ts';

export type Db = Kysely<Schema>;

/**
 * One transaction. `run` awaits nothing but `db`, reads no clock and draws no chance (ids and instants come
 * in with the input), and lets a failed statement fail the whole: PostgreSQL would not go on after one.
 */
export type Procedure<Input, Output> = Readonly<{
  name: string;
  access: 'read' | 'write';
  run: (db: Db, input: Input) => Promise<Output>;
}>;

/**
 * A hot path beside the procedures: many operations in one message, run with prepared statements on the
 * writing connection. It opens and commits its own transactions.
 */
export type Lane<Operation, Answer> = Readonly<{
  name: string;
  /** Called with each new connection; prepares the statements. */
  openSqlite: (database: Database) => LaneRunner<Operation, Answer>;
}>;

/**
 * Yields the answers of each transaction once that has committed. An operation's own failure is an answer of
 * its own; what is thrown fails all that has not been answered.
 */
export type LaneRunner<Operation, Answer> = (
  operations: readonly Operation[],
) => Iterable<readonly LaneAnswer<Answer>[]>;

/** The operation's index in the batch, and its answer. */
export type LaneAnswer<Answer> = readonly [index: number, answer: Answer];

/** What a registry module exports, for the store to find by name: a literal of every room's procedures. */
export type Registry = Readonly<{
  procedures: readonly Procedure<never, unknown>[];
  lanes: readonly Lane<never, unknown>[];
}>;
