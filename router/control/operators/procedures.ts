/**
 * Operators in the store: people with all rights on the platform, and the tokens of their scripts.
 */
import type { AuditAction } from '../../../shared/audit-actions.ts';
import { type AuditId, idsFrom, type PersonId } from '../../../shared/ids.ts';
import { type Db, readProcedure, writeProcedure } from '../../store/procedure.ts';
import type { OperatorTokenRow, PersonRow } from '../../store/schema/people.ts';
import { namesOf } from '../audit/names.ts';
import { type AuditEntry, record } from '../audit/record.ts';
import { type ListQuery, type Page, readPage } from '../pages.ts';
import { emailIsTaken, lockPerson } from '../people/procedures.ts';
import { endSessionsOf } from '../sessions/procedures.ts';

/** Who created an operator. Null: it is not known, as for the operator of the first start. */
export type CreatedBy = Readonly<{
  by: 'operator' | 'command';
  person: string | null;
  name: string | null;
}>;

export type ListedOperator = Pick<
  PersonRow,
  'id' | 'email' | 'name' | 'created' | 'totp_step' | 'locked_at'
> &
  Readonly<{
    created_by: CreatedBy | null;
    session_seen: bigint | null;
    token_created: bigint | null;
    token_used: bigint | null;
  }>;

export const listOperators = readProcedure<ListQuery<PersonId>, Page<ListedOperator, PersonId>>(
  'listOperators',
  async (db, asked) => {
    const { rows, next } = await readPage(listed(db), 'people.id', asked);
    const named: ListedOperator[] = [];
    for (const row of rows) named.push({ ...row, created_by: await createdBy(db, row) });
    return { rows: named, next };
  },
);

export const findListedOperator = readProcedure<PersonId, ListedOperator | null>(
  'findListedOperator',
  async (db, person) => {
    const row = await listed(db).where('people.id', '=', person).executeTakeFirst();
    return row ? { ...row, created_by: await createdBy(db, row) } : null;
  },
);

function listed(db: Db) {
  return operators(db).select((row) => [
    'people.id',
    'people.email',
    'people.name',
    'people.created',
    'people.totp_step',
    'people.locked_at',
    row
      .selectFrom('sessions')
      .whereRef('sessions.person', '=', 'people.id')
      .select((one) => one.fn.max('sessions.last_seen').as('seen'))
      .as('session_seen'),
    row
      .selectFrom('operator_tokens')
      .whereRef('operator_tokens.person', '=', 'people.id')
      .select((one) => one.fn.max('operator_tokens.created').as('created'))
      .as('token_created'),
    row
      .selectFrom('operator_tokens')
      .whereRef('operator_tokens.person', '=', 'people.id')
      .select((one) => one.fn.max('operator_tokens.last_used').as('used'))
      .as('token_used'),
  ]);
}

/** Operators are created with their audit entry: it is looked for among those of that time. */
const AUDITED_MS_MAX = 60_000;

async function createdBy(
  db: Db,
  { id, created }: Pick<PersonRow, 'id' | 'created'>,
): Promise<CreatedBy | null> {
  const at = Number(created);
  const entry = await db
    .selectFrom('audit')
    .select(['actor_kind', 'actor'])
    .where('id', '>=', idsFrom('audit', at) as AuditId)
    .where('id', '<', idsFrom('audit', at + AUDITED_MS_MAX) as AuditId)
    .where('action', '=', 'operator.create' satisfies AuditAction)
    .where('target', '=', id)
    .executeTakeFirst();
  if (!entry) return null;
  const { actor_kind: kind, actor: person } = entry;
  if (kind !== 'operator') return { by: 'command', person: null, name: null };
  const names = await namesOf(db, person === null ? [] : [person]);
  return { by: 'operator', person, name: names.get(person ?? '')?.name ?? null };
}

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

/** Ends an operator's tokens. `none`: there is none. */
export const revokeOperatorToken = writeProcedure<
  Readonly<{ person: PersonId; entry: AuditEntry }>,
  'done' | 'none'
>('revokeOperatorToken', async (db, { person, entry }) => {
  const ended = await db
    .deleteFrom('operator_tokens')
    .where('person', '=', person)
    .returning('id')
    .execute();
  if (ended.length === 0) return 'none';
  await record(db, entry);
  return 'done';
});

/** For procedures: whether no other operator is left who can sign in. */
export async function isLastOperator(db: Db, person: PersonId): Promise<boolean> {
  const other = await operators(db)
    .select('people.id')
    .where('people.id', '!=', person)
    .where('people.locked_at', 'is', null)
    .limit(1)
    .executeTakeFirst();
  return other === undefined;
}

function operators(db: Db) {
  return db
    .selectFrom('people')
    .where('people.operator', '=', 1n)
    .where('people.erased', 'is', null);
}
