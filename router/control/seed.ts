/** Inserts the rows of a first run in one transaction, so that a store is never set up halfway. */
import { insertKey, type NewKey } from '../identity/keys.ts';
import { addOrganization, type NewOrganization } from '../identity/organizations.ts';
import { type Db, readProcedure, writeProcedure } from '../store/procedure.ts';
import type { AgentRow, JoinTokenRow } from '../store/schema/fleet.ts';
import type { MemberRow, OperatorTokenRow, PersonRow } from '../store/schema/people.ts';
import { insertAgent } from './agents/procedures.ts';

export type Seed = Readonly<{
  person: PersonRow;
  operatorToken: OperatorTokenRow;
  organization: NewOrganization;
  member: MemberRow;
  key: NewKey;
  agent: AgentRow;
  joinToken: JoinTokenRow;
}>;

export const isStoreEmpty = readProcedure<null, boolean>('isStoreEmpty', isEmpty);

/**
 * Returns false, and changes nothing, when the store already has people, organizations or agents.
 */
export const seedStore = writeProcedure<Seed, boolean>(
  'seedStore',
  async (db, { person, operatorToken, organization, member, key, agent, joinToken }) => {
    if (!(await isEmpty(db))) return false;
    await db.insertInto('people').values(person).execute();
    await db.insertInto('operator_tokens').values(operatorToken).execute();
    await addOrganization(db, organization);
    await db.insertInto('members').values(member).execute();
    await insertKey.run(db, key);
    await insertAgent.run(db, { agent, token: joinToken });
    return true;
  },
);

async function isEmpty(db: Db): Promise<boolean> {
  for (const table of ['people', 'organizations', 'agents'] as const) {
    if (await db.selectFrom(table).select('id').limit(1).executeTakeFirst()) return false;
  }
  return true;
}
