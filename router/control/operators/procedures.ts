/**
 * Operators in the store: people with all rights on the platform, and the tokens of their scripts.
 */
import type { PersonId } from '../../../shared/ids.ts';
import { type Db, readProcedure, writeProcedure } from '../../store/procedure.ts';
import type { OperatorTokenRow, PersonRow } from '../../store/schema/people.ts';
import { type AuditEntry, record } from '../audit/record.ts';
import { type ListQuery, type Page, readPage } from '../pages.ts';
import { emailIsTaken, lockPerson } from '../people/procedures.ts';
import { endSessionsOf } from '../sessions/procedures.ts';

export type ListedOperator = Pick<PersonRow, 'id' | 'email' | 'name' | 'created' | 'totp_step'> &
  Readonly<{ token_created: bigint | null }>;

export const listOperators = readProcedure<ListQuery<PersonId>, Page<ListedOperator, PersonId>>(
  'listOperators',
  async (db, asked) => {
    const listed = operators(db)
      .leftJoin('operator_tokens', 'operator_tokens.person', 'people.id')
      .select(['people.id', 'people.email', 'people.name', 'people.created', 'people.totp_step'])
      .select((row) => row.fn.max('operator_tokens.created').as('token_created'))
      .groupBy(['people.id', 'people.email', 'people.name', 'people.created', 'people.totp_step']);
    return await readPage(listed, 'people.id', asked);
  },
);

export const insertOperator = writeProcedure<
  Readonly<{ person: PersonRow; token: OperatorTokenRow; entry: AuditEntry }>,
  'done' | 'taken'
>('insertOperator', async (db, { person, token, entry }) => {
  if (await emailIsTaken(db, person.email)) return 'taken';
  await db.insertInto('people').values(person).execute();
  await db.insertInto('operator_tokens').values(token).execute();
  await record(db, entry);
  return 'done';
});

/** An operator's id or address. */
export type OperatorName = Readonly<{ id: PersonId } | { email: string }>;

export const findOperator = readProcedure<OperatorName, PersonId | null>(
  'findOperator',
  async (db, name) => {
    const query = operators(db).select('people.id');
    const one =
      'id' in name ? query.where('id', '=', name.id) : query.where('email', '=', name.email);
    return (await one.executeTakeFirst())?.id ?? null;
  },
);

/**
 * Makes an operator an ordinary person, and ends their sessions and tokens. `none`: the person is
 * not an operator. `last`: they are the only one.
 */
export const revokeOperator = writeProcedure<
  Readonly<{ person: PersonId; entry: AuditEntry }>,
  'done' | 'none' | 'last'
>('revokeOperator', async (db, { person, entry }) => {
  if ((await lockPerson(db, person))?.operator !== 1n) return 'none';
  if (await isLastOperator(db, person)) return 'last';
  await db.updateTable('people').set({ operator: 0n }).where('id', '=', person).execute();
  await db.deleteFrom('operator_tokens').where('person', '=', person).execute();
  await endSessionsOf(db, person);
  await record(db, entry);
  return 'done';
});

/**
 * Replaces an operator's tokens. The former tokens stop working. `none`: the person is not an
 * operator.
 */
export const replaceOperatorToken = writeProcedure<
  Readonly<{ token: OperatorTokenRow; entry: AuditEntry }>,
  'done' | 'none'
>('replaceOperatorToken', async (db, { token, entry }) => {
  if ((await lockPerson(db, token.person))?.operator !== 1n) return 'none';
  await db.deleteFrom('operator_tokens').where('person', '=', token.person).execute();
  await db.insertInto('operator_tokens').values(token).execute();
  await record(db, entry);
  return 'done';
});

/** For procedures: whether this person is the only operator. */
export async function isLastOperator(db: Db, person: PersonId): Promise<boolean> {
  const some = await operators(db).select('people.id').orderBy('people.id').limit(2).execute();
  return some.length === 1 && some[0]?.id === person;
}

function operators(db: Db) {
  return db
    .selectFrom('people')
    .where('people.operator', '=', 1n)
    .where('people.erased', 'is', null);
}
