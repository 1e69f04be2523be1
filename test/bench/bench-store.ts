/** The store of a bench: a new file, a new PostgreSQL server, or the one at a given URL. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PostgresServer } from '../torture/postgres-server.ts';

/** Returns the store's URL. `settings` are those of a new server. What is new goes with `parts`. */
export async function openBenchStore(
  store: string,
  settings: Readonly<Record<string, string>>,
  parts: AsyncDisposableStack,
): Promise<string> {
  if (store === 'sqlite') {
    const folder = mkdtempSync(join(tmpdir(), 'penstock-bench-'));
    parts.defer(() => rmSync(folder, { recursive: true }));
    return `sqlite:${join(folder, 'penstock.db')}`;
  }
  if (store !== 'postgres') return store;
  return await parts.use(await PostgresServer.create({ settings })).database('bench');
}
