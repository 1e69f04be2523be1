/**
 * Operators in the store: people who run the platform, their roles, and the tokens of their scripts.
 */
import type { AuditAction } from '../../../shared/audit-actions.ts';
import { type AuditId, idsFrom, type PersonId } from '../../../shared/ids.ts';
import type { OperatorRole } from '../../../shared/operator-roles.ts';
import { type Db, readProcedure, writeProcedure } from '../../store/procedure.ts';
import type { OperatorTokenRow, PersonRow } from '../../store/schema/people.ts';
import { operatorRoleOf } from '../access/caller.ts';
import { namesOf } from '../audit/names.ts';
import { AUDITED_MS_MAX } from '../audit/other-actors.ts';
import { type AuditEntry, record } from '../audit/record.ts';
import { stopChangesOf } from '../operator-changes/allowed.ts';
import { type ListQuery, type Page, readPage } from '../pages.ts';
import { emailIsTaken, isStillAdministrator, lockPerson } from '../people/procedures.ts';
import { endSessionsOf } from '../sessions/procedures.ts';

/** Who created an operator. Null: it is not known, as for the operator of the first start. */
export type CreatedBy = Readonly<{
  by: 'operator' | 'command';
  person: string | null;
  name: string | null;
}>;

export type ListedOperator = Pick<
  PersonRow,
  | 'id'
  | 'email'
  | 'name'
  | 'created'
  | 'operator'
  | 'operator_role'
  | 'operator_since'
  | 'totp_step'
  | 'locked_at'
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
    'people.operator',
    'people.operator_role',
    'people.operator_since',
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

