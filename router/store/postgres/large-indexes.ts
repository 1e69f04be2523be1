/**
 * Indexes of tables so large that a migration must not build them: the writes of running routers
 * would wait for as long as it reads the table. They are built beside these writes, once the tables
 * are up to date. Queries work without them, only more slowly.
 */
import type pg from 'pg';
import type { StoreParts } from '../store.ts';
import { connect } from './connect.ts';

const INDEXES = {
  // Charges are left out, so that a settlement does not write the index.
  transfers_kind: "transfers (organization, kind, seq) WHERE kind <> 'usage'",
  // The same: most requests do not fail.
  usage_failed: 'usage (request) WHERE status >= 500',
  refusals_failed: 'refusals (request) WHERE status >= 500',
} as const;

/** The number of the advisory lock that one router holds while it builds. */
const BUILDING = 7_316_204;
/** How long a build waits for transactions that began before it, such as a backup. */
const PATIENCE_MS = 10_000;

/** A failure is logged. The next router that starts tries again. */
export async function buildLargeIndexes(
  url: string,
  { clock, log }: Pick<StoreParts, 'clock' | 'log'>,
): Promise<void> {
  const client = await connect({ url, clock }, { lock_timeout: PATIENCE_MS }, () => {});
  try {
    if (!(await isAlone(client))) return;
    for (const [name, on] of Object.entries(INDEXES)) await build(client, name, on);
  } catch (error) {
    log.warn({ err: error }, 'an index was not built, so some lists are slow until the next start');
  } finally {
    await client.end();
  }
}

/** Whether no other router builds them. The lock ends with the connection. */
async function isAlone(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ alone: boolean }>(
    'SELECT pg_try_advisory_lock($1) AS alone',
    [BUILDING],
  );
  return rows[0]?.alone === true;
}

async function build(client: pg.Client, name: string, on: string): Promise<void> {
  const { rows } = await client.query<{ valid: boolean }>(
    'SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = to_regclass($1)',
    [name],
  );
  const [found] = rows;
  if (found?.valid === true) return;
  // A build that failed leaves an index that no query uses.
  if (found) await client.query(`DROP INDEX CONCURRENTLY ${name}`);
  await client.query(`CREATE INDEX CONCURRENTLY ${name} ON ${on}`);
}
