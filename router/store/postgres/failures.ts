/**
 * What an error of PostgreSQL, or of the way to it, says: that what was asked is at fault, that the store is out of
 * reach, or that this connection is no longer fit.
 */
import pg from 'pg';
import { ConnectionUnfit, ConstraintViolated, StoreUnavailable } from '../errors.ts';

/**
 * SQLSTATE classes by which the server says that it could not do or keep what it was asked: connection,
 * transaction state and conflicts, resources (a full disk), intervention (shut down, timed out), I/O, damage.
 */
const UNAVAILABLE = /^(08|25|40|53|55|57|58|XX)/;
/** Likewise of the connection: a prepared statement whose result has changed, or that is not there any more. */
const UNFIT = /^(0A|26|34)/;
/** What data does that does not fit its column, or breaks a rule of the schema. */
const OF_THE_DATA = /^(22|23)/;
const UNIQUE = '23505';

/** The error in the store's own terms; what is not the server's or the network's comes back as it is. */
export function failureOf(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(String(error));
  if (error instanceof StoreUnavailable) return error;
  if (!(error instanceof pg.DatabaseError) || error.code === undefined) {
    // The driver's own errors are plain ones: a connection that was refused, reset or ended.
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
 * The same of a lane, whose statements are always the same few: where it is not the data that the server objects to,
 * it is what the statements rest on, and every batch would fail in the same way.
 */
export function laneFailureOf(error: unknown): Error {
  const failure = failureOf(error);
  if (failure instanceof StoreUnavailable || !(error instanceof pg.DatabaseError)) return failure;
  if (OF_THE_DATA.test(error.code ?? '')) return failure;
  return new ConnectionUnfit(failure.message, { cause: error });
}
