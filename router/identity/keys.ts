/** API keys in the ledger: changes, which raise the epoch, and the time of a key's last use. */
import type { KeyId, MemberId, OrganizationId } from '../../shared/ids.ts';
import { type AllowedModels, storedModels } from '../ledger/allowed-models.ts';
import { bumpEpoch } from '../ledger/epoch.ts';
import { type LimitsChange, limitColumns } from '../ledger/limits.ts';
import { milliseconds } from '../store/milliseconds.ts';
import { type Db, writeProcedure } from '../store/procedure.ts';
import type { KeyRow } from '../store/schema/ledger.ts';
import type { CapsChange } from './caps-change.ts';

/** A key's own limits, beside its organization's. If absent: none, or unchanged for a known key. */
export type KeyLimits = CapsChange &
  Readonly<{
    limits?: LimitsChange | undefined;
    allowedModels?: AllowedModels | undefined;
  }>;

export type NewKey = Readonly<{
  id: KeyId;
  organization: OrganizationId;
  digest: string;
  name: string;
  /** The part of the key's value that lists show (`maskApiKey`). */
  label: string;
  member: MemberId | null;
  source: 'api' | 'playground';
  /** ms since the epoch. */
  created: number;
  expires: number | null;
}> &
  KeyLimits;

export const insertKey = writeProcedure<NewKey, null>(
  'insertKey',
  async (db, { created, expires, limits = {}, ...wanted }) => {
    const { monthlyCap = null, dailyCap = null, allowedModels = null, ...key } = wanted;
    await db
      .insertInto('keys')
      .values({
        ...key,
        state: 'active',
        created: milliseconds(created),
        expires: instantOf(expires),
        revoked: null,
        revoked_by: null,
        last_used: null,
        requests_per_minute: null,
        tokens_per_minute: null,
        concurrent_requests: null,
        ...limitColumns(limits),
        monthly_cap: monthlyCap,
        daily_cap: dailyCap,
        allowed_models: storedModels(allowedModels),
      })
      .execute();
    return null;
  },
);

const BEFORE = { revoked: ['active'], deleted: ['active', 'revoked'] } as const;

/**
 * Revokes or deletes a key and raises its organization's epoch in the same transaction, so that the
 * next admission with it is refused (MONEY 11). `unknown`: the organization has no such key, or has
 * deleted it.
 */
export const revokeKey = writeProcedure<
  Readonly<{ organization: OrganizationId; key: KeyId; to: 'revoked' | 'deleted' }>,
  'done' | 'unknown'
>(
  'revokeKey',
  { invalidates: ({ organization }) => organization },
  async (db, { organization, key, to }) => {
    const before: readonly string[] = BEFORE[to];
    const state = await stateOf(db, organization, key);
    if (state === to) return 'done';
    if (state === undefined || !before.includes(state)) return 'unknown';
    await bumpEpoch(db, organization);
    await db
      .updateTable('keys')
      .set({ state: to })
      .where('id', '=', key)
      .where('state', 'in', BEFORE[to])
      .execute();
    return 'done';
  },
);

/** Absent fields stay unchanged; `expires` is ms since the epoch, null: never. */
export type KeyChange = KeyLimits &
  Readonly<{ name?: string | undefined; expires?: number | null | undefined }>;

/**
 * Changes a key; as with `revokeKey`, the next admission sees it. `unknown`: no such key, or
 * deleted.
 */
export const changeKey = writeProcedure<
  Readonly<{ organization: OrganizationId; key: KeyId }> & KeyChange,
  'done' | 'unknown'
>(
  'changeKey',
  { invalidates: ({ organization }) => organization },
  async (db, { organization, key, ...change }) => {
    const state = await stateOf(db, organization, key);
    if (state === undefined || state === 'deleted') return 'unknown';
    await bumpEpoch(db, organization);
    const to = columnsOf(change);
    if (Object.keys(to).length > 0) {
      await db.updateTable('keys').set(to).where('id', '=', key).execute();
    }
    return 'done';
  },
);

function columnsOf(change: KeyChange): Partial<KeyRow> {
  const { name, expires, limits = {}, monthlyCap, dailyCap, allowedModels } = change;
  return {
    ...(name === undefined ? {} : { name }),
    ...(expires === undefined ? {} : { expires: instantOf(expires) }),
    ...limitColumns(limits),
    ...(monthlyCap === undefined ? {} : { monthly_cap: monthlyCap }),
    ...(dailyCap === undefined ? {} : { daily_cap: dailyCap }),
    ...(allowedModels === undefined ? {} : { allowed_models: storedModels(allowedModels) }),
  };
}

function instantOf(time: number | null): bigint | null {
  return time === null ? null : milliseconds(time);
}

async function stateOf(
  db: Db,
  organization: OrganizationId,
  key: KeyId,
): Promise<KeyRow['state'] | undefined> {
  const row = await db
    .selectFrom('keys')
    .select('state')
    .where('id', '=', key)
    .where('organization', '=', organization)
    .executeTakeFirst();
  return row?.state;
}
