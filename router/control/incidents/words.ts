/** Incidents in words, for the feed and for emails. */
import type { Incident } from '../../../shared/api/incidents.ts';
import { capitalized } from '../../../shared/capitalized.ts';
import { type Region, REGION_NAMES } from '../../../shared/region.ts';

/** "Resolved: Slow answers" */
export function titleOf(title: string, state: Incident['state']): string {
  return `${capitalized(state)}: ${title}`;
}

type Affected = Readonly<{ models: readonly string[]; regions: readonly Region[] }>;

/** `models`: their names. */
export function affectedBy({ models, regions }: Affected): string {
  const which = models.length === 0 ? 'all models' : models;
  const where = regions.length === 0 ? 'all regions' : regions.map((one) => REGION_NAMES[one]);
  return `Affected: ${[which].flat().join(', ')}; ${[where].flat().join(', ')}.`;
}
