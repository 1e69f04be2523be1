/** `penstock ledger verify`: derives every balance again, with or without a running router. */
import { existsSync } from 'node:fs';
import { z } from 'zod';
import { REGISTRY } from '../router/installation/store.ts';
import { sqliteFile } from '../router/store/store-url.ts';
import { verifyStore } from '../router/verify/verify-store.ts';
import type { Verification } from '../router/verify/verify.ts';
import { systemClock as clock } from '../shared/clock.ts';
import { makeLog } from '../shared/log.ts';
import { Failed, UsageError } from './faults.ts';
import { checkFlags } from './flags.ts';
import { NOT_BOTH, STORE_FLAGS, storeUrlOf } from './store-flags.ts';

const Flags = z.object({ ...STORE_FLAGS, json: z.boolean().default(false) }).refine(...NOT_BOTH);

/** Throws UsageError when there is no store, and Failed when anything differs. */
export async function ledgerVerify(given: object): Promise<void> {
  const { json, ...where } = checkFlags(Flags, given);
  const url = storeUrlOf(where);
  const file = sqliteFile(url);
  if (file !== null && !existsSync(file))
    throw new UsageError(`there is no store ${file}: check --data or --store`);
  const parts = { clock, log: makeLog('ledger', 'warn') };
  const verification = await verifyStore({ url, registry: REGISTRY }, parts);
  process.stdout.write(json ? asJson(verification) : asText(verification));
  const { length } = verification.differences;
  if (length > 0) throw new Failed(`the ledger differs from its transfers in ${length} places`);
}

function asText({ checked, differences }: Verification): string {
  const counts = Object.entries(checked).map(([table, rows]) => `${rows} ${table}`);
  const lines = [`checked ${counts.join(', ')}`, ...differences];
  if (differences.length === 0) lines.push('no difference');
  return `${lines.join('\n')}\n`;
}

function asJson({ checked, differences }: Verification): string {
  const counts = Object.entries(checked).map(([table, rows]) => [table, Number(rows)]);
  return `${JSON.stringify({ checked: Object.fromEntries(counts), differences }, null, 2)}\n`;
}
