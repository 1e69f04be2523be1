/**
 * The regions of the service: where an organization's requests are served. Browsers and the store's
 * threads load this file, so its schema is in `region-schema.ts`.
 */
export const REGIONS = ['global', 'us', 'eu'] as const;
export type Region = (typeof REGIONS)[number];

/** Names for people. */
export const REGION_NAMES = {
  global: 'Global',
  us: 'US',
  eu: 'EU',
} as const satisfies Record<Region, string>;
