/**
 * Reads and changes organizations for people and operators. The ledger creates them and knows their
 * terms.
 */
import type { MemberId, OrganizationId, PersonId } from '../../../shared/ids.ts';
import { limits } from '../../../shared/limits.ts';
import { formatUsd, type PicoUsd } from '../../../shared/money.ts';
import type { Region } from '../../../shared/region.ts';
import {
  addOrganization,
  changeOrganization,
  lockLiveOrganization,
  type NewOrganization,
  type Organization,
  type OrganizationChange,
  organizationOf,
  type Shortfall,
} from '../../identity/organizations.ts';
import { milliseconds } from '../../store/milliseconds.ts';
import { type Db, readProcedure, writeProcedure } from '../../store/procedure.ts';
import { usdOrNull } from '../api.ts';
import { audited, type Details } from '../audit/record.ts';
import { idempotent } from '../idempotency/idempotent.ts';
import { shownLimits } from '../limits.ts';
import { addMember } from '../members/current.ts';
import { lockPerson } from '../people/procedures.ts';
import { movesFrom } from './moves.ts';

export type ListedOrganization = Organization &
  Readonly<{
    members: number;
    /** Null when the organization was never invoiced. */
    termsDays: number | null;
  }>;

export const findOrganization = readProcedure<OrganizationId, ListedOrganization | null>(
  'findOrganization',
  async (db, id) => {
    const row = await selectListed(db).where('id', '=', id).executeTakeFirst();
    return row ? listedOf(row) : null;
  },
);

/** For procedures: selects the columns of `listedOf`. */
export function selectListed(db: Db) {
  return db
    .selectFrom('organizations')
    .selectAll()
    .select((row) =>
      row
        .selectFrom('members')
        .whereRef('members.organization', '=', 'organizations.id')
        .where('members.left_at', 'is', null)
        .select((member) => member.fn.countAll<bigint>().as('n'))
        .as('members'),
    )
    .select((row) =>
      row
        .selectFrom('invoicing')
        .whereRef('invoicing.organization', '=', 'organizations.id')
        .select('invoicing.terms_days')
        .as('terms_days'),
    );
}

type ListedRow = Parameters<typeof organizationOf>[0] &
  Readonly<{ members: bigint | null; terms_days: bigint | null }>;

/** `row`: of `selectListed`. */
export function listedOf({ members, terms_days, ...row }: ListedRow): ListedOrganization {
  return {
    ...organizationOf(row),
    members: Number(members ?? 0n),
    termsDays: terms_days === null ? null : Number(terms_days),
  };
}

async function readChanged(db: Db, id: OrganizationId): Promise<ListedOrganization> {
  const changed = await findOrganization.run(db, id);
  if (!changed) throw new Error('an organization was changed and is not there');
  return changed;
}

/** Opens an organization for an operator, with its welcome credit and without members. */
export const openOrganization = writeProcedure<NewOrganization, ListedOrganization>(
  'openOrganization',
  async (db, input) => {
    await addOrganization(db, input);
    return await readChanged(db, input.id);
  },
);

export const openOnce = idempotent(audited(openOrganization));

const FOUNDED_COUNTS_MS = 30 * 24 * 60 * 60 * 1000;

/**
 * Opens a further organization for a person, who becomes its org-admin. It gets no welcome credit.
 * `too_many`: the person has reached the limit, in which organizations count for 30 days after
 * their deletion.
 */
export const openOwn = writeProcedure<
  Readonly<{ organization: NewOrganization; person: PersonId; member: MemberId }>,
  ListedOrganization | 'too_many' | 'erased'
>('openOwn', async (db, { organization, person, member }) => {
  const created = milliseconds(organization.created);
  // Lock the person, so that two concurrent calls cannot exceed the limit.
  if (!(await lockPerson(db, person))) return 'erased';
  const { n } = await db
    .selectFrom('organizations')
    .select((row) => row.fn.countAll<bigint>().as('n'))
    .where('founder', '=', person)
    .where((row) =>
      row.or([
        row('deleted', 'is', null),
        row('deleted', '>', created - BigInt(FOUNDED_COUNTS_MS)),
      ]),
    )
    .executeTakeFirstOrThrow();
  if (Number(n) >= limits.organizationsPerPersonMax) return 'too_many';
  await addOrganization(db, { ...organization, transfer: null, founder: person });
  const { id } = organization;
  await addMember(db, { id: member, organization: id, person, role: 'org-admin', created });
  return await readChanged(db, organization.id);
});

