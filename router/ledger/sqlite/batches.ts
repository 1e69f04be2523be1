/**
 * HOT PATH: the ledger's batches on SQLite, run on the store's writer thread. All operations of a
 * batch run in one transaction. Once it has committed, those that need no durability are answered;
 * settlements and voids wait until the log is synced to disk (MONEY 25).
 */
import type { Database, Statement } from 'better-sqlite3';
import type { BatchAnswer, SqliteAnswers } from '../../store/procedure.ts';
import { isOfTheData } from '../../store/sqlite/failures.ts';
import type { Operation, Outcome } from '../operations.ts';
import { apply, isBooking, isDurable } from '../rules/apply.ts';
import { UnitOfWork } from '../unit-of-work.ts';
import { runAlone } from './liveness.ts';
import { prepareStatements, sourceOf, type Statements, write } from './statements.ts';

type Indexed = readonly [index: number, operation: Operation];
type Answers = BatchAnswer<Outcome>[];

export class SqliteBatches {
  readonly #database: Database;
  readonly #begin: Statement;
  readonly #commit: Statement;
  readonly #at: Statements;

  constructor(database: Database) {
    this.#database = database;
    this.#begin = database.prepare('BEGIN IMMEDIATE');
    this.#commit = database.prepare('COMMIT');
    this.#at = prepareStatements(database);
  }

  /** Throws when the store fails: the result of all operations is unknown. */
  run(operations: readonly Operation[]): SqliteAnswers<Outcome> {
    const soft: Indexed[] = [];
    const durable: Indexed[] = [];
    for (const [index, operation] of operations.entries()) {
      (isDurable(operation) ? durable : soft).push([index, operation]);
    }
    const atOnce = this.#book([...soft, ...durable]);
    const onceDurable = atOnce.splice(soft.length);
    return { atOnce, onceDurable };
  }

  /** Returns the answers of soft operations before those of durable ones, as the operations are. */
  #book(operations: readonly Indexed[]): Answers {
    try {
      return this.#transact(operations);
    } catch (error) {
      if (!isOfTheData(error)) throw error;
      return this.#split(operations, error);
    }
  }

  /**
   * One operation conflicts with the stored data, and all were rolled back: retries in halves, in
   * order.
   */
  #split(operations: readonly Indexed[], error: unknown): Answers {
    const [one] = operations;
    if (one && operations.length === 1) {
      return [[one[0], { fault: error instanceof Error ? error.message : String(error) }]];
    }
    const middle = operations.length >> 1;
    const halves = [operations.slice(0, middle), operations.slice(middle)];
    return halves.flatMap((half) => this.#book(half));
  }

  #transact(operations: readonly Indexed[]): Answers {
    this.#begin.run();
    try {
      const answers = this.#execute(operations);
      this.#commit.run();
      return answers;
    } catch (error) {
      if (this.#database.inTransaction) this.#database.exec('ROLLBACK');
      throw error;
    }
  }

  /**
   * Operations that are not bookings run first, because their statements do not see the unit of
   * work.
   */
  #execute(operations: readonly Indexed[]): Answers {
    const work = new UnitOfWork(sourceOf(this.#at));
    const answers: Answers = [];
    for (const [index, operation] of operations) {
      if (!isBooking(operation)) answers.push([index, runAlone(this.#at, operation)]);
    }
    for (const [index, operation] of operations) {
      if (isBooking(operation)) answers.push([index, apply(work, operation)]);
    }
    write(this.#at, work.changes());
    return answers;
  }
}
