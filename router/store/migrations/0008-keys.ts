/** An index to find expired playground keys without scanning all keys. */
import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index keys_playground on keys (expires)
    where source = 'playground' and state <> 'deleted'`.execute(db);
}
