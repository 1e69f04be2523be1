/** The names of the regions, for people. Only the type comes from the schema, which browsers do not load. */
import type { Region } from './region.ts';

export const REGION_NAMES = {
  global: 'Global',
  us: 'US',
  eu: 'EU',
} as const satisfies Record<Region, string>;
