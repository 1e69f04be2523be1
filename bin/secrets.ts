/**
 * `penstock secrets …`: replaces the pepper of an installation, step by step; see docs/secrets.md.
 */
import { z } from 'zod';
import { pepperUseIn } from '../router/installation/pepper-use.ts';
import { addPepper } from '../router/secrets.ts';
import { STORE_URL, STORE_URL_FAULT } from '../router/store/open-store.ts';
import { systemClock as clock } from '../shared/clock.ts';
import { makeLog } from '../shared/log.ts';
import { printJson, printTable } from './admin/output.ts';
import { checkFlags } from './flags.ts';

const File = z.object({ secrets: z.string().min(1, 'is empty') });
const OnStore = File.extend({
  store: z.string().regex(STORE_URL, STORE_URL_FAULT),
  json: z.boolean().default(false),
});

export async function rotatePepper(given: object): Promise<void> {
  const { secrets } = checkFlags(File, given);
  await addPepper(secrets);
  process.stdout.write(
    `${secrets} has a new pepper, which is not used yet. Copy the file to every router, restart the routers ` +
      'one after another, and then run `penstock fleet settings --accept`.\n',
  );
}

export async function status(given: object): Promise<void> {
  const { json, ...where } = checkFlags(OnStore, given);
  const uses = await pepperUseIn(where, { clock, log: makeLog('secrets', 'warn') });
  if (json) return await printJson(uses);
  await printTable(pageOf(uses), ({ table, tag, rows }) => ({
    pepper: tag,
    kept: table,
    rows: String(rows),
  }));
}

async function* pageOf<Item>(rows: readonly Item[]): AsyncGenerator<readonly Item[]> {
  yield rows;
}
