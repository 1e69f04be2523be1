/**
 * Narrows the audit log to the entries about one object. An index leads to those that belong to no
 * organization; of an organization, all entries are read.
 */
import { type Expression, expressionBuilder, type SqlBool, sql } from 'kysely';
import { AGENT_ID_CHARS, type OrganizationId } from '../../../shared/ids.ts';
import type { Db } from '../../store/procedure.ts';
import type { Schema } from '../../store/schema.ts';

/** The tables of what an organization has, by the prefix of the ids. */
const OWNED = {
  key_: 'keys',
  mem_: 'members',
  inv_: 'invitations',
  mtk_: 'management_tokens',
  whk_: 'webhook_endpoints',
  pay_: 'payments',
  trf_: 'transfers',
  ivc_: 'invoices',
} as const satisfies Readonly<Record<string, keyof Schema>>;

type Condition = Expression<SqlBool>;

/**
 * The entries about an object that belong to no organization: about an agent with its workers, whose
 * ids begin with that of the agent, about an account, or about an incident. The condition is that of
 * the index of entries about agents: ids of other objects have the same length as those of agents.
 */
export function aboutOnPlatform(target: string): Condition {
  const audit = expressionBuilder<Schema, 'audit'>();
  return audit.and([
    audit('organization', 'is', null),
    audit(sql<string>`substr(target, 1, ${sql.lit(AGENT_ID_CHARS)})`, '=', target),
  ]);
}

/**
 * For procedures: the entries about an object of any organization, or of none. The organization of
 * the object is looked up, because no index has the targets of all entries. So an object whose row is
 * gone is not found this way.
 */
export async function aboutAnywhere(db: Db, target: string): Promise<Condition> {
  const owner = await ownerOf(db, target);
  if (owner === null) return aboutOnPlatform(target);
  const audit = expressionBuilder<Schema, 'audit'>();
  return audit.and([audit('organization', '=', owner), audit('target', '=', target)]);
}

/** Null: it belongs to no organization, or there is no such object. */
async function ownerOf(db: Db, target: string): Promise<OrganizationId | null> {
  const prefix = target.slice(0, 4);
  if (prefix === 'org_') return target as OrganizationId;
  if (!Object.hasOwn(OWNED, prefix)) return null;
  // The columns are the same in each of these tables.
  const table = OWNED[prefix as keyof typeof OWNED] as 'keys';
  const row = await db
    .selectFrom(table)
    .select('organization')
    .where('id', '=', target as never)
    .executeTakeFirst();
  return row?.organization ?? null;
}
