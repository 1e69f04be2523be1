/** The schema of regions, for the API, the configuration and the link. */
import { z } from 'zod';
import { REGIONS } from './region.ts';

export const Region = z.enum(REGIONS);
