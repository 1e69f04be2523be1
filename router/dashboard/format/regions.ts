/** Names of the regions. Only the type comes from the schema, which is not bundled for browsers. */
import type { Region } from '../../../shared/region.ts';

export const REGION_NAMES = {
  global: 'Global',
  us: 'US',
  eu: 'EU',
} as const satisfies Record<Region, string>;

export const REGIONS = Object.keys(REGION_NAMES) as readonly Region[];

/** For filters and toggles. */
export const REGION_CHOICES = REGIONS.map((value) => ({ value, name: REGION_NAMES[value] }));
