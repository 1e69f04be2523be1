/** API keys where they touch the ledger: what raises the epoch, and when a key was last used. */
import type { KeyId, MemberId, OrganizationId } from '../../shared/ids.ts';
import type { Procedure } from '../store/procedure.ts';
import { bumpEpoch } from './organizations.ts';

export type NewKey = Readonly<{
  id: KeyId;
  organization: OrganizationId;
  digest: string;
  name: string;
  /** What lists show of the value (`maskApiKey`). */
  label: string;
  member: MemberId | null;
  source: 'api' | 'playground';
  /** ms since the epoch. */
  created: number;
  expires: number | null;
}>;

export const insertKey: Procedure<NewKey, null> = {
  name: 'insertKey',
  access: 'write',
  async run(db, { created, expires, ...key }) {
    await db
      .insertInto('keys')
      .values({
        ...key,
        state: 'active',
        created: BigInt(Math.round(created)),
        expires: expires === null ? null : BigInt(Math.round(expires)),
        last_used: null,
      })
      .execute();
    return null;
  },
};

const BEFORE = { revoked: ['active'], deleted: ['active', 'revoked'] } as const;

/**
 * Revokes or deletes a key and raises its organization's epoch in the same transaction, so that the next
 * admission with it is refused (MONEY 11). `unknown`: the organization has no such key, or has deleted it.
 */
export const revokeKey: Procedure<
  Readonly<{ organization: OrganizationId; key: KeyId; to: 'revoked' | 'deleted' }>,
  'done' | 'unknown'
> = {
  name: 'revokeKey',
  access: 'write',
  async run(db, { organization, key, to }) {
    const { numUpdatedRows } = await db
      .updateTable('keys')
      .set({ state: to })
      .where('id', '=', key)
      .where('organization', '=', organization)
      .where('state', 'in', BEFORE[to])
      .executeTakeFirst();
    if (numUpdatedRows > 0n) {
      await bumpEpoch(db, organization);
      return 'done';
    }
    const same = await db
      .selectFrom('keys')
      .select('id')
      .where('id', '=', key)
      .where('organization', '=', organization)
      .where('state', '=', to)
      .executeTakeFirst();
    return same ? 'done' : 'unknown';
  },
};

export const touchKeys: Procedure<readonly Readonly<{ key: KeyId; at: bigint }>[], null> = {
  name: 'touchKeys',
  access: 'write',
  async run(db, touched) {
    for (const { key, at } of touched) {
      await db.updateTable('keys').set({ last_used: at }).where('id', '=', key).execute();
    }
    return null;
  },
};
