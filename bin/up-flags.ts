/** The flags of `penstock up`. */
import { z } from 'zod';
import { StoreUrl } from '../router/store/store-url.ts';
import { Path, Port } from './flags.ts';

/** `--regions` has three listeners, each on the next port. */
const PORT_MAX_WITH_REGIONS = 65_533;

export const UpFlags = z
  .object({
    port: Port.default(8080),
    data: Path.default('.penstock'),
    /** `postgres://…`, instead of a SQLite file in the data folder. */
    store: StoreUrl.optional(),
    catalog: Path.optional(),
    engine: z
      .url({ protocol: /^https?$/, error: 'must be a URL such as http://127.0.0.1:8000' })
      .optional(),
    /** A file of router settings that override those of `penstock up`. */
    settings: Path.optional(),
    /** Three listeners with two hosts each, instead of one listener with one host. */
    regions: z.boolean().default(false),
    readyFile: Path.optional(),
  })
  .refine(({ port, regions }) => !regions || port <= PORT_MAX_WITH_REGIONS, {
    path: ['port'],
    error: 'leaves no room for the next two ports, which --regions needs',
  });
export type UpFlags = z.output<typeof UpFlags>;
