/**
 * HOT PATH: the ledger's batches on PostgreSQL. All operations of a batch that move money
 * (bookings) run in one transaction of two round trips. The first locks and reads all rows that
 * they need, accounts first and in the order of their ids (MONEY 22). Then the rules run, and the
 * second writes the changes and commits. Operations that need durability then wait for the barrier
 * (MONEY 23), while the next batch begins.
 */
import { StoreUnavailable } from '../../store/errors.ts';
import type { BatchConnection, BatchListener } from '../../store/procedure.ts';
import type { Operation, Outcome } from '../operations.ts';
import { apply, type Booking, isBooking, isDurable } from '../rules/apply.ts';
import { UnitOfWork } from '../unit-of-work.ts';
import type { Answers, Indexed } from './indexed.ts';
import { runAlone } from './liveness.ts';
import { readRows, type KnownPrices } from './reads.ts';
import { writeChanges } from './writes.ts';

export class PostgresBatches {
  readonly #connection: BatchConnection;
  /** Prices never change, so a price is read only once. */
  readonly #prices: KnownPrices = new Map();

  constructor(connection: BatchConnection) {
    this.#connection = connection;
  }

  async run(operations: readonly Operation[], listener: BatchListener<Outcome>): Promise<void> {
    const soft: Indexed<Booking>[] = [];
    const durable: Indexed<Booking>[] = [];
    const alone: Indexed<Exclude<Operation, Booking>>[] = [];
    for (const [index, operation] of operations.entries()) {
      if (!isBooking(operation)) alone.push([index, operation]);
      else (isDurable(operation) ? durable : soft).push([index, operation]);
    }
    if (alone.length > 0) listener.answers(await runAlone(this.#connection, alone));
    const bookings = [...soft, ...durable];
    if (bookings.length > 0) {
      const outcomes = await this.#book(bookings.map(([, booking]) => booking));
      const answers: Answers = bookings.map(([index], at) => [index, outcomes[at] as Outcome]);
      listener.answers(answers.splice(0, soft.length));
      listener.ready();
      if (durable.length === 0) return;
      await this.#connection.durable();
      listener.answers(answers);
    }
  }

  /** Throws when the store or the connection fails: the result of the bookings is then unknown. */
  async #book(bookings: readonly Booking[]): Promise<Outcome[]> {
    try {
      return await this.#transact(bookings);
    } catch (error) {
      if (error instanceof StoreUnavailable) throw error;
      if (bookings.length <= 1) {
        return [{ fault: error instanceof Error ? error.message : String(error) }];
      }
      // One booking conflicts with the stored data, and all were rolled back: retry in halves, in
      // order.
      const middle = bookings.length >> 1;
      const first = await this.#book(bookings.slice(0, middle));
      return [...first, ...(await this.#book(bookings.slice(middle)))];
    }
  }

  async #transact(bookings: readonly Booking[]): Promise<Outcome[]> {
    const connection = this.#connection;
    try {
      // Not awaited by itself: the reads follow in the same round trip.
      const begun = connection.query({ name: 'begin', text: 'BEGIN' });
      const [, source] = await Promise.all([begun, readRows(connection, bookings, this.#prices)]);
      const work = new UnitOfWork(source);
      const outcomes = bookings.map((booking) => apply(work, booking));
      const written = writeChanges(connection, work.changes());
      const committed = connection.query({ name: 'commit', text: 'COMMIT' });
      await Promise.all([written, committed]);
      return outcomes;
    } catch (error) {
      // After StoreUnavailable the connection is closed, and its transaction ends with it.
      if (!(error instanceof StoreUnavailable))
        await connection.query({ name: 'rollback', text: 'ROLLBACK' });
      throw error;
    }
  }
}
