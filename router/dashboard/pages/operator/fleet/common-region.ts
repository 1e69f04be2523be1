/** The region that most of the failed requests of the last hour were in. */
import { useQuery } from '@tanstack/react-query';
import type { FleetHistory } from '../../../../../shared/api/fleet-history.ts';
import type { Region } from '../../../../../shared/region.ts';
import { regionsHourQuery } from '../../../api/fleet-history.ts';
import { errorsOf } from './history-series.ts';

export type CommonRegion = Readonly<{
  region: Region;
  failed: number;
  /** How many failed in all regions. */
  all: number;
}>;

/** Null while the history is not known, too. */
export function useCommonRegion(): CommonRegion | null {
  const { data } = useQuery(regionsHourQuery);
  return data ? commonRegion(data) : null;
}

/**
 * Null if no region had more than half of them, and if there is only one. `groups`: by region, also of
 * regions where none failed.
 */
export function commonRegion({ groups }: Pick<FleetHistory, 'groups'>): CommonRegion | null {
  if (groups.length < 2) return null;
  const all = groups.reduce((sum, { total }) => sum + errorsOf(total), 0);
  for (const { region, total } of groups) {
    const failed = errorsOf(total);
    if (region !== null && 2 * failed > all) return { region, failed, all };
  }
  return null;
}
