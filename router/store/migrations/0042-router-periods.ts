/**
 * What each router has served in each five minutes of the last week, and in its row the tokens of
 * the last minute and the agents that are connected to it. Null in the row: a router of an earlier
 * version, or no report yet.
 */
import type { Kysely } from 'kysely';

const FIGURES = ['requests', 'errors', 'tokens', 'first_tokens', 'first_token_ms'] as const;

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('incarnations').addColumn('recent_tokens', 'int8').execute();
  await db.schema.alterTable('incarnations').addColumn('agent_ids', 'text').execute();
  let table = db.schema
    .createTable('router_periods')
    .addColumn('router', 'text', (column) => column.notNull())
    .addColumn('start', 'int8', (column) => column.notNull());
  for (const figure of FIGURES) table = table.addColumn(figure, 'int8', (one) => one.notNull());
  await table
    .addColumn('store_ms', 'int8')
    .addPrimaryKeyConstraint('router_periods_place', ['router', 'start'])
    .execute();
  await db.schema
    .createIndex('router_periods_start')
    .on('router_periods')
    .column('start')
    .execute();
}
