/** Reads a store of any version, whether routers are running on it or not. */
import type { Clock } from '../../shared/clock.ts';
import type { Db } from './procedure.ts';
import { connect, withKysely } from './sqlite/connect.ts';
import { sqliteFile } from './store-url.ts';

/**
 * Runs `read` on a connection that cannot write. Throws StoreUnavailable when PostgreSQL cannot be
 * reached, and the error of SQLite when the file cannot be opened.
 */
export async function inspectStore<Result>(
  url: string,
  clock: Clock,
  read: (db: Db) => Promise<Result>,
): Promise<Result> {
  const file = sqliteFile(url);
  if (file === null) return await inspectServer(url, clock, read);
  const database = connect(file, 'read');
  try {
    return await withKysely(database, read);
  } finally {
    database.close();
  }
}

async function inspectServer<Result>(
  url: string,
  clock: Clock,
  read: (db: Db) => Promise<Result>,
): Promise<Result> {
  const { connect: dial, withKysely: within } = await import('./postgres/connect.ts');
  const client = await dial({ url, clock }, { default_transaction_read_only: 'on' }, () => {});
  try {
    return await within(client, read);
  } finally {
    await client.end();
  }
}
