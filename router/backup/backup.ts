/** `penstock backup`: copies a store on SQLite, whether or not routers run on it. */
import { lstatSync, renameSync } from 'node:fs';
import { ConfigError } from '../config-error.ts';
import { syncFolderOf } from '../store/sqlite/mark.ts';
import type { Snapshot } from '../store/sqlite/snapshot.ts';
import { type CopyOrder, type CopyParts, copyVerified, removeCopy } from './verified-copy.ts';

/** `taken`: the time as of which the backup is complete, in ms since the epoch. */
export type Backup = Snapshot & Readonly<{ taken: number }>;

/**
 * Writes a backup of the store `from` to the new file `to`. The file gets its name when it is
 * complete, verified and on the disk. Rejects with ConfigError when `to` exists, and otherwise as
 * `copyVerified` does.
 */
export async function backUp(order: CopyOrder, to: string, parts: CopyParts): Promise<Backup> {
  refuseExisting(to);
  const taken = parts.clock.now();
  const { copy, ...snapshot } = await copyVerified(order, to, parts);
  try {
    refuseExisting(to);
    renameSync(copy, to);
  } catch (error) {
    removeCopy(copy);
    throw error;
  }
  syncFolderOf(to);
  return { ...snapshot, taken };
}

function refuseExisting(to: string): void {
  if (isThere(to)) throw new ConfigError(`${to} exists already, and a backup replaces nothing`);
}

function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    // A part of the path is not a folder. To create the file reports that.
    return false;
  }
}
