/**
 * Classifies errors of PostgreSQL and of the connection to it: the call itself is wrong, the store
 * is unavailable, or this connection can no longer be used.
 */
import pg from 'pg';
import { ConnectionUnfit, ConstraintViolated, StoreUnavailable } from '../errors.ts';

/**
 * SQLSTATE classes by which the server reports that it could not run a statement or keep its
 * result: connection, transaction state and conflicts, resources (a full disk), intervention
 * (shutdown, timeout), I/O, damage.
 */
const UNAVAILABLE = /^(08|25|40|53|55|57|58|XX)/;
/** The same for the connection: a prepared statement is gone, or its result has changed. */
const UNFIT = /^(0A|26|34)/;
/** Data that does not fit its column, or violates a constraint. */
const OF_THE_DATA = /^(22|23)/;
const UNIQUE = '23505';

/** Converts an error of a query or a connection to the store's own errors. */
export function failureOf(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(String(error));
  if (error instanceof StoreUnavailable) return error;
  if (!(error instanceof pg.DatabaseError) || error.code === undefined) {
    // The driver reports connections that were refused, reset or ended as plain errors.
    return new StoreUnavailable(error.message, { cause: error });
  }
  const message = `${error.message} (${error.code})`;
  if (UNAVAILABLE.test(error.code)) return new StoreUnavailable(message, { cause: error });
  if (UNFIT.test(error.code)) return new ConnectionUnfit(message, { cause: error });
  if (error.code.startsWith('23')) {
    return new ConstraintViolated(message, error.code === UNIQUE ? 'unique' : 'other');
  }
  return new Error(message, { cause: error });
}

/**
 * The same for a batch, whose statements never change. If the error is not about the data, it is
 * about something that all the statements rely on, and every batch would fail in the same way.
 */
export function batchFailureOf(error: unknown): Error {
  const failure = failureOf(error);
  if (failure instanceof StoreUnavailable || !(error instanceof pg.DatabaseError)) return failure;
  if (OF_THE_DATA.test(error.code ?? '')) return failure;
  return new ConnectionUnfit(failure.message, { cause: error });
}
