/** Operators write incidents here. Everybody reads them with the status. */
import {
  Incident,
  IncidentCorrection,
  IncidentDeleted,
  IncidentPath,
  NewIncident,
  NewIncidentUpdate,
  OpenIncidents,
  WrittenIncidents,
} from '../../../shared/api/incidents.ts';
import { DAY_MS } from '../../../shared/durations.ts';
import { INCIDENT_DAYS, INCIDENT_UPDATES_MAX } from '../../../shared/incidents.ts';
import { mintId } from '../../../shared/ids.ts';
import { type Api, found, isoInstant, noSuch, Refused } from '../api.ts';
import type { ControlParts } from '../parts.ts';
import type { PublicFigures } from '../public-figures/answers.ts';
import {
  correctedDetails,
  correctIncidentAudited,
  createIncidentAudited,
  deleteIncidentAudited,
  listIncidents,
  updateIncidentAudited,
} from './procedures.ts';
import { listWrittenIncidents } from './authors.ts';
import { openIncident, shownIncident, writtenIncident } from './serialize.ts';

export type IncidentParts = Pick<ControlParts, 'store' | 'clock' | 'random' | 'catalog'> &
  Readonly<{
    /** They are made again when an incident has changed, so that this router shows it at once. */
    figures: Pick<PublicFigures, 'outdate'>;
  }>;

export function incidentRoutes(api: Api, parts: IncidentParts): void {
  const { store, clock, random, catalog, figures } = parts;

  api.get(
    '/incidents',
    {
      config: { access: 'operator' },
      schema: {
        summary:
          'List incidents of the last 90 days and open ones, with the authors of their updates',
        tags: ['incidents'],
        response: { 200: WrittenIncidents },
      },
    },
    async () => {
      const since = clock.now() - INCIDENT_DAYS * DAY_MS;
      const { incidents, authors } = await store.call(listWrittenIncidents, { since });
      return { data: incidents.map((incident) => writtenIncident(incident, authors)) };
    },
  );

  api.get(
    '/incidents/open',
    {
      config: { access: 'person' },
      schema: {
        summary: 'List the incidents that are not resolved',
        tags: ['incidents'],
        response: { 200: OpenIncidents },
      },
    },
    async () => {
      const incidents = await store.call(listIncidents, { since: clock.now() });
      const open = incidents.filter(({ resolved }) => resolved === null);
      return { data: open.map((incident) => openIncident(shownIncident(incident))) };
    },
  );

  api.post(
    '/incidents',
    {
      config: { access: 'operator', action: 'incident.create' },
      schema: {
        summary: 'Report an incident on the status page',
        tags: ['incidents'],
        body: NewIncident,
        response: { 201: Incident },
      },
    },
    async (request, reply) => {
      const { started, ...said } = request.body;
      const { title, state, models, regions } = said;
      const now = clock.now();
      checkModels(catalog, models);
      checkStart(started, now);
      const incident = mintId('incident', clock, random);
      const stored = await store.call(createIncidentAudited, {
        input: { ...said, incident, began: started ?? now, now },
        entry: request.auditEntry({
          organization: null,
          target: incident,
          details: {
            name: title,
            state,
            models: models.join(', '),
            regions: regions.join(', '),
            ...(started !== undefined && { started: isoInstant(started) }),
          },
        }),
      });
      if (stored === 'exists') throw titleIsTaken();
      figures.outdate();
      return reply.code(201).send(shownIncident(found(stored, 'incident')));
    },
  );

  api.patch(
    '/incidents/:incident',
    {
      config: { access: 'operator', action: 'incident.correct' },
      schema: {
        summary: 'Correct what an incident and its newest update say',
        tags: ['incidents'],
        params: IncidentPath,
        body: IncidentCorrection,
        response: { 200: Incident },
      },
    },
    async (request) => {
      const { incident } = request.params;
      checkModels(catalog, request.body.models ?? []);
      checkStart(request.body.started, clock.now());
      const stored = await store.call(correctIncidentAudited, {
        input: { ...request.body, incident },
        entry: request.auditEntry({
          organization: null,
          target: incident,
          details: correctedDetails(request.body),
        }),
      });
      if (stored === 'exists') throw titleIsTaken();
      if (stored === 'late') {
        const message = 'The incident began before its first update was written.';
        throw new Refused('invalid_value', message, 'started');
      }
      const corrected = found(stored, 'incident');
      figures.outdate();
      return shownIncident(corrected);
    },
  );

  api.post(
    '/incidents/:incident/updates',
    {
      config: { access: 'operator', action: 'incident.update' },
      schema: {
        summary: 'Add an update to an incident, and change its state',
        tags: ['incidents'],
        params: IncidentPath,
        body: NewIncidentUpdate,
        response: { 201: Incident },
      },
    },
    async (request, reply) => {
      const { incident } = request.params;
      const { state } = request.body;
      const stored = await store.call(updateIncidentAudited, {
        input: { ...request.body, incident, now: clock.now() },
        entry: request.auditEntry({ organization: null, target: incident, details: { state } }),
      });
      if (stored === 'unknown') throw noSuch('incident');
      if (stored === 'exists') {
        const message =
          'Another incident with this title is open. Post the update to that one, or correct a title first.';
        throw new Refused('conflict', message, 'state');
      }
      if (stored === 'full') {
        const message = `An incident has at most ${INCIDENT_UPDATES_MAX} updates. Report a new one.`;
        throw new Refused('conflict', message);
      }
      figures.outdate();
      return reply.code(201).send(shownIncident(stored));
    },
  );

  api.delete(
    '/incidents/:incident',
    {
      config: { access: 'operator', action: 'incident.delete' },
      schema: {
        summary: 'Delete an incident that was reported by mistake',
        tags: ['incidents'],
        params: IncidentPath,
        response: { 200: IncidentDeleted },
      },
    },
    async (request) => {
      const { incident } = request.params;
      const answer = await store.call(deleteIncidentAudited, {
        input: { incident },
        entry: request.auditEntry({ organization: null, target: incident }),
      });
      if (answer === 'unknown') throw noSuch('incident');
      figures.outdate();
      return { id: incident, deleted: true as const };
    },
  );
}

function titleIsTaken(): Refused {
  const message =
    'An incident with this title is open. Post an update to it, or choose another title.';
  return new Refused('conflict', message, 'title');
}

/** Throws `Refused` for a start in the future, or before the incidents that are shown. */
function checkStart(started: number | undefined, now: number): void {
  if (started === undefined) return;
  if (started <= now && started >= now - INCIDENT_DAYS * DAY_MS) return;
  const message = `An incident began in the last ${INCIDENT_DAYS} days, and not in the future.`;
  throw new Refused('invalid_value', message, 'started');
}

/** Throws `Refused` for a model that is not in the catalog. */
function checkModels(catalog: IncidentParts['catalog'], models: readonly string[]): void {
  const known = new Set([...catalog.models].map(({ entry }) => entry.id));
  const unknown = models.find((model) => !known.has(model));
  if (unknown === undefined) return;
  throw new Refused('invalid_value', 'Choose models of the catalog.', 'models');
}
