import { type Kysely, PostgresAdapter } from 'kysely';

/** Whether the store is PostgreSQL, and not SQLite. */
export function isPostgres<Tables>(db: Kysely<Tables>): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}
