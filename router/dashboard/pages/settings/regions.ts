/** Regions as people call them. */
import type { Organization } from '../../../../shared/api/organizations.ts';

export type RegionName = Organization['region'];
/** Where an organization may go, and what its keys call there. */
export type Move = Organization['moves'][number];

export const REGION_NAMES = {
  global: 'Global',
  us: 'US',
  eu: 'EU',
} as const satisfies Record<RegionName, string>;
