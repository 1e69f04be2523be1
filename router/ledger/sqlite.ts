/**
 * HOT PATH: the ledger's batches on SQLite, run in the store's writing thread. A batch is two transactions
 * (MONEY 25): first what needs atomicity but no durability, then settlements and voids, synced to disk. The
 * second sync covers the first transaction too, since both stand in one log.
 */
import type { Database } from 'better-sqlite3';
import { unreachable } from '../../shared/unreachable.ts';
import type { Lane, LaneAnswer } from '../store/procedure.ts';
import { isUnavailable } from '../store/sqlite/failures.ts';
import type { Operation, Outcome } from './operations.ts';
import { beat, enlist, findKey, free, sweep } from './sqlite/beats.ts';
import { settle, voidRequest } from './sqlite/endings.ts';
import { extend, reserve } from './sqlite/holds.ts';
import { prepareStatements, type Statements } from './sqlite/statements.ts';

export const ledgerLane: Lane<Operation, Outcome> = {
  name: 'ledger',
  openSqlite(database) {
    const batches = new Batches(database);
    return (operations) => batches.run(operations);
  },
};

type Indexed = readonly [index: number, operation: Operation];

class Batches {
  readonly #database: Database;
  readonly #at: Statements;

  constructor(database: Database) {
    this.#database = database;
    this.#at = prepareStatements(database);
  }

  *run(operations: readonly Operation[]): Generator<readonly LaneAnswer<Outcome>[]> {
    const soft: Indexed[] = [];
    const durable: Indexed[] = [];
    for (const [index, operation] of operations.entries()) {
      (isDurable(operation) ? durable : soft).push([index, operation]);
    }
    if (soft.length > 0) yield this.#commit(soft, 'NORMAL');
    if (durable.length > 0) yield this.#commit(durable, 'FULL');
  }

  /** Throws, with nothing applied, when the store fails. */
  #commit(operations: readonly Indexed[], synchronous: 'NORMAL' | 'FULL'): LaneAnswer<Outcome>[] {
    // It cannot be changed within a transaction.
    this.#database.pragma(`synchronous = ${synchronous}`);
    try {
      return this.#transact(operations, (operation) => execute(this.#at, operation));
    } catch (error) {
      if (isUnavailable(error)) throw error;
      // One operation failed and took the transaction with it: again, each behind a savepoint of its own.
      return this.#transact(operations, (operation) => this.#executeAlone(operation));
    }
  }

  #transact(
    operations: readonly Indexed[],
    run: (operation: Operation) => Outcome,
  ): LaneAnswer<Outcome>[] {
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      const answers = operations.map(([index, operation]) => [index, run(operation)] as const);
      this.#database.exec('COMMIT');
      return answers;
    } catch (error) {
      if (this.#database.inTransaction) this.#database.exec('ROLLBACK');
      throw error;
    }
  }

  #executeAlone(operation: Operation): Outcome {
    this.#database.exec('SAVEPOINT operation');
    try {
      const outcome = execute(this.#at, operation);
      this.#database.exec('RELEASE operation');
      return outcome;
    } catch (error) {
      if (isUnavailable(error)) throw error;
      this.#database.exec('ROLLBACK TO operation');
      this.#database.exec('RELEASE operation');
      return { fault: error instanceof Error ? error.message : String(error) };
    }
  }
}

function isDurable({ kind }: Operation): boolean {
  return kind === 'settle' || kind === 'void';
}

function execute(at: Statements, operation: Operation): Outcome {
  switch (operation.kind) {
    case 'reserve':
      return { answer: reserve(at, operation) };
    case 'extend':
      return { answer: extend(at, operation) };
    case 'settle':
      return settle(at, operation);
    case 'void':
      return { answer: voidRequest(at, operation) };
    case 'findKey':
      return { answer: findKey(at, operation) };
    case 'enlist':
      return { answer: enlist(at, operation) };
    case 'beat':
      return { answer: beat(at, operation) };
    case 'free':
      return { answer: free(at, operation) };
    case 'sweep':
      return { answer: sweep(at, operation) };
    default:
      return unreachable(operation);
  }
}
