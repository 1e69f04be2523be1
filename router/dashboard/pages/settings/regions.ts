/** Regions as people call them. */
import type { Organization } from '../../../../shared/api/organizations.ts';

export type RegionName = Organization['region'];
export type RegionalName = Exclude<RegionName, 'global'>;

export const REGION_NAMES = {
  global: 'Global',
  us: 'US',
  eu: 'EU',
} as const satisfies Record<RegionName, string>;
