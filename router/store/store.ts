/** The store as the rest of the router sees it, whichever database is behind it. */
import type { Clock } from '../../shared/clock.ts';
import type { Log } from '../../shared/log.ts';
import type { Lane, LaneAnswer, Procedure } from './procedure.ts';
import { openSqlite, openSqliteReadOnly } from './sqlite/open.ts';

export interface StoreReader extends AsyncDisposable {
  /**
   * Runs a procedure in a transaction of its own. Rejects with StoreUnavailable when the store cannot say
   * whether it ran, and otherwise with what the procedure threw, nothing of it having been applied.
   */
  call<Input, Output>(procedure: Procedure<Input, Output>, input: Input): Promise<Output>;
}

/** `commitMs`: how long the batch took where the connection is, commits included. */
export type BatchFigures = Readonly<{ commitMs: number }>;

export interface Store extends StoreReader {
  /**
   * Runs operations on a lane. `onAnswers` hears each transaction's answers as it commits; when this
   * rejects (with StoreUnavailable), nothing is known of those not yet answered.
   */
  runLane<Operation, Answer>(
    lane: Lane<Operation, Answer>,
    operations: readonly Operation[],
    onAnswers: (answers: readonly LaneAnswer<Answer>[]) => void,
  ): Promise<BatchFigures>;
}

export type StoreConfig = Readonly<{
  /** `sqlite:PATH`. */
  url: string;
  /** The module that exports the `Registry`, as a file URL: the store's threads import it. */
  registry: URL;
}>;

export type StoreParts = Readonly<{ clock: Clock; log: Log }>;

/** Opens the store for writing, alone, and brings its tables up to date. Disposing flushes and closes it. */
export function openStore(config: StoreConfig, parts: StoreParts): Promise<Store> {
  return openSqlite({ file: sqliteFile(config.url), registry: config.registry }, parts);
}

/** Opens it for reading only, also beside a router that is running on it. */
export function openStoreReadOnly(config: StoreConfig, parts: StoreParts): Promise<StoreReader> {
  return openSqliteReadOnly({ file: sqliteFile(config.url), registry: config.registry }, parts);
}

function sqliteFile(url: string): string {
  const file = /^sqlite:(.+)$/.exec(url)?.[1];
  if (file === undefined || file.startsWith(':')) {
    throw new Error(`store url ${JSON.stringify(url)}: expected sqlite:PATH`);
  }
  return file;
}
