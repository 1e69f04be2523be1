/** Playground keys that have expired are found without looking at all keys. */
import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index keys_playground on keys (expires)
    where source = 'playground' and state <> 'deleted'`.execute(db);
}
