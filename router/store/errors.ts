/** How a store fails. */

/** The store did not answer: nothing is known of what was asked (MONEY 10, 14). */
export class StoreUnavailable extends Error {
  override name = 'StoreUnavailable';
}

/** Another process has the store open for writing. */
export class StoreLocked extends Error {
  override name = 'StoreLocked';
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
