/** The store's interface, whichever database is behind it. */
import type { Clock } from '../../shared/clock.ts';
import type { Log } from '../../shared/log.ts';
import type { OrganizationId } from '../../shared/ids.ts';
import type { Lane, LaneListener, Procedure } from './procedure.ts';
import { openSqlite, openSqliteReadOnly } from './sqlite/open.ts';

export interface StoreReader extends AsyncDisposable {
  /**
   * Runs a procedure in a transaction of its own. Rejects with StoreUnavailable when the store
   * cannot tell whether it ran. Otherwise rejects with what the procedure threw, and nothing was
   * applied.
   */
  call<Input, Output>(procedure: Procedure<Input, Output>, input: Input): Promise<Output>;
}

/** `commitMs`: how long the batch took at the connection, commits included. */
export type BatchFigures = Readonly<{ commitMs: number }>;

export interface Store extends StoreReader {
  /**
   * Runs operations on a lane. `hear` gets the answers of each transaction as it commits, and is
   * told when the next batch may come. Rejects with StoreUnavailable: nothing is then known of
   * operations that were not answered.
   */
  runLane<Operation, Answer>(
    lane: Lane<Operation, Answer>,
    operations: readonly Operation[],
    hear: LaneListener<Answer>,
  ): Promise<BatchFigures>;
  /**
   * Calls `hear` with each organization that a procedure announced, here or on another router;
   * null: announcements may have been missed.
   */
  onAnnouncement(hear: (organization: OrganizationId | null) => void): void;
}

export type StoreConfig = Readonly<{
  /** `sqlite:PATH`, or `postgres://…` in the form that libpq and `pg` take. */
  url: string;
  /** The module that exports the `Registry`, as a file URL: the store's threads import it. */
  registry: URL;
}>;

export type StoreParts = Readonly<{ clock: Clock; log: Log }>;

export const STORE_URL = /^(?:sqlite:(?!:).+|postgres(?:ql)?:\/\/.+)$/;
export const STORE_URL_FAULT = 'is sqlite:PATH or postgres://…';

/** Opens the store for writing and brings its tables up to date. Disposing flushes and closes it. */
export async function openStore({ url, registry }: StoreConfig, parts: StoreParts): Promise<Store> {
  const file = sqliteFile(url);
  if (file !== null) return await openSqlite({ file, registry }, parts);
  const { openPostgres } = await import('./postgres/open.ts');
  return await openPostgres({ url, registry }, parts);
}

/** Opens the store for reading only; routers may be running on it. */
export async function openStoreReadOnly(
  { url, registry }: StoreConfig,
  parts: StoreParts,
): Promise<StoreReader> {
  const file = sqliteFile(url);
  if (file !== null) return await openSqliteReadOnly({ file, registry }, parts);
  const { openPostgresReadOnly } = await import('./postgres/open.ts');
  return await openPostgresReadOnly(url);
}

/** Returns the file of a store on SQLite; null: it is on PostgreSQL. Throws if `url` is neither. */
export function sqliteFile(url: string): string | null {
  // The message leaves the URL out, since it may contain a password.
  if (!STORE_URL.test(url)) throw new Error(`the store's URL ${STORE_URL_FAULT}`);
  return /^sqlite:(.+)$/.exec(url)?.[1] ?? null;
}
