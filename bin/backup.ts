/** `penstock backup` and `penstock restore`: copies of a store on SQLite (docs/backup.md). */
import { resolve } from 'node:path';
import { z } from 'zod';
import { backUp } from '../router/backup/backup.ts';
import { restore as restoreStore, type Restored } from '../router/backup/restore.ts';
import { BooksDiffer, type CopyParts } from '../router/backup/verified-copy.ts';
import { REGISTRY } from '../router/installation/store.ts';
import type { Snapshot } from '../router/store/sqlite/snapshot.ts';
import { sqliteFile } from '../router/store/store-url.ts';
import { systemClock as clock } from '../shared/clock.ts';
import { makeLog } from '../shared/log.ts';
import { lowerPriority } from '../shared/thread-priority.ts';
import { Failed, UsageError } from './faults.ts';
import { checkFlags, Path } from './flags.ts';
import { stopOnSignals } from './stopping.ts';
import { NOT_BOTH, STORE_FLAGS, storeUrlOf } from './store-flags.ts';

const COMMON = { ...STORE_FLAGS, verify: z.boolean(), json: z.boolean().default(false) };
const BackupFlags = z.object({ ...COMMON, to: Path }).refine(...NOT_BOTH);
const RestoreFlags = z
  .object({ ...COMMON, from: Path, replace: z.boolean().default(false) })
  .refine(...NOT_BOTH);

const NO_SECRETS =
  'It does not contain the secrets file, without which no key or token works: keep a copy of that file elsewhere.';
const LATER =
  'What happened after the backup is not in the store: charges, top-ups, and changes such as revoked keys. ' +
  'docs/backup.md says what to do about them.';

/** Throws UsageError for a store on PostgreSQL, and Failed when the ledger differs. */
export async function backup(given: object): Promise<void> {
  const { to, verify, json, ...where } = checkFlags(BackupFlags, given);
  const from = fileOf(storeUrlOf(where), 'pg_basebackup or pg_dump');
  // The routers have precedence.
  lowerPriority('lowest');
  const file = resolve(to);
  const { taken, ...snapshot } = await untilSignal((parts) =>
    backUp({ from, verify }, file, parts),
  );
  const at = new Date(taken).toISOString();
  if (json) return printJson({ file, ...factsOf(snapshot, verify), taken: at });
  print([`${file} is the store as of ${at}: ${textOf(snapshot)}`, checkedText(verify), NO_SECRETS]);
}

/** Throws UsageError for a store on PostgreSQL, and Failed when the ledger differs. */
export async function restore(given: object): Promise<void> {
  const { from, verify, json, replace, ...where } = checkFlags(RestoreFlags, given);
  const file = fileOf(storeUrlOf(where), 'pg_restore or a base backup');
  const order = { from: resolve(from), verify, replace };
  const { replaced, ...snapshot } = await untilSignal((parts) => restoreStore(order, file, parts));
  if (json) {
    const known = replaced && { ...replaced, transfers: numberOrNull(replaced.transfers) };
    return printJson({ file, ...factsOf(snapshot, verify), replaced: known });
  }
  const lines = [`${file} is restored from ${order.from}: ${textOf(snapshot)}`];
  if (replaced) lines.push(replacedText(replaced, snapshot));
  print([...lines, checkedText(verify), LATER]);
}

function fileOf(url: string, tools: string): string {
  const file = sqliteFile(url);
  if (file !== null) return resolve(file);
  throw new UsageError(
    `a store on PostgreSQL needs PostgreSQL's own tools, ${tools}: docs/backup.md has the commands`,
  );
}

/** Runs `work` to its end, or ends the process when a signal has stopped it. */
async function untilSignal<Result>(work: (parts: CopyParts) => Promise<Result>): Promise<Result> {
  const { signal } = stopOnSignals();
  try {
    return await work({ registry: REGISTRY, clock, log: makeLog('backup', 'warn'), signal });
  } catch (error) {
    if (signal.aborted) {
      process.stderr.write('penstock: interrupted, and nothing was changed\n');
      // A verification may still be running on another thread.
      process.exit(1);
    }
    if (!(error instanceof BooksDiffer)) throw error;
    process.stderr.write(`${error.differences.join('\n')}\n`);
    throw new Failed(`${error.message}. --no-verify copies it nevertheless`);
  }
}

function textOf({ transfers, lastTransfer, bytes }: Snapshot): string {
  const last = lastTransfer === null ? '' : `, the last of ${new Date(lastTransfer).toISOString()}`;
  return `${transfers} transfers${last}; ${bytes} bytes`;
}

function checkedText(verify: boolean): string {
  return verify
    ? 'The file is sound, and every balance follows from its transfers.'
    : 'The file is sound. `penstock ledger verify` checks the balances.';
}

function replacedText({ file, transfers }: NonNullable<Restored['replaced']>, now: Snapshot) {
  if (transfers === null) return `The former store is kept as ${file}. It cannot be read.`;
  const lost = transfers > now.transfers ? transfers - now.transfers : 0n;
  return `The former store is kept as ${file}. It had ${transfers} transfers, ${lost} more than the restored one.`;
}

function factsOf({ transfers, lastTransfer, bytes }: Snapshot, verified: boolean) {
  const last = lastTransfer === null ? null : new Date(lastTransfer).toISOString();
  return { transfers: Number(transfers), last_transfer: last, bytes, verified };
}

function numberOrNull(value: bigint | null): number | null {
  return value === null ? null : Number(value);
}

function printJson(facts: object): void {
  process.stdout.write(`${JSON.stringify(facts, null, 2)}\n`);
}

function print(lines: readonly string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`);
}
