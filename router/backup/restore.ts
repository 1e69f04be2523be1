/** `penstock restore`: puts a backup in the place of a store on SQLite, while no router runs on it. */
import { mkdirSync, realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import { ConfigError } from '../config-error.ts';
import { lockFile } from '../store/sqlite/lock.ts';
import { isAnythingAt, lastKnownTransfer, putInPlace } from '../store/sqlite/replace.ts';
import type { Snapshot } from '../store/sqlite/snapshot.ts';
import { type CopyOrder, type CopyParts, copyVerified, removeCopy } from './verified-copy.ts';

/** `transfers`: the last transfer that it is known to have had; null: it could not be read. */
export type Replaced = Readonly<{ file: string; transfers: bigint | null }>;
export type Restored = Snapshot & Readonly<{ replaced: Replaced | null }>;

/**
 * Puts a copy of the backup `from` in the place of the store `file`. With `replace`, a store that is
 * there is kept under another name. Rejects with StoreLocked while a router runs on the store, with
 * ConfigError when there is a store and `replace` is false, and otherwise as `copyVerified` does.
 */
export async function restore(
  order: CopyOrder & Readonly<{ replace: boolean }>,
  file: string,
  parts: CopyParts,
): Promise<Restored> {
  const exists = isAnythingAt(file);
  if (exists && !order.replace) {
    throw new ConfigError(
      `${file} exists already: --replace puts the backup in its place, and keeps it under another name`,
    );
  }
  if (isSame(order.from, file)) throw new ConfigError(`${file} is the backup itself`);
  using undo = new DisposableStack();
  undo.use(lock(file));
  const { copy, ...snapshot } = await copyVerified(order, file, parts);
  try {
    const transfers = exists ? lastKnownTransfer(file) : null;
    const aside = `${file}.replaced-${timestamp(parts.clock.now())}`;
    putInPlace(copy, { file, aside, transfers: snapshot.transfers });
    return { ...snapshot, replaced: exists ? { file: aside, transfers } : null };
  } catch (error) {
    removeCopy(copy);
    throw error;
  }
}

function isSame(one: string, other: string): boolean {
  try {
    return realpathSync(one) === realpathSync(other);
  } catch {
    return false;
  }
}

function lock(file: string): Disposable {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    return lockFile(file);
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    throw new ConfigError(`${file} cannot be written: ${error.message.split(',')[0]}`);
  }
}

/** An instant as it is written in names of files: 20260131T235959.999Z. */
function timestamp(ms: number): string {
  return new Date(ms).toISOString().replaceAll(/[-:]/g, '');
}
