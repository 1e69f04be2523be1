import { type Region, REGIONS } from '../../shared/region.ts';

/**
 * Returns the regions that the router has written into the page: those whose base URL it knows. The
 * development server writes none, so there it is all of them.
 */
export function servedRegions(): readonly Region[] {
  const written = document.querySelector<HTMLMetaElement>('meta[name=regions]')?.content ?? '';
  const served = REGIONS.filter((region) => written.split(' ').includes(region));
  return served.length > 0 ? served : REGIONS;
}
