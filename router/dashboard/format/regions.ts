/** The regions, as lists and filters show them. */
import { REGION_NAMES, REGIONS } from '../../../shared/region.ts';

// Two files of the pages of routers import it from here.
export { REGION_NAMES };

/** For filters and toggles. */
export const REGION_CHOICES = REGIONS.map((value) => ({ value, name: REGION_NAMES[value] }));
