/** The open incidents of what an alarm is about. An incident does not say from which alarm it was reported. */
import type { OpenIncident } from '../../../../../shared/api/incidents.ts';
import type { PlatformAlarm } from '../../../../../shared/api/platform.ts';
import { REGIONS } from '../../../../../shared/region.ts';
import { affects, overlap } from '../../status/summary.ts';

type Affected = Pick<OpenIncident, 'models' | 'regions'>;

/** Those that affect a model of the alarm in a region of it. */
export function incidentsOf<Incident extends Affected>(
  { models = [], regions = [] }: PlatformAlarm,
  open: readonly Incident[],
): readonly Incident[] {
  if (models.length === 0) return [];
  return open.filter((incident) => overlap(incident, { models, regions }));
}

/** Whether customers are told of each model of the alarm, in each of its regions. */
export function isReported(
  { models = [], regions = [] }: PlatformAlarm,
  open: readonly Affected[],
): boolean {
  const places = regions.length === 0 ? REGIONS : regions;
  return models.every((model) =>
    places.every((region) => open.some((incident) => affects(incident, model, region))),
  );
}
