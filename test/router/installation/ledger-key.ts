/** Reads a key's record as the ledger has it, directly from the database. */
import type { KeyRecord } from '../../../router/ledger/operations.ts';
import type { StorePlace } from '../../support/store.ts';

export async function ledgerKey(place: StorePlace, digest: string): Promise<KeyRecord | null> {
  const [row] = (await place.sql(
    `SELECT id AS key, organization FROM keys WHERE digest = '${digest}'`,
  )) as Partial<KeyRecord>[];
  if (!row) return null;
  const found = { ...row, region: 'global', active: true, expires: null, rates: [] };
  const none = { requestsPerMinute: null, tokensPerMinute: null, concurrentRequests: null };
  return { ...found, limits: none, keyLimits: none, monthlyCap: null } as unknown as KeyRecord;
}
