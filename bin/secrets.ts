/**
 * `penstock secrets …`: replaces the pepper of an installation, step by step; see docs/secrets.md.
 */
import { z } from 'zod';
import { pepperUseIn } from '../router/installation/pepper-use.ts';
import { addPepper } from '../router/secrets.ts';
import { StoreUrl } from '../router/store/store-url.ts';
import { systemClock as clock } from '../shared/clock.ts';
import { makeLog } from '../shared/log.ts';
import { printJson, printTable } from './admin/output.ts';
import { checkFlags, Path } from './flags.ts';

const File = z.object({ secrets: Path });
const OnStore = File.extend({
  store: StoreUrl,
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
  await printTable([uses], ({ table, tag, rows }) => ({
    pepper: tag,
    kept: table,
    rows,
  }));
}
