/** The URL of a store, which names its database. */
import { z } from 'zod';

const FORMAT = /^(?:sqlite:(?!:).+|postgres(?:ql)?:\/\/.+)$/;
const FAULT = 'must be sqlite:PATH or postgres://…';

export const StoreUrl = z.string().regex(FORMAT, FAULT);

/** Returns the file of a store on SQLite; null: it is on PostgreSQL. Throws if `url` is neither. */
export function sqliteFile(url: string): string | null {
  // The message leaves the URL out, since it may contain a password.
  if (!FORMAT.test(url)) throw new Error(`the store's URL ${FAULT}`);
  return /^sqlite:(.+)$/.exec(url)?.[1] ?? null;
}
