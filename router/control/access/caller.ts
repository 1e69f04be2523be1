/**
 * Looks up who is calling the management API: a person's session, an operator token or a management
 * token.
 */
import type { Role } from '../../../shared/api/roles.ts';
import type {
  ManagementTokenId,
  MemberId,
  OrganizationId,
  PersonId,
  SessionId,
} from '../../../shared/ids.ts';
import type { OperatorRole } from '../../../shared/operator-roles.ts';
import { milliseconds } from '../../store/milliseconds.ts';
import { type Db, readProcedure } from '../../store/procedure.ts';
import type { PersonRow } from '../../store/schema/people.ts';
import { currentMembers } from '../members/current.ts';
import { hasAllowedChanges } from '../operator-changes/allowed.ts';

/** A session ends after this long without use. */
export const SESSION_IDLE_MS = 7 * 24 * 60 * 60 * 1000;

export type Session = Readonly<{
  id: SessionId;
  lastSeen: number;
  /**
   * `rotate`: the session's token is due to be replaced. `isFormer`: it has been replaced, and the
   * presented token is the former one.
   */
  rotate: boolean;
  isFormer: boolean;
}>;

/** `operator`: what the person may do as an operator of the platform; null: the person is no operator. */
export type Caller =
  | Readonly<{ kind: 'person'; person: PersonId; operator: OperatorRole | null; session: Session }>
  | Readonly<{
      kind: 'operator-token';
      token: string;
      person: PersonId;
      operator: OperatorRole | null;
    }>
  | Readonly<{
      kind: 'management-token';
      token: ManagementTokenId;
      organization: OrganizationId;
      role: Role;
    }>;

/** `lastActive`: in ms since the epoch; 0: not known. */
export type ActingMember = Readonly<{ id: MemberId; lastActive: number }>;

/** Null in both: the caller has no role in the organization, or no live organization was found. */
type Standing = Readonly<{
  role: Role | null;
  /** Null also for a management token, which has a role but is no member. */
  member: ActingMember | null;
}>;

const NO_STANDING: Standing = { role: null, member: null };

/**
 * The caller's standing is in the requested organization. `organization`: `none` also when no
 * organization was requested.
 */
export type FoundCaller = Standing &
  Readonly<{
    caller: Caller;
    organization: 'live' | 'deleted' | 'none';
    /** False only for the session of an operator who has not allowed changes in the organization. */
    changesAllowed: boolean;
  }>;

type Presented = 'session' | 'operator' | 'management';

/**
 * Finds the caller by the digest of the presented secret. Returns null when no valid session or
 * token has it, and for those of a person whose account is locked.
 */
export const findCaller = readProcedure<
  Readonly<{
    presented: Presented;
    digest: string;
    organization: OrganizationId | null;
    /** ms since the epoch. */
    now: number;
  }>,
  FoundCaller | null
>('findCaller', async (db, { presented, digest, organization, now }) => {
  const caller = await FIND[presented](db, digest, milliseconds(now));
  if (!caller) return null;
  if (organization === null) {
    return { caller, ...NO_STANDING, organization: 'none', changesAllowed: true };
  }
  const state = await stateOf(db, organization);
  const standing = state === 'live' ? await standingOf(db, caller, organization) : NO_STANDING;
  const isOperator = caller.kind === 'person' && caller.operator !== null;
  const changesAllowed =
    !isOperator || (await hasAllowedChanges(db, { organization, person: caller.person, now }));
  return { caller, ...standing, organization: state, changesAllowed };
});

type Find = (db: Db, digest: string, now: bigint) => Promise<Caller | null>;

const FIND: Readonly<Record<Presented, Find>> = {
  async session(db, digest, now) {
    const row = await db
      .selectFrom('sessions')
      .innerJoin('people', 'people.id', 'sessions.person')
      .where((where) =>
        where.or([
          where('sessions.digest', '=', digest),
          where.and([
            where('sessions.former_digest', '=', digest),
            where('sessions.former_until', '>', now),
          ]),
        ]),
      )
      .where('sessions.expires', '>', now)
      .where('sessions.last_seen', '>', now - BigInt(SESSION_IDLE_MS))
      .where('people.erased', 'is', null)
      .where('people.locked_at', 'is', null)
      .select([
        'sessions.id',
        'sessions.digest',
        'sessions.person',
        'sessions.last_seen',
        'sessions.rotate',
        'people.operator',
        'people.operator_role',
      ])
      .executeTakeFirst();
    if (!row) return null;
    const isFormer = row.digest !== digest;
    return {
      kind: 'person',
      person: row.person,
      operator: operatorRoleOf(row),
      session: {
        id: row.id,
        lastSeen: Number(row.last_seen),
        rotate: row.rotate === 1n && !isFormer,
        isFormer,
      },
    };
  },

  async operator(db, digest) {
    const row = await db
      .selectFrom('operator_tokens')
      .innerJoin('people', 'people.id', 'operator_tokens.person')
      .where('operator_tokens.digest', '=', digest)
      .where('people.erased', 'is', null)
      .where('people.locked_at', 'is', null)
      .select([
        'operator_tokens.id as token',
        'people.id',
        'people.operator',
        'people.operator_role',
      ])
      .executeTakeFirst();
    if (!row) return null;
    const { token, id: person } = row;
    return { kind: 'operator-token', token, person, operator: operatorRoleOf(row) };
  },

  async management(db, digest, now) {
    const row = await db
      .selectFrom('management_tokens')
      .where('digest', '=', digest)
      .where('revoked', 'is', null)
      .where((where) => where.or([where('expires', 'is', null), where('expires', '>', now)]))
      .select(['id', 'organization', 'role'])
      .executeTakeFirst();
    return row
      ? {
          kind: 'management-token',
          token: row.id,
          organization: row.organization,
          role: row.role,
        }
      : null;
  },
};

/** Returns null for a person who is no operator. */
export function operatorRoleOf({
  operator,
  operator_role: role,
}: Pick<PersonRow, 'operator' | 'operator_role'>): OperatorRole | null {
  return operator === 1n ? (role ?? 'administrator') : null;
}

async function stateOf(db: Db, id: OrganizationId): Promise<FoundCaller['organization']> {
  const query = db.selectFrom('organizations').select('deleted').where('id', '=', id);
  const row = await query.executeTakeFirst();
  if (!row) return 'none';
  return row.deleted === null ? 'live' : 'deleted';
}

async function standingOf(db: Db, caller: Caller, organization: OrganizationId): Promise<Standing> {
  if (caller.kind === 'management-token') {
    return { role: caller.organization === organization ? caller.role : null, member: null };
  }
  const row = await currentMembers(db, organization)
    .select(['id', 'role', 'last_active'])
    .where('person', '=', caller.person)
    .executeTakeFirst();
  if (!row) return NO_STANDING;
  return { role: row.role, member: { id: row.id, lastActive: Number(row.last_active) } };
}