export const openOwnOnce = idempotent(audited(openOwn));

/** Changes the terms that operators decide, and returns the changed organization. */
export const changeTerms = writeProcedure<
  Readonly<{
    organization: OrganizationId;
    change: Omit<OrganizationChange, 'region'>;
    /** Whether a reason was given, which must be one for a change of the status. */
    isReasoned?: boolean;
  }>,
  ListedOrganization | 'unknown' | Shortfall | 'same_status'
>(
  'changeTerms',
  { invalidates: ({ organization }) => organization },
  async (db, { organization, change, isReasoned = false }) => {
    if (isReasoned) {
      const before = await lockLiveOrganization(db, organization);
      if (!before) return 'unknown';
      if (before.status === change.status) return 'same_status';
    }
    const answer = await changeOrganization(db, organization, change);
    return answer === 'done' ? await readChanged(db, organization) : answer;
  },
);

export const changeTermsAudited = audited(
  changeTerms,
  (answer) => typeof answer === 'object' && !('missing' in answer),
  valuesOf,
);

export type SettingsChange = Readonly<{
  name?: string | undefined;
  region?: Region | undefined;
  lowBalanceThreshold?: PicoUsd | null | undefined;
}>;

/**
 * Changes the settings that an organization decides itself, all of them or none. `immovable`: the
 * region move is not allowed; only operators may move an organization otherwise than from Global to
 * US or EU. Setting the current region changes nothing. A move applies from the very next
 * admission, like a revocation (MONEY 11).
 */
export const changeSettings = writeProcedure<
  Readonly<{ organization: OrganizationId; change: SettingsChange; anyMove: boolean }>,
  ListedOrganization | 'unknown' | 'immovable'
>(
  'changeSettings',
  { invalidates: ({ organization }) => organization },
  async (db, { organization, change, anyMove }) => {
    const { name, region, lowBalanceThreshold } = change;
    const before = await lockLiveOrganization(db, organization);
    if (!before) return 'unknown';
    if (region !== undefined && region !== before.region) {
      if (!anyMove && !movesFrom(before.region).includes(region)) return 'immovable';
      await changeOrganization(db, organization, { region });
    }
    const columns = {
      ...(name === undefined ? {} : { name }),
      // A new threshold starts a new notice.
      ...(lowBalanceThreshold === undefined
        ? {}
        : { low_balance_threshold: lowBalanceThreshold, low_balance_noted: null }),
    };
    if (Object.keys(columns).length > 0) {
      await db.updateTable('organizations').set(columns).where('id', '=', organization).execute();
    }
    return await readChanged(db, organization);
  },
);

export const changeSettingsAudited = audited(changeSettings, undefined, valuesOf);

/** The values that the audit log has of an organization, by the names that the API gives them. */
async function valuesOf(
  db: Db,
  { organization: id }: Readonly<{ organization: OrganizationId }>,
): Promise<Details | null> {
  if (!(await lockLiveOrganization(db, id))) return null;
  const before = await readChanged(db, id);
  const isInvoiced = before.billing === 'invoiced';
  return {
    name: before.name,
    region: before.region,
    low_balance_threshold: usdOrNull(before.lowBalanceThreshold),
    status: before.status,
    ...shownLimits(before.limits),
    billing: before.billing,
    credit_limit: isInvoiced ? formatUsd(before.creditLimit) : null,
    payment_terms_days: isInvoiced ? before.termsDays : null,
  };
}

/** For procedures: whether the organization exists. Deleted organizations count. */
export async function organizationExists(db: Db, id: OrganizationId): Promise<boolean> {
  const query = db.selectFrom('organizations').select('id').where('id', '=', id);
  return (await query.executeTakeFirst()) !== undefined;
}

/** For procedures: whether an organization, which exists, was deleted. */
export async function isDeleted(db: Db, id: OrganizationId): Promise<boolean> {
  const query = db.selectFrom('organizations').select('deleted').where('id', '=', id);
  return (await query.executeTakeFirstOrThrow()).deleted !== null;
}
