/** The regions of the service: where an organization's requests are served. */
import { z } from 'zod';

export const REGIONS = ['global', 'us', 'eu'] as const;
export const Region = z.enum(REGIONS);
export type Region = z.infer<typeof Region>;
