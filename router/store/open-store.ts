/** Opens a store by its URL, on SQLite or PostgreSQL. */
import { openSqlite, openSqliteReadOnly } from './sqlite/open.ts';
import type { Store, StoreConfig, StoreParts, StoreReader } from './store.ts';

export const STORE_URL = /^(?:sqlite:(?!:).+|postgres(?:ql)?:\/\/.+)$/;
export const STORE_URL_FAULT = 'must be sqlite:PATH or postgres://…';

/** Opens the store for writing and migrates its tables. Disposing of it flushes and closes it. */
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
