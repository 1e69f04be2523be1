import type { Incident, OpenIncident, WrittenIncident } from '../../../shared/api/incidents.ts';
import { instantOrNull, isoInstant } from '../api.ts';
import type { Authors } from './authors.ts';
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

export function openIncident(incident: Incident): OpenIncident {
  const { id, title, state, models, regions, created, updates } = incident;
  const updated = updates[0]?.created ?? created;
  return { id, title, state, models, regions, created, updated };
}

export function writtenIncident(incident: StoredIncident, authors: Authors): WrittenIncident {
  const shown = shownIncident(incident);
  // The updates are listed newest first, and the authors oldest first.
  const written = authors.get(incident.id)?.toReversed() ?? [];
  return {
    ...shown,
    updates: shown.updates.map((update, at) => ({ ...update, author: written[at] ?? null })),
  };
}
