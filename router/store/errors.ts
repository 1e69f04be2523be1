/** The errors of the store. */

/** The store did not answer: the outcome of the call is unknown (MONEY 10, 14). */
export class StoreUnavailable extends Error {
  override name = 'StoreUnavailable';
}

/**
 * This connection can no longer be used, though the server may be well: its prepared statements or
 * the tables have changed. It is closed, the outcome of the call is unknown, and the caller retries
 * on another connection.
 */
export class ConnectionUnfit extends StoreUnavailable {
  override name = 'ConnectionUnfit';
}

/**
 * What was committed may not be on disk. Later syncs can succeed although it is lost, so the log must
 * be started over before it is used again.
 */
export class LogNotSynced extends StoreUnavailable {
  override name = 'LogNotSynced';
}

/** Another process has the store open for writing. */
export class StoreLocked extends Error {
  override name = 'StoreLocked';
}

/**
 * The store's tables are of another version. A command prints only the message and exits with 2.
 */
export class StoreMismatched extends Error {
  override name = 'StoreMismatched';
}

/** The store lacks data that a router wrote: an older copy was put in its place. */
export class StoreIncomplete extends Error {
  override name = 'StoreIncomplete';
}

/** A procedure violated a constraint of the schema, such as a unique key: nothing was applied. */
export class ConstraintViolated extends Error {
  override name = 'ConstraintViolated';
  readonly kind: 'unique' | 'other';

  constructor(message: string, kind: 'unique' | 'other') {
    super(message);
    this.kind = kind;
  }
}
