/** The regions, as lists and filters show them. */
import { REGION_NAMES } from '../../../shared/region-names.ts';
import type { Region } from '../../../shared/region.ts';

export { REGION_NAMES };

export const REGIONS = Object.keys(REGION_NAMES) as readonly Region[];

/** For filters and toggles. */
export const REGION_CHOICES = REGIONS.map((value) => ({ value, name: REGION_NAMES[value] }));
