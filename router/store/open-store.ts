/** Opens a store by its URL, on SQLite or PostgreSQL. */
import { openSqlite, openSqliteReadOnly } from './sqlite/open.ts';
import { sqliteFile } from './store-url.ts';
import type { Store, StoreConfig, StoreParts, StoreReader } from './store.ts';

/** Opens the store for writing and migrates its tables. Disposing of it flushes and closes it. */
export async function openStore({ url, registry }: StoreConfig, parts: StoreParts): Promise<Store> {
  const file = sqliteFile(url);
  if (file !== null) return await openSqlite({ file, registry }, parts);
  const { openPostgres } = await import('./postgres/open.ts');
  return await openPostgres({ url, registry }, parts);
}

/**
 * Waits up to a minute for the server of a store on PostgreSQL, or until `signal` aborts. Throws
 * StoreUnavailable when it cannot be reached.
 */
export async function awaitStore(
  url: string,
  parts: StoreParts & Readonly<{ signal: AbortSignal }>,
): Promise<void> {
  if (sqliteFile(url) !== null) return;
  const { awaitServer } = await import('./postgres/await-server.ts');
  await awaitServer(url, parts);
}

/** Opens the store for reading only; routers may be running on it. */
export async function openStoreReadOnly(
  { url, registry }: StoreConfig,
  parts: StoreParts,
): Promise<StoreReader> {
  const file = sqliteFile(url);
  if (file !== null) return await openSqliteReadOnly({ file, registry }, parts);
  const { openPostgresReadOnly } = await import('./postgres/open.ts');
  return await openPostgresReadOnly(url, parts);
}
