/** Chats of the playground that people keep in their account. */
import type { Kysely } from 'kysely';

type Db = Kysely<unknown>;

export async function up(db: Db): Promise<void> {
  // The contents are last: what precedes them can be read without them.
  await db.schema
    .createTable('chats')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('member', 'text', (column) => column.notNull().references('members.id'))
    .addColumn('sealed_key', 'text', (column) => column.notNull())
    .addColumn('title', 'bytea', (column) => column.notNull())
    .addColumn('version', 'int8', (column) => column.notNull())
    .addColumn('bytes', 'int8', (column) => column.notNull())
    .addColumn('created', 'int8', (column) => column.notNull())
    .addColumn('changed', 'int8', (column) => column.notNull())
    .addColumn('contents', 'bytea', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('chats_member').on('chats').columns(['member', 'id']).execute();
}
