/**
 * The first tables: the ledger, and what the control plane keeps, in the SQL that SQLite and
 * PostgreSQL have in common. The ledger's own tables have no foreign keys: on PostgreSQL each would
 * lock a row that other requests share.
 */
import { type Kysely, sql } from 'kysely';

type Db = Kysely<unknown>;

export async function up(db: Db): Promise<void> {
  await accounts(db);
  await holdsAndTransfers(db);
  await usage(db);
  await people(db);
  await agentsAndRouters(db);
}

async function accounts(db: Db): Promise<void> {
  await db.schema
    .createTable('organizations')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('region', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('billing', 'text', (column) => column.notNull())
    .addColumn('created', 'int8', (column) => column.notNull())
    .addCheckConstraint('organizations_region', sql`region in ('global', 'us', 'eu')`)
    .addCheckConstraint('organizations_status', sql`status in ('active', 'suspended')`)
    .execute();
  await db.schema
    .createTable('accounts')
    .addColumn('id', 'text', (column) => column.primaryKey().references('organizations.id'))
    .addColumn('balance', 'int8', (column) => column.notNull().defaultTo(0))
    .addColumn('held', 'int8', (column) => column.notNull().defaultTo(0))
    .addColumn('reserve', 'int8', (column) => column.notNull().defaultTo(0))
    .addColumn('floor', 'int8', (column) => column.notNull().defaultTo(0))
    .addColumn('auth_epoch', 'int8', (column) => column.notNull().defaultTo(0))
    .addColumn('transfer_seq', 'int8', (column) => column.notNull().defaultTo(0))
    .addColumn('usage_seq', 'int8', (column) => column.notNull().defaultTo(0))
    .addCheckConstraint('accounts_held', sql`held >= 0 and reserve >= 0`)
    .execute();
}

async function holdsAndTransfers(db: Db): Promise<void> {
  await db.schema
    .createTable('holds')
    .addColumn('request', 'text', (column) => column.primaryKey())
    .addColumn('organization', 'text', (column) => column.notNull())
    .addColumn('key', 'text', (column) => column.notNull())
    .addColumn('price', 'text', (column) => column.notNull())
    .addColumn('incarnation', 'text', (column) => column.notNull())
    .addColumn('amount', 'int8', (column) => column.notNull())
    .addColumn('slice', 'int8', (column) => column.notNull())
    .addColumn('created', 'int8', (column) => column.notNull())
    .addCheckConstraint('holds_amount', sql`amount >= 0 and slice >= 0`)
    .execute();
  await db.schema.createIndex('holds_incarnation').on('holds').column('incarnation').execute();
  await db.schema
    .createTable('transfers')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('organization', 'text', (column) => column.notNull())
    .addColumn('seq', 'int8', (column) => column.notNull())
    .addColumn('debit', 'text', (column) => column.notNull())
    .addColumn('credit', 'text', (column) => column.notNull())
    .addColumn('amount', 'int8', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('reference', 'text', (column) => column.notNull())
    .addColumn('reason', 'text')
    .addColumn('created', 'int8', (column) => column.notNull())
    .addUniqueConstraint('transfers_seq', ['organization', 'seq'])
    .addCheckConstraint('transfers_amount', sql`amount > 0`)
    .execute();
  await db.schema
    .createTable('prices')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('model', 'text', (column) => column.notNull())
    .addColumn('organization', 'text')
    .addColumn('prompt', 'int8', (column) => column.notNull())
    .addColumn('completion', 'int8', (column) => column.notNull())
    .addColumn('cached', 'int8', (column) => column.notNull())
    .addColumn('created', 'int8', (column) => column.notNull())
    .addCheckConstraint('prices_sign', sql`prompt >= 0 and completion >= 0 and cached >= 0`)
    .execute();
}

async function usage(db: Db): Promise<void> {
  await db.schema
    .createTable('usage')
    .addColumn('request', 'text', (column) => column.primaryKey())
    .addColumn('organization', 'text', (column) => column.notNull())
    .addColumn('seq', 'int8', (column) => column.notNull())
    .addColumn('key', 'text', (column) => column.notNull())
    .addColumn('member', 'text')
    .addColumn('source', 'text', (column) => column.notNull())
    .addColumn('completion_id', 'text', (column) => column.notNull())
    .addColumn('model', 'text', (column) => column.notNull())
    .addColumn('region', 'text', (column) => column.notNull())
    .addColumn('agent', 'text')
    .addColumn('worker', 'text')
    .addColumn('price', 'text', (column) => column.notNull())
    .addColumn('prompt_tokens', 'int8', (column) => column.notNull())
    .addColumn('cached_tokens', 'int8', (column) => column.notNull())
    .addColumn('cached_source', 'text', (column) => column.notNull())
    .addColumn('completion_tokens', 'int8', (column) => column.notNull())
    .addColumn('reasoning_tokens', 'int8', (column) => column.notNull())
    .addColumn('ttft_ms', 'int8')
    .addColumn('duration_ms', 'int8', (column) => column.notNull())
    .addColumn('finish_reason', 'text')
    .addColumn('status', 'int8', (column) => column.notNull())
    .addColumn('error', 'text')
    .addColumn('cost', 'int8', (column) => column.notNull())
    .addColumn('outcome', 'text', (column) => column.notNull())
    .addColumn('transfer', 'text')
    .addColumn('created', 'int8', (column) => column.notNull())
    .addUniqueConstraint('usage_seq', ['organization', 'seq'])
    .addCheckConstraint('usage_outcome', sql`outcome in ('settled', 'voided')`)
    .addCheckConstraint('usage_cost', sql`cost >= 0`)
    .execute();
}

async function people(db: Db): Promise<void> {
  await db.schema
    .createTable('keys')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('organization', 'text', (column) => column.notNull().references('organizations.id'))
    .addColumn('digest', 'text', (column) => column.notNull().unique())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('label', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('member', 'text')
    .addColumn('source', 'text', (column) => column.notNull())
    .addColumn('created', 'int8', (column) => column.notNull())
    .addColumn('expires', 'int8')
    .addColumn('last_used', 'int8')
    .addCheckConstraint('keys_state', sql`state in ('active', 'revoked', 'deleted')`)
    .execute();
  await db.schema.createIndex('keys_organization').on('keys').column('organization').execute();
  await db.schema
    .createTable('people')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('email', 'text', (column) => column.notNull().unique())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('password_hash', 'text', (column) => column.notNull())
    .addColumn('operator', 'int8', (column) => column.notNull().defaultTo(0))
    .addColumn('created', 'int8', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('members')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('organization', 'text', (column) => column.notNull().references('organizations.id'))
    .addColumn('person', 'text', (column) => column.notNull().references('people.id'))
    .addColumn('role', 'text', (column) => column.notNull())
    .addColumn('created', 'int8', (column) => column.notNull())
    .addUniqueConstraint('members_person', ['organization', 'person'])
    .execute();
  await db.schema.createIndex('members_by_person').on('members').column('person').execute();
  await db.schema
    .createTable('operator_tokens')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('digest', 'text', (column) => column.notNull().unique())
    .addColumn('person', 'text', (column) => column.notNull().references('people.id'))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('created', 'int8', (column) => column.notNull())
    .execute();
}

async function agentsAndRouters(db: Db): Promise<void> {
  await db.schema
    .createTable('agents')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('region', 'text', (column) => column.notNull())
    .addColumn('public_key', 'text', (column) => column.unique())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('created', 'int8', (column) => column.notNull())
    .addColumn('last_seen', 'int8')
    .execute();
  await db.schema
    .createTable('join_tokens')
    .addColumn('digest', 'text', (column) => column.primaryKey())
    .addColumn('agent', 'text', (column) => column.notNull().references('agents.id'))
    .addColumn('expires', 'int8', (column) => column.notNull())
    .addColumn('used', 'int8')
    .addColumn('used_by_key', 'text')
    .execute();
  await db.schema
    .createTable('incarnations')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('beat', 'int8', (column) => column.notNull())
    .addColumn('url', 'text')
    .addColumn('regions', 'text', (column) => column.notNull())
    .addColumn('started', 'int8', (column) => column.notNull())
    .execute();
}
