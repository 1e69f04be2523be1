/**
 * API keys as people manage them. Playground keys are not listed. Deleted keys stay in the store,
 * so that usage keeps their names.
 */
import type { KeyId, MemberId, OrganizationId, PersonId } from '../../../shared/ids.ts';
import { limits } from '../../../shared/limits.ts';
import { changeKey, insertKey, type NewKey, revokeKey } from '../../identity/keys.ts';
import { lockLiveOrganization } from '../../identity/organizations.ts';
import { modelsOf } from '../../ledger/allowed-models.ts';
import { limitsOf } from '../../ledger/limits.ts';
import { milliseconds } from '../../store/milliseconds.ts';
import { type Db, type Procedure, readProcedure, writeProcedure } from '../../store/procedure.ts';
import { monthOf, startOfMonth } from '../../store/month.ts';
import type { KeyRow } from '../../store/schema/ledger.ts';
import { instantOrNull, usdOrNull } from '../api.ts';
import { modelDetail } from '../audit/allowed-models.ts';
import { type MadeChange, type OtherActor, readOtherActors } from '../audit/other-actors.ts';
import { audited, type Details } from '../audit/record.ts';
import { shownLimits } from '../limits.ts';
import { memberOf } from '../members/current.ts';
import { organizationExists } from '../organizations/procedures.ts';
import { cutPage, type Page } from '../pages.ts';
import { postEvent } from '../webhooks/events.ts';
import { type KeySpend, spendOfKeys, spentTodayBy } from './spend.ts';

/** A member, with `name` null when the person's data has been erased. */
export type Maker = Readonly<{ member: MemberId; name: string | null }>;

/** A key without its digest, so that a list cannot leak it. */
export type ListedKey = Omit<KeyRow, 'digest'> &
  Readonly<{
    maker: Maker | null;
    revoker: Maker | null;
    /** Who made or revoked it, if no member did and the audit log knows. */
    otherMaker: OtherActor | null;
    otherRevoker: OtherActor | null;
    spend: KeySpend & Readonly<{ today: bigint }>;
  }>;

const LISTED = [
  'id',
  'organization',
  'name',
  'label',
  'state',
  'member',
  'source',
  'created',
  'expires',
  'revoked',
  'revoked_by',
  'last_used',
  'requests_per_minute',
  'tokens_per_minute',
  'concurrent_requests',
  'monthly_cap',
  'daily_cap',
  'allowed_models',
] as const;

/**
 * Creates a key. `maker` is the person who requested it; the key is theirs if they are a member.
 * `full`: the organization has reached its limit of keys.
 */
const createKey = writeProcedure<
  Readonly<{ key: NewKey; maker: PersonId | null }>,
  'done' | 'unknown' | 'full'
>('createKey', async (db, { key, maker }) => {
  const { organization } = key;
  if (!(await lockLiveOrganization(db, organization))) return 'unknown';
  if ((await countListed(db, organization)) >= limits.keysPerOrganizationMax) return 'full';
  const member = maker && (await memberOf(db, organization, maker));
  await insertKey.run(db, { ...key, member });
  return 'done';
});

async function countListed(db: Db, organization: OrganizationId): Promise<number> {
  const { count } = await db
    .selectFrom('keys')
    .select((row) => row.fn.countAll<bigint | string>().as('count'))
    .where('organization', '=', organization)
    .where('source', '=', 'api')
    .where('state', '!=', 'deleted')
    .executeTakeFirstOrThrow();
  return Number(count);
}

type OfKey = Readonly<{ organization: OrganizationId; key: KeyId }>;
/** `by`: the person who requested it. `now`: ms since the epoch. */
type Ending = OfKey & Readonly<{ to: 'revoked' | 'deleted'; by: PersonId | null; now: number }>;

/** Revokes or deletes a key. If it was active, the organization's webhooks are told. */
const endKey: Procedure<Ending, 'done' | 'unknown'> = {
  ...revokeKey,
  name: 'endKey',
  async run(db, { by, now, ...input }) {
    const { organization, key, to } = input;
    // Of two who end it at once, one finds it active.
    await lockLiveOrganization(db, organization);
    const before = await db
      .selectFrom('keys')
      .select(['name', 'state'])
      .where('id', '=', key)
      .where('organization', '=', organization)
      .executeTakeFirst();
    const answer = await revokeKey.run(db, input);
    if (answer === 'done' && before?.state === 'active') {
      await db
        .updateTable('keys')
        .set({
          revoked: milliseconds(now),
          revoked_by: by && (await memberOf(db, organization, by)),
        })
        .where('id', '=', key)
        .execute();
      const data = { key, name: before.name, state: to };
      const cause = { organization, occasion: key, created: now };
      await postEvent(db, { type: 'key.revoked', data }, cause);
    }
    return answer;
  },
};

/** Restricts a procedure to keys made over the API. For a playground key, it returns `unknown`. */
function ofListed<Input extends OfKey>(
  procedure: Procedure<Input, 'done' | 'unknown'>,
): Procedure<Input, 'done' | 'unknown'> {
  return {
    ...procedure,
    async run(db, input) {
      const row = await db
        .selectFrom('keys')
        .select('source')
        .where('id', '=', input.key)
        .executeTakeFirst();
      return row?.source === 'api' ? await procedure.run(db, input) : 'unknown';
    },
  };
}

