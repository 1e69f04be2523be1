/**
 * Migrates the tables beside running routers. A change of a table waits until nothing reads the
 * table, and all later queries wait behind the change. So it waits only for a moment, and is tried
 * again until it succeeds or ten minutes have passed. The indexes of large tables are built after it.
 */
import { sleep } from '../../../shared/clock.ts';
import { StoreUnavailable } from '../errors.ts';
import { migrate, type StoreMigration } from '../migrate.ts';
import type { StoreParts } from '../store.ts';
import { connect, type ServerParts, withKysely } from './connect.ts';
import { buildLargeIndexes } from './large-indexes.ts';

/** How long the requests of running routers may be blocked at once; they give up after 2,000 ms. */
const LOCK_MS_MAX = 500;
const AGAIN_MS = 1_000;
/** A long read (`ledger verify`, a backup) must end within this time, or the start fails. */
const PATIENCE_MS = 600_000;
/** Logged once in so many attempts. */
const SAY_EVERY = 10;

/** Throws when a migration fails, or when this version cannot run on the tables of a later one. */
export async function bringUpToDate(
  url: string,
  parts: StoreParts,
  migrations?: Readonly<Record<string, StoreMigration>>,
): Promise<void> {
  await migrateBeside(url, parts, migrations);
  await buildLargeIndexes(url, parts);
}

async function migrateBeside(
  url: string,
  { clock, log }: StoreParts,
  migrations?: Readonly<Record<string, StoreMigration>>,
): Promise<void> {
  const until = clock.monotonic() + PATIENCE_MS;
  for (let attempt = 0; ; attempt++) {
    const error = await tryOnce({ url, clock }, migrations);
    if (error === null) return;
    if (!isInTheWay(error) || clock.monotonic() >= until) throw error;
    if (attempt % SAY_EVERY === 0) {
      log.warn({ attempt, err: error }, 'migration was blocked by other transactions');
    }
    await sleep(clock, AGAIN_MS);
  }
}

/** Returns the error of a failed attempt, of which nothing is applied; null if it succeeded. */
async function tryOnce(
  server: ServerParts,
  migrations?: Readonly<Record<string, StoreMigration>>,
): Promise<Error | null> {
  const client = await connect(server, { lock_timeout: LOCK_MS_MAX }, () => {});
  try {
    await withKysely(client, (db) => migrate(db, migrations));
    return null;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  } finally {
    await client.end();
  }
}

/** Whether a lock was not free in time, or transactions were in conflict. */
function isInTheWay(error: Error): boolean {
  return error instanceof StoreUnavailable && /\((?:55P03|40P01|40001)\)$/.test(error.message);
}