async function createdBy(
  db: Db,
  { id, created, operator_since: since }: Pick<PersonRow, 'id' | 'created' | 'operator_since'>,
): Promise<CreatedBy | null> {
  const at = Number(since ?? created);
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

/**
 * A change of operators. `by`: the administrator who makes it; null: a command on the router's machine.
 * All answers may be `locked_out`: that administrator is none any more.
 */
type OperatorChange = Readonly<{ by: PersonId | null; entry: AuditEntry }>;

export const insertOperator = writeProcedure<
  OperatorChange & Readonly<{ person: PersonRow; token: OperatorTokenRow }>,
  'done' | 'taken' | 'locked_out'
>('insertOperator', async (db, { by, person, token, entry }) => {
  if (!(await isStillAdministrator(db, by))) return 'locked_out';
  if (await emailIsTaken(db, person.email)) return 'taken';
  await db.insertInto('people').values(person).execute();
  await db.insertInto('operator_tokens').values(token).execute();
  await record(db, entry);
  return 'done';
});

/**
 * Makes the person with this address an operator, and ends their sessions: they began before anybody
 * had to guard them as those of an operator. `unknown`: no account has the address, or it is not
 * confirmed, or locked. `operator`: the person is one already.
 */
export const promoteOperator = writeProcedure<
  OperatorChange & Readonly<{ email: string; role: OperatorRole; now: bigint }>,
  PersonId | 'unknown' | 'operator' | 'locked_out'
>('promoteOperator', async (db, { by, email, role, now, entry }) => {
  if (!(await isStillAdministrator(db, by))) return 'locked_out';
  const named = await db
    .selectFrom('people')
    .select('id')
    .where('email', '=', email)
    .where('erased', 'is', null)
    .executeTakeFirst();
  const person = named && (await lockPerson(db, named.id));
  if (!person || person.email_confirmed === null || person.locked_at !== null) return 'unknown';
  if (person.operator === 1n) return 'operator';
  await db
    .updateTable('people')
    .set({ operator: 1n, operator_role: role, operator_since: now })
    .where('id', '=', person.id)
    .execute();
  await endSessionsOf(db, person.id);
  await record(db, { ...entry, target: person.id });
  return person.id;
});

/**
 * What the person has allowed themselves to change ends. `none`: they are not an operator. `same`: they
 * have this role. `last`: they are the only administrator.
 */
export const changeOperatorRole = writeProcedure<
  OperatorChange & Readonly<{ person: PersonId; role: OperatorRole }>,
  'done' | 'none' | 'same' | 'last' | 'locked_out'
>('changeOperatorRole', async (db, { by, person, role, entry }) => {
  await lockOperators(db);
  if (!(await isStillAdministrator(db, by))) return 'locked_out';
  const row = await lockPerson(db, person);
  const before = row ? operatorRoleOf(row) : null;
  if (before === null) return 'none';
  if (before === role) return 'same';
  if (role === 'viewer' && (await isLastAdministrator(db, person))) return 'last';
  await db.updateTable('people').set({ operator_role: role }).where('id', '=', person).execute();
  await stopChangesOf(db, person, entry.created);
  await record(db, { ...entry, before: { role: before } });
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
 * not an operator. `last`: they are the only administrator.
 */
export const revokeOperator = writeProcedure<
  OperatorChange & Readonly<{ person: PersonId }>,
  'done' | 'none' | 'last' | 'locked_out'
>('revokeOperator', async (db, { by, person, entry }) => {
  await lockOperators(db);
  if (!(await isStillAdministrator(db, by))) return 'locked_out';
  if ((await lockPerson(db, person))?.operator !== 1n) return 'none';
  if (await isLastAdministrator(db, person)) return 'last';
  await db
    .updateTable('people')
    .set({ operator: 0n, operator_role: null, operator_since: null })
    .where('id', '=', person)
    .execute();
  await db.deleteFrom('operator_tokens').where('person', '=', person).execute();
  await endSessionsOf(db, person);
  await stopChangesOf(db, person, entry.created);
  await record(db, entry);
  return 'done';
});

/**
 * Replaces an operator's tokens. The former tokens stop working. `none`: the person is not an
 * operator.
 */
export const replaceOperatorToken = writeProcedure<
  OperatorChange & Readonly<{ token: OperatorTokenRow }>,
  'done' | 'none' | 'locked_out'
>('replaceOperatorToken', async (db, { by, token, entry }) => {
  if (!(await isStillAdministrator(db, by))) return 'locked_out';
  if ((await lockPerson(db, token.person))?.operator !== 1n) return 'none';
  await db.deleteFrom('operator_tokens').where('person', '=', token.person).execute();
  await db.insertInto('operator_tokens').values(token).execute();
  await record(db, entry);
  return 'done';
});

/** Ends an operator's tokens. `none`: there is none. */
export const revokeOperatorToken = writeProcedure<
  OperatorChange & Readonly<{ person: PersonId }>,
  'done' | 'none' | 'locked_out'
>('revokeOperatorToken', async (db, { by, person, entry }) => {
  if (!(await isStillAdministrator(db, by))) return 'locked_out';
  const ended = await db
    .deleteFrom('operator_tokens')
    .where('person', '=', person)
    .returning('id')
    .execute();
  if (ended.length === 0) return 'none';
  await record(db, entry);
  return 'done';
});

/**
 * For procedures: whether this is an administrator, and no other one is left who can sign in.
 * Without an administrator, nobody could make one.
 */
export async function isLastAdministrator(db: Db, person: PersonId): Promise<boolean> {
  const administrators = await operators(db)
    .select('people.id')
    .where((row) =>
      row.or([
        row('people.operator_role', 'is', null),
        row('people.operator_role', '!=', 'viewer'),
      ]),
    )
    .where((row) => row.or([row('people.locked_at', 'is', null), row('people.id', '=', person)]))
    .limit(2)
    .execute();
  return administrators.length === 1 && administrators[0]?.id === person;
}

/**
 * For procedures: locks all operators, so that two administrators cannot leave or remove each other at
 * the same moment.
 */
export async function lockOperators(db: Db): Promise<void> {
  await db
    .updateTable('people')
    .set((row) => ({ operator: row.ref('operator') }))
    .where('operator', '=', 1n)
    .execute();
}

function operators(db: Db) {
  return db
    .selectFrom('people')
    .where('people.operator', '=', 1n)
    .where('people.erased', 'is', null);
}
