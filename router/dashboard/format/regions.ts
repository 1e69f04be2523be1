/** The regions, as lists and filters show them. */
import { REGION_NAMES, REGIONS } from '../../../shared/region.ts';

/** For filters and toggles. */
export const REGION_CHOICES = REGIONS.map((value) => ({ value, name: REGION_NAMES[value] }));
