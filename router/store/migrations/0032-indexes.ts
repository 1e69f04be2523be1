/** Indexes for the events of a host, which its page reads again and again, and for members' caps. */
import { type Kysely, sql } from 'kysely';

type Db = Kysely<unknown>;

export async function up(db: Db): Promise<void> {
  // By agent: the target is its id, which has 30 characters (AGENT_ID_CHARS in shared/ids.ts, which
  // cannot change because of this index), or that of a worker, which begins with it. Only the
  // entries that belong to no organization are in the index. With the whole target, SQLite would
  // prefer the index that has the order of ids.
  await db.schema
    .createIndex('audit_agent')
    .on('audit')
    .expression(sql`substr(target, 1, 30), id`)
    .where(sql.ref('organization'), 'is', null)
    .execute();
  await db.schema
    .createIndex('member_caps_organization')
    .on('member_caps')
    .column('organization')
    .execute();
}
