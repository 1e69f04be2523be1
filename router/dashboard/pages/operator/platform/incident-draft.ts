/** What an alarm says of an incident: its title, when it began, and which models and regions are affected. */
import type { PlatformAlarm } from '../../../../../shared/api/platform.ts';
import { INCIDENT_TITLE_CHARS_MAX } from '../../../../../shared/incidents.ts';
import { REGION_NAMES } from '../../../../../shared/region.ts';
import { type HistorySearch, type IncidentsSearch } from '../../../operator-search.ts';
import { filterOf } from '../../../search-values.ts';

/** Whether customers notice what the alarm is about. */
export function isIncident({ models = [] }: PlatformAlarm): boolean {
  return models.length > 0;
}

/** `offered`: the ids of the models on the status page. */
export function draftOf(
  { kind, since, models = [], regions = [] }: PlatformAlarm,
  offered: readonly string[],
): IncidentsSearch {
  const what = kind === 'model_degraded' ? 'degraded' : 'unavailable';
  const affected = affectedWords(models, offered);
  const where = regions.map((region) => REGION_NAMES[region]).join(', ');
  const title = [`${affected} ${what}`, where === '' ? '' : ` in ${where}`].join('');
  return {
    report: true,
    title: title.slice(0, INCIDENT_TITLE_CHARS_MAX),
    ...(since !== undefined && since !== null && { started: since }),
    models: filterOf(models),
    regions: filterOf(regions),
  };
}

function affectedWords(models: readonly string[], offered: readonly string[]): string {
  const [only = '', ...others] = models;
  if (others.length === 0) return `${only} is`;
  const areAll = offered.length > 0 && offered.every((id) => models.includes(id));
  return areAll ? 'All models are' : `${models.length} models are`;
}

/** The part of the fleet's history that shows the alarm; all of it if several models are affected. */
export function placeOf({ models = [], regions = [] }: PlatformAlarm): HistorySearch {
  const [model, ...otherModels] = models;
  const [region, ...otherRegions] = regions;
  return {
    ...(otherModels.length === 0 && model !== undefined && { model }),
    ...(otherRegions.length === 0 && region !== undefined && { region }),
  };
}
