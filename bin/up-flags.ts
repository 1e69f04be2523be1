/** The flags of `penstock up`. */
import { z } from 'zod';
import { STORE_URL, STORE_URL_FAULT } from '../router/store/open-store.ts';
import { checkFlags, Port } from './flags.ts';
import { stopOnSignals } from './stopping.ts';
import { up } from './up.ts';

/** `--regions` has three listeners, each on the next port. */
const PORT_MAX_WITH_REGIONS = 65_533;

const Flags = z
  .object({
    port: Port.default(8080),
    data: z.string().min(1, 'is empty').default('.penstock'),
    store: z.string().regex(STORE_URL, STORE_URL_FAULT).optional(),
    catalog: z.string().min(1, 'is empty').optional(),
    engine: z
      .url({ protocol: /^https?$/, error: 'must be a URL such as http://127.0.0.1:8000' })
      .optional(),
    settings: z.string().min(1, 'is empty').optional(),
    regions: z.boolean().default(false),
    readyFile: z.string().min(1, 'is empty').optional(),
  })
  .refine(({ port, regions }) => !regions || port <= PORT_MAX_WITH_REGIONS, {
    path: ['port'],
    error: 'leaves no room for the next two ports, which --regions needs',
  });

export async function upWithFlags(given: object): Promise<void> {
  const { store, catalog, engine, settings, readyFile, ...rest } = checkFlags(Flags, given);
  await up({ ...rest, store, catalog, engine, settings, readyFile, ...stopOnSignals() });
}
