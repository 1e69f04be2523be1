/**
 * Who wrote the updates of incidents, for operators: the audit log has an entry for each, written in
 * the same transaction.
 */
import { sql } from 'kysely';
import { INCIDENT_UPDATES_MAX, INCIDENTS_MAX } from '../../../shared/incidents.ts';
import { AGENT_ID_CHARS, type IncidentId } from '../../../shared/ids.ts';
import { type Db, readProcedure } from '../../store/procedure.ts';
import { namesOf } from '../audit/names.ts';
import { readListed, type StoredIncident } from './procedures.ts';

type Author = Readonly<{ id: string; name: string | null }>;

/** The authors of the updates of each incident, by its id, the oldest update first. */
export type Authors = ReadonlyMap<IncidentId, readonly (Author | null)[]>;

export const listWrittenIncidents = readProcedure<
  Readonly<{ since: number }>,
  Readonly<{ incidents: readonly StoredIncident[]; authors: Authors }>
>('listWrittenIncidents', async (db, query) => {
  const incidents = await readListed(db, query);
  return { incidents, authors: await readAuthors(db, incidents) };
});

async function readAuthors(db: Db, incidents: readonly StoredIncident[]): Promise<Authors> {
  const ids = incidents.map(({ id }) => id);
  if (ids.length === 0) return new Map();
  const entries = await db
    .selectFrom('audit')
    .select(['target', 'actor'])
    .where('organization', 'is', null)
    // As the index of the entries about agents has it, whose ids are as long.
    .where(sql<string>`substr(target, 1, ${sql.lit(AGENT_ID_CHARS)})`, 'in', ids)
    .where('action', 'in', ['incident.create', 'incident.update'])
    .orderBy('id')
    .limit(INCIDENTS_MAX * INCIDENT_UPDATES_MAX)
    .execute();
  const names = await namesOf(
    db,
    entries.flatMap(({ actor }) => actor ?? []),
  );
  const ofIncident = Map.groupBy(entries, ({ target }) => target as IncidentId);
  return new Map(
    incidents.map(({ id, updates }) => {
      // An update without an entry would shift the authors of all: none is named then.
      const written = ofIncident.get(id) ?? [];
      if (written.length !== updates.length) return [id, updates.map(() => null)];
      return [
        id,
        written.map(({ actor }) =>
          actor === null ? null : { id: actor, name: names.get(actor)?.name ?? null },
        ),
      ];
    }),
  );
}
