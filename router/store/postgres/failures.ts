/** Which errors of PostgreSQL, or of the way to it, mean that the store is out of reach. */
import pg from 'pg';
import { ConstraintViolated, StoreUnavailable } from '../errors.ts';

/**
 * SQLSTATE classes by which the server says that it could not do or keep what it was asked: connection,
 * transaction state and conflicts, resources (a full disk), intervention (shut down, timed out), I/O, damage.
 */
const UNAVAILABLE = /^(08|25|40|53|55|57|58|XX)/;
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
  if (error.code.startsWith('23')) {
    return new ConstraintViolated(message, error.code === UNIQUE ? 'unique' : 'other');
  }
  return new Error(message, { cause: error });
}
