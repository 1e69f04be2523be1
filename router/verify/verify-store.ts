/** Verifies the ledger of a store and, on SQLite, that its file has everything up to its mark. */
import { existsSync } from 'node:fs';
import { openStoreReadOnly } from '../store/open-store.ts';
import { findLoss, lookBeside } from '../store/sqlite/mark.ts';
import { sqliteFile } from '../store/store-url.ts';
import type { StoreConfig, StoreParts } from '../store/store.ts';
import { type Verification, verifyLedger } from './verify.ts';

/** Verifies a store, whether or not routers are running on it. */
export async function verifyStore(config: StoreConfig, parts: StoreParts): Promise<Verification> {
  const file = sqliteFile(config.url);
  const beside = file !== null && existsSync(file) ? lookBeside(file) : null;
  await using reader = await openStoreReadOnly(config, parts);
  const verification = await reader.call(verifyLedger, null);
  if (beside === null) return verification;
  const { checked, differences } = verification;
  const loss = findLoss(beside, checked['transfers'] ?? 0n);
  if (loss === null) return verification;
  return { ...verification, differences: [`store: ${loss}`, ...differences] };
}
