/** The store's interface, whichever database is behind it. */
import type { Clock } from '../../shared/clock.ts';
import type { OrganizationId } from '../../shared/ids.ts';
import type { Log } from '../../shared/log.ts';
import type { BatchExecutor, BatchListener, Procedure } from './procedure.ts';

export interface StoreReader extends AsyncDisposable {
  /**
   * Runs a procedure in a transaction of its own. Rejects with StoreUnavailable when it is unknown
   * whether the procedure ran. Otherwise rejects with what the procedure threw, and nothing was
   * applied.
   */
  call<Input, Output>(procedure: Procedure<Input, Output>, input: Input): Promise<Output>;
}

/** `commitMs`: how long the batch took at the connection, commits included. */
export type BatchFigures = Readonly<{ commitMs: number }>;

/** The connections of a store to its server, at the moment. */
export type PoolFigures = Readonly<{ idle: number; used: number; most: number; waiting: number }>;

export interface Store extends StoreReader {
  /** Only of a store on a server. `waiting`: the procedures that wait for a connection. */
  readonly pool?: PoolFigures;
  /**
   * Runs a batch of operations. `listener` gets the answers of each transaction as it commits, and
   * is notified when the next batch may be sent. Rejects with StoreUnavailable: the results of
   * operations that were not answered are then unknown.
   */
  runBatch<Operation, Answer>(
    executor: BatchExecutor<Operation, Answer>,
    operations: readonly Operation[],
    listener: BatchListener<Answer>,
  ): Promise<BatchFigures>;
  /**
   * Calls `listener` with each organization that a procedure invalidated, on this router or
   * another; null: announcements may have been missed.
   */
  onAnnouncement(listener: (organization: OrganizationId | null) => void): void;
}

export type StoreConfig = Readonly<{
  /** `sqlite:PATH`, or `postgres://…` in the format that libpq and `pg` take. */
  url: string;
  /** The module that exports the `Registry`, as a file URL: the store's threads import it. */
  registry: URL;
}>;

export type StoreParts = Readonly<{ clock: Clock; log: Log }>;
