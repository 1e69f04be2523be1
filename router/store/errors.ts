/** How a store fails. */

/** The store did not answer: nothing is known of what was asked (MONEY 10, 14). */
export class StoreUnavailable extends Error {
  override name = 'StoreUnavailable';
}

/** Another process has the store open for writing. */
export class StoreLocked extends Error {
  override name = 'StoreLocked';
}

/** The store's tables are those of another version: exit status 2, and the message is all that is shown. */
export class StoreMismatched extends Error {
  override name = 'StoreMismatched';
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
