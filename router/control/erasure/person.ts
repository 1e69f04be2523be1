/**
 * Deletes a person's account: their name and address are erased, they leave every organization, and
 * the organizations of which they are the only member are deleted. Records of what they did are
 * kept without their name.
 */
import type { OrganizationId, PersonId } from '../../../shared/ids.ts';
import { enqueue } from '../../jobs/queue.ts';
import { lockAccount, lockOrganization } from '../../ledger/locks.ts';
import { milliseconds } from '../../store/milliseconds.ts';
import { type Db, readProcedure, writeProcedure } from '../../store/procedure.ts';
import type { MemberRow } from '../../store/schema/people.ts';
import { aboutOnPlatform } from '../audit/about.ts';
import { type AuditEntry, record } from '../audit/record.ts';
import { currentMembers, isLastAdmin, membershipsOf } from '../members/current.ts';
import { endMembership } from '../members/procedures.ts';
import { stopChangesOf } from '../operator-changes/allowed.ts';
import { isLastAdministrator, lockOperators } from '../operators/procedures.ts';
import { dropPasskeys } from '../passkeys/stored.ts';
import { lockPerson } from '../people/procedures.ts';
import { rememberWelcomed } from '../welcome/grant.ts';
import { endOrganization } from './organization.ts';
import { findOwing, type Owing } from './owing.ts';

export const ERASE_PERSON = 'erase-person';

export type Erasure = Readonly<{
  person: PersonId;
  /**
   * The hash that the password was verified against at the reauthentication. If it has changed
   * since, the answer is `changed`.
   */
  passwordHash: string;
  now: number;
  /**
   * A keyed digest of their address. It is kept, so that the same address gets no second welcome
   * credit.
   */
  address: string;
  entry: AuditEntry;
  /** The audit entry for each organization that is deleted with the account, by organization id. */
  deletions: Readonly<Record<OrganizationId, AuditEntry>>;
}>;

/**
 * An organization because of which the account cannot be deleted. `owing`: what it owes, if it would
 * be deleted with the account. Null: it has other members, but no other org-admin.
 */
export type Blocking = Readonly<{
  organization: OrganizationId;
  name: string;
  owing: Owing | null;
}>;

export type ErasureAnswer =
  | Readonly<{ left: readonly OrganizationId[] }>
  /** At least one. */
  | Readonly<{ blockedBy: readonly Blocking[] }>
  | 'last_operator'
  /** The password or the person's memberships have changed since the request was made. */
  | 'changed';

/** The organizations that a person is a member of. */
export const findOrganizationsOf = readProcedure<PersonId, readonly OrganizationId[]>(
  'findOrganizationsOf',
  async (db, person) => {
    return (await membershipsOf(db, person)).map(({ organization }) => organization);
  },
);

export const erasePerson = writeProcedure<Erasure, ErasureAnswer>(
  'erasePerson',
  async (db, input) => {
    const { person, now } = input;
    const memberships = await membershipsOf(db, person);
    for (const { organization } of memberships) await lockOrganization(db, organization);
    // Lock people after the organizations, in the same order as the acceptance of an invitation.
    const isOperator = await isOperatorNow(db, person);
    if (isOperator) await lockOperators(db);
    const locked = await lockPerson(db, person);
    if (locked?.password_hash !== input.passwordHash) return 'changed';
    if ((locked.operator === 1n) !== isOperator) return 'changed';
    if (isOperator && (await isLastAdministrator(db, person))) return 'last_operator';
    const plan = await planOf(db, memberships);
    if ('blockedBy' in plan) return plan;
    if (plan.alone.some(({ organization }) => !input.deletions[organization])) return 'changed';

    for (const membership of plan.leaving) await endMembership(db, membership, now);
    for (const { organization } of plan.alone) {
      const answer = await endOrganization(db, { organization, now });
      if (answer !== 'done') throw new Error(`${organization} could not be ended`);
      const entry = input.deletions[organization];
      if (entry) await record(db, entry);
    }
    await eraseRow(db, input);
    await record(db, input.entry);
    return { left: memberships.map(({ organization }) => organization) };
  },
);

