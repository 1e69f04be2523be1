/** The ledger by day of all organizations together, and when each operator's token was last used. */
import type { Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('ledger_days_day')
    .on('ledger_days')
    // With all that the sums read: a row of the table is looked up for none of them.
    .columns(['day', 'kind', 'organization', 'change_high', 'change_low'])
    .execute();
  await db.schema.alterTable('operator_tokens').addColumn('last_used', 'int8').execute();
}
