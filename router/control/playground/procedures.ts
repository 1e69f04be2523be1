/** Playground keys: made for a member's browser, and gone soon after they expire. */
import type { OrganizationId, PersonId } from '../../../shared/ids.ts';
import { insertKey, type NewKey } from '../../ledger/keys.ts';
import { lockOrganization } from '../../ledger/locks.ts';
import type { Procedure } from '../../store/procedure.ts';
import type { Region } from '../../../shared/wire/messages.ts';
import { audited } from '../audit/record.ts';
import { memberOf } from '../members/procedures.ts';
import { endPlaygroundKeys } from './end.ts';

/** As many pages as somebody has open; one more ends the oldest one's key. */
const LIVE_PER_MEMBER_MAX = 5;

/** Makes the key the person's, as a member of the organization; answers the organization's region. */
const openPlayground: Procedure<
  Readonly<{ key: NewKey; person: PersonId }>,
  Readonly<{ region: Region }> | 'unknown' | 'no_member'
> = {
  name: 'openPlayground',
  access: 'write',
  announces: ({ key }) => key.organization,
  async run(db, { key, person }) {
    const { organization } = key;
    const owner = await lockOrganization(db, organization);
    if (!owner || owner.deleted !== null) return 'unknown';
    const member = await memberOf(db, organization, person);
    if (member === null) return 'no_member';
    await endPlaygroundKeys(db, organization, member, LIVE_PER_MEMBER_MAX - 1);
    await insertKey.run(db, { ...key, member });
    return { region: owner.region };
  },
};

export const openPlaygroundAudited = audited(
  openPlayground,
  (answer) => typeof answer === 'object',
);

/** Ends a person's keys in an organization; answers how many. */
const endPlayground: Procedure<
  Readonly<{ organization: OrganizationId; person: PersonId }>,
  number
> = {
  name: 'endPlayground',
  access: 'write',
  announces: ({ organization }) => organization,
  async run(db, { organization, person }) {
    const member = await memberOf(db, organization, person);
    return member === null ? 0 : await endPlaygroundKeys(db, organization, member);
  },
};

export const endPlaygroundAudited = audited(endPlayground, (ended) => ended > 0);

/**
 * Takes expired playground keys off, at most `limit` of them; answers how many. They are refused already, so no
 * router need hear of it.
 */
export const deleteExpiredKeys: Procedure<
  Readonly<{
    /** ms since the epoch. */
    before: number;
    limit: number;
  }>,
  number
> = {
  name: 'deleteExpiredKeys',
  access: 'write',
  async run(db, { before, limit }) {
    const expired = await db
      .selectFrom('keys')
      .select('id')
      .where('source', '=', 'playground')
      .where('state', '!=', 'deleted')
      .where('expires', '<', BigInt(Math.round(before)))
      .orderBy('expires')
      .limit(limit)
      .execute();
    if (expired.length === 0) return 0;
    const ids = expired.map(({ id }) => id);
    await db.updateTable('keys').set({ state: 'deleted' }).where('id', 'in', ids).execute();
    return ids.length;
  },
};
