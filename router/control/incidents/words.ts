/** Incidents in words, for the feed and for emails. */
import type { Incident } from '../../../shared/api/incidents.ts';
import { REGION_NAMES } from '../../../shared/region.ts';

/** "Resolved: Slow answers" */
export function titleOf(title: string, state: Incident['state']): string {
  return `${state.charAt(0).toUpperCase()}${state.slice(1)}: ${title}`;
}

/** `names`: of models by their ids. A model without a name is shown by its id. */
export function affectedBy(
  { models, regions }: Readonly<Pick<Incident, 'regions'> & { models: readonly string[] }>,
  names: ReadonlyMap<string, string> = new Map(),
): string {
  const which = models.length === 0 ? 'all models' : models.map((id) => names.get(id) ?? id);
  const where = regions.length === 0 ? 'all regions' : regions.map((one) => REGION_NAMES[one]);
  return `Affected: ${[which].flat().join(', ')}; ${[where].flat().join(', ')}.`;
}
