/** Playground keys: created for a member's browser, and deleted soon after they expire. */
import type { OrganizationId, PersonId } from '../../../shared/ids.ts';
import type { Region } from '../../../shared/region.ts';
import { insertKey, type NewKey } from '../../identity/keys.ts';
import { lockLiveOrganization } from '../../identity/organizations.ts';
import { milliseconds } from '../../store/milliseconds.ts';
import { writeProcedure } from '../../store/procedure.ts';
import { audited } from '../audit/record.ts';
import { memberOf } from '../members/current.ts';
import { isLocked } from '../people/procedures.ts';
import { endPlaygroundKeys } from './end.ts';

/** How many keys a member has at most, one for each open page. One more deletes the oldest. */
const LIVE_PER_MEMBER_MAX = 5;

/**
 * Creates a key for a person as a member of the organization, and returns the organization's
 * region. `no_member`: the person is not a member, or was locked meanwhile.
 */
const openPlayground = writeProcedure<
  Readonly<{ key: NewKey; person: PersonId }>,
  Readonly<{ region: Region }> | 'unknown' | 'no_member'
>('openPlayground', { invalidates: ({ key }) => key.organization }, async (db, { key, person }) => {
  const { organization } = key;
  const owner = await lockLiveOrganization(db, organization);
  if (!owner) return 'unknown';
  const member = await memberOf(db, organization, person);
  if (member === null || (await isLocked(db, person))) return 'no_member';
  await endPlaygroundKeys(db, organization, member, LIVE_PER_MEMBER_MAX - 1);
  await insertKey.run(db, { ...key, member });
  return { region: owner.region };
});

export const openPlaygroundAudited = audited(openPlayground);

/** Deletes a person's playground keys in an organization. Returns how many. */
export const endPlayground = writeProcedure<
  Readonly<{ organization: OrganizationId; person: PersonId }>,
  number
>(
  'endPlayground',
  { invalidates: ({ organization }) => organization },
  async (db, { organization, person }) => {
    const member = await memberOf(db, organization, person);
    return member === null ? 0 : await endPlaygroundKeys(db, organization, member);
  },
);

export const endPlaygroundAudited = audited(endPlayground, (ended) => ended > 0);

/**
 * Deletes expired playground keys, at most `limit` of them, and returns how many. They are refused
 * already, so this invalidates nothing in the routers.
 */
export const deleteExpiredKeys = writeProcedure<
  Readonly<{
    /** ms since the epoch. */
    before: number;
    limit: number;
  }>,
  number
>('deleteExpiredKeys', async (db, { before, limit }) => {
  const expired = await db
    .selectFrom('keys')
    .select('id')
    .where('source', '=', 'playground')
    .where('state', '!=', 'deleted')
    .where('expires', '<', milliseconds(before))
    .orderBy('expires')
    .limit(limit)
    .execute();
  if (expired.length === 0) return 0;
  const ids = expired.map(({ id }) => id);
  await db.updateTable('keys').set({ state: 'deleted' }).where('id', 'in', ids).execute();
  return ids.length;
});
