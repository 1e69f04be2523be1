/** How a store fails. */

/** The store did not answer: nothing is known of what was asked (MONEY 10, 14). */
export class StoreUnavailable extends Error {
  override name = 'StoreUnavailable';
}

/**
 * The connection is not fit for what it is asked any more, though the server may be well: what it has prepared, or
 * what stands in the tables, is no longer what it was. It is given up, nothing is known of what was asked of it,
 * and who asked does so again, on another one.
 */
export class ConnectionUnfit extends StoreUnavailable {
  override name = 'ConnectionUnfit';
}

/** Another process has the store open for writing. */
export class StoreLocked extends Error {
  override name = 'StoreLocked';
}

/** The store's tables are those of another version: exit status 2, and the message is all that is shown. */
export class StoreMismatched extends Error {
  override name = 'StoreMismatched';
}

/** The store is not all of what a router wrote: an older copy was put in its place. */
export class StoreIncomplete extends Error {
  override name = 'StoreIncomplete';
}

/** A procedure wrote what the schema forbids (a second row under a unique key, say): nothing was applied. */
export class ConstraintViolated extends Error {
  override name = 'ConstraintViolated';
  readonly kind: 'unique' | 'other';

  constructor(message: string, kind: 'unique' | 'other') {
    super(message);
    this.kind = kind;
  }
}
