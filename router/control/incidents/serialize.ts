import type { Incident } from '../../../shared/api/incidents.ts';
import { instantOrNull, isoInstant } from '../api.ts';
import type { StoredIncident } from './procedures.ts';

export function shownIncident(incident: StoredIncident): Incident {
  const { id, title, state, models, regions, created, resolved, updates } = incident;
  return {
    id,
    title,
    state,
    models: [...models],
    regions: [...regions],
    created: isoInstant(created),
    resolved: instantOrNull(resolved),
    updates: updates.map((one) => ({
      state: one.state,
      message: one.message,
      created: isoInstant(one.created),
    })),
  };
}
