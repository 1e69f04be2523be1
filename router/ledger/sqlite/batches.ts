/**
 * HOT PATH: the ledger's batches on SQLite, run on the store's writer thread. A batch is two
 * transactions (MONEY 25): first the operations that need atomicity but no durability, then
 * settlements and voids, synced to disk. The second sync covers the first transaction too, since
 * both are in the same write-ahead log.
 */
import type { Database } from 'better-sqlite3';
import type { BatchAnswer } from '../../store/procedure.ts';
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
  readonly #at: Statements;

  constructor(database: Database) {
    this.#database = database;
    this.#at = prepareStatements(database);
  }

  *run(operations: readonly Operation[]): Generator<Answers, Answers> {
    const soft: Indexed[] = [];
    const durable: Indexed[] = [];
    for (const [index, operation] of operations.entries()) {
      (isDurable(operation) ? durable : soft).push([index, operation]);
    }
    if (durable.length === 0) return this.#commit(soft, 'NORMAL');
    if (soft.length > 0) yield this.#commit(soft, 'NORMAL');
    return this.#commit(durable, 'FULL');
  }

  /** Throws when the store fails: the result of unanswered operations is unknown. */
  #commit(operations: readonly Indexed[], synchronous: 'NORMAL' | 'FULL'): Answers {
    // `synchronous` cannot be changed within a transaction.
    this.#database.pragma(`synchronous = ${synchronous}`);
    try {
      return this.#transact(operations);
    } catch (error) {
      if (!isOfTheData(error)) throw error;
      return this.#split(operations, error, synchronous);
    }
  }

  /**
   * One operation conflicts with the stored data, and all were rolled back: retries in halves, in
   * order.
   */
  #split(operations: readonly Indexed[], error: unknown, synchronous: 'NORMAL' | 'FULL'): Answers {
    const [one] = operations;
    if (one && operations.length === 1) {
      return [[one[0], { fault: error instanceof Error ? error.message : String(error) }]];
    }
    const middle = operations.length >> 1;
    const halves = [operations.slice(0, middle), operations.slice(middle)];
    return halves.flatMap((half) => this.#commit(half, synchronous));
  }

  #transact(operations: readonly Indexed[]): Answers {
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      const answers = this.#execute(operations);
      this.#database.exec('COMMIT');
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
