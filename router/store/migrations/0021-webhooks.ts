/**
 * Webhooks: the endpoints of organizations, what is delivered to them, and which organizations have
 * run out of credit since they last got some.
 */
import { type Kysely, sql } from 'kysely';

type Db = Kysely<unknown>;

export async function up(db: Db): Promise<void> {
  await db.schema
    .createTable('webhook_endpoints')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('organization', 'text', (column) => column.notNull().references('organizations.id'))
    .addColumn('url', 'text', (column) => column.notNull())
    .addColumn('events', 'text', (column) => column.notNull())
    .addColumn('secret', 'text', (column) => column.notNull())
    .addColumn('former_secret', 'text')
    .addColumn('former_until', 'int8')
    .addColumn('active', 'int8', (column) => column.notNull())
    .addColumn('disabled', 'int8')
    .addColumn('failing_since', 'int8')
    .addColumn('created_by', 'text')
    .addColumn('created', 'int8', (column) => column.notNull())
    .addColumn('turn', 'int8', (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('webhook_endpoints_organization')
    .on('webhook_endpoints')
    .column('organization')
    .execute();
  // No foreign key to the endpoint: an event that is recorded while somebody deletes the endpoint
  // must not make its own cause fail.
  await db.schema
    .createTable('webhook_deliveries')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('organization', 'text', (column) => column.notNull())
    .addColumn('webhook', 'text', (column) => column.notNull())
    .addColumn('event', 'text', (column) => column.notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('attempts', 'int8', (column) => column.notNull())
    .addColumn('round', 'int8', (column) => column.notNull())
    .addColumn('last_attempt', 'int8')
    .addColumn('last_status', 'int8')
    .addColumn('last_fault', 'text')
    .addColumn('next_attempt', 'int8')
    .addColumn('created', 'int8', (column) => column.notNull())
    .addColumn('ended', 'int8')
    .execute();
  await db.schema
    .createIndex('webhook_deliveries_event')
    .on('webhook_deliveries')
    .columns(['webhook', 'event'])
    .unique()
    .execute();
  await db.schema
    .createIndex('webhook_deliveries_webhook')
    .on('webhook_deliveries')
    .columns(['webhook', 'id'])
    .execute();
  await db.schema
    .createIndex('webhook_deliveries_organization')
    .on('webhook_deliveries')
    .column('organization')
    .execute();
  await db.schema
    .createIndex('webhook_deliveries_created')
    .on('webhook_deliveries')
    .column('created')
    .execute();
  await db.schema
    .createTable('exhausted_credit')
    .addColumn('organization', 'text', (column) => column.primaryKey())
    .addColumn('noted', 'int8', (column) => column.notNull())
    .execute();
  await indexLanes(db);
}

/** One index for the due jobs of each lane, and one for the deliveries that are under way. */
async function indexLanes(db: Db): Promise<void> {
  await sql`create index jobs_waiting on jobs (run_at, id)
    where state = 'waiting' and kind <> 'webhook'`.execute(db);
  await sql`create index jobs_webhooks_waiting on jobs (subject, run_at, id)
    where state = 'waiting' and kind = 'webhook'`.execute(db);
  await sql`create index jobs_webhooks_running on jobs (subject)
    where state = 'running' and kind = 'webhook'`.execute(db);
}
