/** API keys as people manage them. Deleted ones stay in the store, so that usage keeps their names. */
import type { KeyId, OrganizationId } from '../../../shared/ids.ts';
import { insertKey, type NewKey, revokeKey, setKeyLimits } from '../../ledger/keys.ts';
import type { Procedure } from '../../store/procedure.ts';
import type { KeyRow } from '../../store/schema/ledger.ts';
import { audited } from '../audit/record.ts';
import { organizationExists } from '../organizations/procedures.ts';
import { cutPage, type Page } from '../pages.ts';

/** A key without its digest: nothing that a list could leak. */
export type ListedKey = Omit<KeyRow, 'digest'>;

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
  'last_used',
  'requests_per_minute',
  'tokens_per_minute',
  'concurrent_requests',
  'monthly_cap',
] as const;

export const createKey: Procedure<NewKey, 'done' | 'unknown'> = {
  name: 'createKey',
  access: 'write',
  async run(db, key) {
    if (!(await organizationExists(db, key.organization))) return 'unknown';
    await insertKey.run(db, key);
    return 'done';
  },
};

const isDone = (answer: 'done' | 'unknown') => answer === 'done';

export const createKeyAudited = audited(createKey, isDone);
export const revokeKeyAudited = audited(revokeKey, isDone);
export const setKeyLimitsAudited = audited(setKeyLimits, isDone);

export const findListedKey: Procedure<
  { organization: OrganizationId; key: KeyId },
  ListedKey | null
> = {
  name: 'findListedKey',
  access: 'read',
  async run(db, { organization, key }) {
    const row = await db
      .selectFrom('keys')
      .select(LISTED)
      .where('id', '=', key)
      .where('organization', '=', organization)
      .where('state', '!=', 'deleted')
      .executeTakeFirst();
    return row ?? null;
  },
};

/** Null: there is no such organization. */
export const listKeys: Procedure<
  {
    organization: OrganizationId;
    after: Readonly<{ created: bigint; id: KeyId }> | null;
    limit: number;
  },
  Page<ListedKey, string> | null
> = {
  name: 'listKeys',
  access: 'read',
  async run(db, { organization, after, limit }) {
    if (!(await organizationExists(db, organization))) return null;
    let query = db
      .selectFrom('keys')
      .select(LISTED)
      .where('organization', '=', organization)
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
    return cutPage(await query.execute(), limit, ({ created, id }) => `${created}-${id}`);
  },
};