async function isOperatorNow(db: Db, person: PersonId): Promise<boolean> {
  const people = db.selectFrom('people').select('operator').where('id', '=', person);
  return (await people.executeTakeFirst())?.operator === 1n;
}

type Plan = Readonly<{ leaving: readonly MemberRow[]; alone: readonly MemberRow[] }>;

async function planOf(
  db: Db,
  memberships: readonly MemberRow[],
): Promise<Plan | Readonly<{ blockedBy: readonly Blocking[] }>> {
  const [leaving, alone]: [MemberRow[], MemberRow[]] = [[], []];
  const blockedBy: Blocking[] = [];
  const block = async ({ organization }: MemberRow, owing: Owing | null) => {
    blockedBy.push({ organization, name: await nameOf(db, organization), owing });
  };
  for (const membership of memberships) {
    if (!(await isLastAdmin(db, membership))) leaving.push(membership);
    else if (await hasOthers(db, membership)) await block(membership, null);
    else alone.push(membership);
  }
  for (const membership of alone) {
    const account = await lockAccount(db, membership.organization);
    const owing = account ? await findOwing(db, account) : null;
    if (owing !== null) await block(membership, owing);
  }
  return blockedBy.length === 0 ? { leaving, alone } : { blockedBy };
}

async function hasOthers(db: Db, { id, organization }: MemberRow): Promise<boolean> {
  const other = await currentMembers(db, organization)
    .select('id')
    .where('id', '!=', id)
    .limit(1)
    .executeTakeFirst();
  return other !== undefined;
}

async function nameOf(db: Db, organization: OrganizationId): Promise<string> {
  const row = await db
    .selectFrom('organizations')
    .select('name')
    .where('id', '=', organization)
    .executeTakeFirstOrThrow();
  return row.name;
}

async function eraseRow(db: Db, { person, now, address }: Erasure): Promise<void> {
  const { email, email_confirmed } = await db
    .selectFrom('people')
    .select(['email', 'email_confirmed'])
    .where('id', '=', person)
    .executeTakeFirstOrThrow();
  await db.deleteFrom('sessions').where('person', '=', person).execute();
  await db.deleteFrom('operator_tokens').where('person', '=', person).execute();
  await stopChangesOf(db, person, now);
  await db.deleteFrom('links').where('subject', '=', person).execute();
  // An address that was never confirmed may be somebody else's.
  if (email_confirmed !== null) await rememberWelcomed(db, address, now);
  await db.deleteFrom('welcome_claims').where('person', '=', person).execute();
  await db.deleteFrom('recovery_codes').where('person', '=', person).execute();
  await dropPasskeys(db, person);
  // Erase the address from the invitations that the person accepted. An open invitation stays: it
  // is somebody else's, and the address is free again.
  await db
    .updateTable('invitations')
    .set({ email: '' })
    .where('email', '=', email)
    .where('state', '!=', 'open')
    .execute();
  await db
    .updateTable('people')
    .set({
      // Unique, and not an address, so that the address itself can sign up again.
      email: `erased:${person}`,
      name: '',
      password_hash: '',
      operator: 0n,
      operator_role: null,
      operator_since: null,
      email_confirmed: null,
      totp_secret: null,
      totp_step: null,
      muted_emails: null,
      incident_emails: null,
      locked_at: null,
      last_sign_in: 0n,
      erased: milliseconds(now),
    })
    .where('id', '=', person)
    .execute();
  await db
    .updateTable('audit')
    .set({ reason: null })
    .where(aboutOnPlatform(person))
    .where('reason', 'is not', null)
    .execute();
  await enqueue(db, {
    kind: ERASE_PERSON,
    subject: person,
    idempotencyKey: `${ERASE_PERSON}/${person}`,
    payload: { person },
    created: now,
  });
}

/**
 * Invalidates an organization, so that every router reloads it. Needed when a person leaves several
 * organizations in one procedure, because a procedure invalidates only one.
 */
export const announceChange = writeProcedure<OrganizationId, null>(
  'announceChange',
  { invalidates: (organization) => organization },
  async () => null,
);
