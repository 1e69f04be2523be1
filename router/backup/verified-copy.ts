/** Copies a store on SQLite under a temporary name, and verifies the copy. */
import { randomBytes } from 'node:crypto';
import { closeSync, openSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { ConfigError } from '../config-error.ts';
import { copyStore, removeLogs, type Snapshot } from '../store/sqlite/snapshot.ts';
import type { StoreParts } from '../store/store.ts';
import { verifyStore } from '../verify/verify-store.ts';

export type CopyParts = StoreParts & Readonly<{ registry: URL; signal: AbortSignal }>;

/**
 * `verify`: whether to derive every sum again, as `ledger verify` does. The pages of the file are
 * checked in any case.
 */
export type CopyOrder = Readonly<{ from: string; verify: boolean }>;

export type VerifiedCopy = Snapshot & Readonly<{ copy: string }>;

/** The stored sums of a copy differ from its transfers. `differences`: one sentence for each. */
export class BooksDiffer extends Error {
  override name = 'BooksDiffer';
  readonly differences: readonly string[];

  constructor(from: string, differences: readonly string[]) {
    super(`the ledger in ${from} differs from its transfers in ${differences.length} places`);
    this.differences = differences;
  }
}

/**
 * Copies the store `from` to a new file beside `to`, which only its owner can read. Rejects with
 * ConfigError when `from` is not a file or nothing can be written beside `to`, with BooksDiffer when
 * the copy fails the verification, and otherwise as `copyStore` does. Leaves no file when it rejects.
 */
export async function copyVerified(
  { from, verify }: CopyOrder,
  to: string,
  parts: CopyParts,
): Promise<VerifiedCopy> {
  if (!statSync(from, { throwIfNoEntry: false })?.isFile())
    throw new ConfigError(`there is no store ${from}`);
  const copy = createBeside(to);
  try {
    const snapshot = await copyStore(from, copy, parts.signal);
    if (verify) await verifyCopy({ from, copy }, parts);
    return { ...snapshot, copy };
  } catch (error) {
    removeCopy(copy);
    throw error;
  }
}

export function removeCopy(copy: string): void {
  removeLogs(copy);
  rmSync(copy, { force: true });
}

function createBeside(to: string): string {
  const copy = `${to}.${randomBytes(8).toString('hex')}.partial`;
  try {
    closeSync(openSync(copy, 'wx', 0o600));
  } catch (error) {
    const [reason] = (error as Error).message.split(',');
    throw new ConfigError(`no file can be created in ${dirname(to)}: ${reason}`);
  }
  return copy;
}

async function verifyCopy(
  { from, copy }: Readonly<{ from: string; copy: string }>,
  { registry, signal, clock, log }: CopyParts,
): Promise<void> {
  const aborted = Promise.withResolvers<never>();
  const stop = () => aborted.reject(signal.reason as Error);
  signal.addEventListener('abort', stop);
  try {
    signal.throwIfAborted();
    const verifying = verifyStore({ url: `sqlite:${copy}`, registry }, { clock, log });
    const { differences } = await Promise.race([verifying, aborted.promise]);
    if (differences.length > 0) throw new BooksDiffer(from, differences);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
