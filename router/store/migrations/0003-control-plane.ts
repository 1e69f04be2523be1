/** Sign-in and access: sessions, one-time links, invitations, management tokens, audit log. */
import { type Kysely, sql } from 'kysely';

type Db = Kysely<unknown>;

export async function up(db: Db): Promise<void> {
  await people(db);
  await signIns(db);
  await invitations(db);
  await tokens(db);
  await audit(db);
}

async function people(db: Db): Promise<void> {
  const table = () => db.schema.alterTable('people');
  await table().addColumn('email_confirmed', 'int8').execute();
  await table().addColumn('totp_secret', 'text').execute();
  await table().addColumn('totp_step', 'int8').execute();
  await table().addColumn('erased', 'int8').execute();
  await db.schema.alterTable('members').addColumn('left_at', 'int8').execute();
  await db.schema.alterTable('organizations').addColumn('deleted', 'int8').execute();
}

async function signIns(db: Db): Promise<void> {
  await db.schema
    .createTable('sessions')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('digest', 'text', (column) => column.notNull().unique())
    .addColumn('former_digest', 'text', (column) => column.unique())
    .addColumn('former_until', 'int8')
    .addColumn('rotate', 'int8', (column) => column.notNull().defaultTo(0))
    .addColumn('person', 'text', (column) => column.notNull().references('people.id'))
    .addColumn('address', 'text', (column) => column.notNull())
    .addColumn('client', 'text', (column) => column.notNull())
    .addColumn('created', 'int8', (column) => column.notNull())
    .addColumn('last_seen', 'int8', (column) => column.notNull())
    .addColumn('expires', 'int8', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('sessions_person').on('sessions').column('person').execute();
  await db.schema
    .createTable('links')
    .addColumn('digest', 'text', (column) => column.primaryKey())
    .addColumn('purpose', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('email', 'text', (column) => column.notNull())
    .addColumn('created', 'int8', (column) => column.notNull())
    .addColumn('expires', 'int8', (column) => column.notNull())
    .addColumn('used', 'int8')
    .execute();
  await db.schema.createIndex('links_subject').on('links').column('subject').execute();
  await db.schema
    .createTable('throttles')
    .addColumn('subject', 'text', (column) => column.primaryKey())
    .addColumn('count', 'int8', (column) => column.notNull())
    .addColumn('since', 'int8', (column) => column.notNull())
    .execute();
}

async function invitations(db: Db): Promise<void> {
  await db.schema
    .createTable('invitations')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('organization', 'text', (column) => column.notNull().references('organizations.id'))
    .addColumn('email', 'text', (column) => column.notNull())
    .addColumn('role', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('invited_by', 'text')
    .addColumn('created', 'int8', (column) => column.notNull())
    .addColumn('expires', 'int8', (column) => column.notNull())
    .addCheckConstraint('invitations_state', sql`state in ('open', 'accepted', 'revoked')`)
    .execute();
  await db.schema
    .createIndex('invitations_organization')
    .on('invitations')
    .column('organization')
    .execute();
}

async function tokens(db: Db): Promise<void> {
  await db.schema
    .createTable('management_tokens')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('organization', 'text', (column) => column.notNull().references('organizations.id'))
    .addColumn('digest', 'text', (column) => column.notNull().unique())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('role', 'text', (column) => column.notNull())
    .addColumn('created_by', 'text')
    .addColumn('created', 'int8', (column) => column.notNull())
    .addColumn('expires', 'int8')
    .addColumn('last_used', 'int8')
    .addColumn('revoked', 'int8')
    .execute();
  await db.schema
    .createIndex('management_tokens_organization')
    .on('management_tokens')
    .column('organization')
    .execute();
}

async function audit(db: Db): Promise<void> {
  await db.schema
    .createTable('audit')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('organization', 'text')
    .addColumn('actor_kind', 'text', (column) => column.notNull())
    .addColumn('actor', 'text')
    .addColumn('action', 'text', (column) => column.notNull())
    .addColumn('target', 'text')
    .addColumn('details', 'text', (column) => column.notNull())
    .addColumn('address', 'text', (column) => column.notNull())
    .addColumn('request', 'text', (column) => column.notNull())
    .addColumn('created', 'int8', (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('audit_organization')
    .on('audit')
    .columns(['organization', 'id'])
    .execute();
}
