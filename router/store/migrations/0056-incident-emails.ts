/**
 * Which emails about incidents a person has chosen; null: none, as of all people until they choose.
 * A router of an earlier version, which may still run, neither reads nor writes it.
 */
import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('people').addColumn('incident_emails', 'text').execute();
  // Of many people, few have chosen them.
  await sql`create index people_incident_emails on people (id)
    where incident_emails is not null`.execute(db);
}