export const createKeyAudited = audited(createKey);
export const endKeyAudited = audited(ofListed(endKey));
export const changeKeyAudited = audited(ofListed(changeKey), undefined, settingsOf);

/** The values that the audit log has of a key, by the names that the API gives them. */
async function settingsOf(db: Db, { organization, key }: OfKey): Promise<Details | null> {
  await lockLiveOrganization(db, organization);
  const row = await db
    .selectFrom('keys')
    .selectAll()
    .where('id', '=', key)
    .where('organization', '=', organization)
    .executeTakeFirst();
  if (!row) return null;
  return {
    name: row.name,
    expires: instantOrNull(row.expires),
    monthly_cap: usdOrNull(row.monthly_cap),
    daily_cap: usdOrNull(row.daily_cap),
    allowed_models: modelDetail(modelsOf(row.allowed_models)),
    ...shownLimits(limitsOf(row)),
  };
}

/** `now`: spend is shown for the month and the day of this instant, ms since the epoch. */
export const findListedKey = readProcedure<OfKey & Readonly<{ now: number }>, ListedKey | null>(
  'findListedKey',
  async (db, { organization, key, now }) => {
    const rows = await db
      .selectFrom('keys')
      .select(LISTED)
      .where('id', '=', key)
      .where('organization', '=', organization)
      .where('source', '=', 'api')
      .where('state', '!=', 'deleted')
      .execute();
    const [listed] = await described(db, organization, rows, now);
    return listed ?? null;
  },
);

/** Returns null when there is no such organization. */
export const listKeys = readProcedure<
  Readonly<{
    organization: OrganizationId;
    after: Readonly<{ created: bigint; id: KeyId }> | null;
    limit: number;
    now: number;
  }>,
  Page<ListedKey, string> | null
>('listKeys', async (db, { organization, after, limit, now }) => {
  if (!(await organizationExists(db, organization))) return null;
  let query = db
    .selectFrom('keys')
    .select(LISTED)
    .where('organization', '=', organization)
    .where('source', '=', 'api')
    .where('state', '!=', 'deleted')
    .orderBy('created', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1);
  if (after !== null) {
    query = query.where((row) =>
      row.or([
        row('created', '<', after.created),
        row.and([row('created', '=', after.created), row('id', '<', after.id)]),
      ]),
    );
  }
  const { rows, next } = cutPage(
    await query.execute(),
    limit,
    ({ created, id }) => `${created}-${id}`,
  );
  return { rows: await described(db, organization, rows, now), next };
});

/** Adds each key's maker, who revoked it, and its spend. */
async function described(
  db: Db,
  organization: OrganizationId,
  rows: readonly Omit<KeyRow, 'digest'>[],
  now: number,
): Promise<ListedKey[]> {
  const ids = rows.map(({ id }) => id);
  const spend = await spendOfKeys(db, organization, ids, startOfMonth(monthOf(now)));
  const today = await spentTodayBy(db, ids, now);
  const members = rows.flatMap(({ member, revoked_by }) => [member ?? [], revoked_by ?? []].flat());
  const names = await namesOf(db, new Set(members));
  const named = (member: MemberId | null) => member && { member, name: names.get(member) ?? null };
  const changes = rows.map((row) => ({ created: creationOf(row), revoked: revocationOf(row) }));
  const asked = changes.flatMap(({ created, revoked }) => [created ?? [], revoked ?? []].flat());
  const actors = await readOtherActors(db, organization, asked);
  const actorOf = (change: MadeChange | null | undefined) => (change && actors.get(change)) ?? null;
  return rows.map((row, at) => ({
    ...row,
    maker: named(row.member),
    revoker: named(row.revoked_by),
    otherMaker: actorOf(changes[at]?.created),
    otherRevoker: actorOf(changes[at]?.revoked),
    spend: { ...(spend.get(row.id) ?? { month: 0n, total: 0n }), today: today.get(row.id) ?? 0n },
  }));
}

type Ended = Pick<KeyRow, 'id' | 'member' | 'created' | 'revoked' | 'revoked_by'>;

/** The creation of a key, if no member created it. */
function creationOf({ id, member, created }: Ended): MadeChange | null {
  return member === null ? { action: 'key.create', target: id, at: Number(created) } : null;
}

/** The revocation of a key, if no member revoked it. */
function revocationOf({ id, revoked, revoked_by: by }: Ended): MadeChange | null {
  if (revoked === null || by !== null) return null;
  return { action: 'key.revoke', target: id, at: Number(revoked) };
}

async function namesOf(
  db: Db,
  members: ReadonlySet<MemberId>,
): Promise<ReadonlyMap<MemberId, string>> {
  if (members.size === 0) return new Map();
  const rows = await db
    .selectFrom('members')
    .innerJoin('people', 'people.id', 'members.person')
    .select(['members.id', 'people.name'])
    .where('members.id', 'in', [...members])
    .where('people.erased', 'is', null)
    .execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}
