/** What happens to agents and their workers, and notes on them (decision 0034). */
import type { Kysely } from 'kysely';

type Db = Kysely<unknown>;

export async function up(db: Db): Promise<void> {
  await db.schema
    .createTable('host_events')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('agent', 'text', (column) => column.notNull())
    .addColumn('worker', 'text', (column) => column.notNull())
    .addColumn('action', 'text', (column) => column.notNull())
    .addColumn('detail', 'text', (column) => column.notNull())
    .addColumn('before', 'text')
    .addColumn('router', 'text')
    .addColumn('actor', 'text')
    .addColumn('mark', 'text', (column) => column.notNull())
    .addColumn('count', 'int8', (column) => column.notNull())
    .addColumn('created', 'int8', (column) => column.notNull())
    .addColumn('last', 'int8', (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('host_events_mark')
    .unique()
    .on('host_events')
    .columns(['agent', 'mark'])
    .execute();
  await db.schema
    .createIndex('host_events_agent')
    .on('host_events')
    .columns(['agent', 'id'])
    .execute();
}
