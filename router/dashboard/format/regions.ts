/** The regions, as people read them. */
import { REGION_NAMES, REGIONS } from '../../../shared/region.ts';

/** For filters and toggles. */
export const REGION_CHOICES = REGIONS.map((value) => ({ value, name: REGION_NAMES[value] }));

/** The name of a region that a request has, or its id if it is of a later version. */
export function regionName(region: string): string {
  return REGION_CHOICES.find(({ value }) => value === region)?.name ?? region;
}
