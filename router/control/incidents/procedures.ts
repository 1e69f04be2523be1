/** Incidents in the store. */
import { INCIDENT_UPDATES_MAX, INCIDENTS_MAX } from '../../../shared/incidents.ts';
import type { IncidentId } from '../../../shared/ids.ts';
import type { Region } from '../../../shared/region.ts';
import { milliseconds } from '../../store/milliseconds.ts';
import { type Db, readProcedure, writeProcedure } from '../../store/procedure.ts';
import type { IncidentState, IncidentUpdateRow } from '../../store/schema/incidents.ts';
import { isoInstant } from '../api.ts';
import { audited, type Details } from '../audit/record.ts';
import { postIncidentLetter, withdrawIncidentLetters } from '../mail/incident-letters.ts';

export type StoredIncident = Readonly<{
  id: IncidentId;
  title: string;
  state: IncidentState;
  models: readonly string[];
  regions: readonly Region[];
  created: bigint;
  resolved: bigint | null;
  /** The newest first. */
  updates: readonly IncidentUpdateRow[];
}>;

/** Reads the incidents that are not resolved or began after `since`, the newest first. */
export const listIncidents = readProcedure<Readonly<{ since: number }>, StoredIncident[]>(
  'listIncidents',
  readListed,
);

/** For procedures: the same. */
export async function readListed(
  db: Db,
  { since }: Readonly<{ since: number }>,
): Promise<StoredIncident[]> {
  const rows = await db
    .selectFrom('incidents')
    .select('id')
    .where((row) => row.or([row('resolved', 'is', null), row('created', '>=', BigInt(since))]))
    .orderBy('created', 'desc')
    .orderBy('id', 'desc')
    .limit(INCIDENTS_MAX)
    .execute();
  return await readIncidents(
    db,
    rows.map(({ id }) => id),
  );
}

async function readIncidents(db: Db, ids: readonly IncidentId[]): Promise<StoredIncident[]> {
  if (ids.length === 0) return [];
  const rows = await db.selectFrom('incidents').selectAll().where('id', 'in', ids).execute();
  const updates = await db
    .selectFrom('incident_updates')
    .selectAll()
    .where('incident', 'in', ids)
    .orderBy('number', 'desc')
    .execute();
  const ofIncident = Map.groupBy(updates, ({ incident }) => incident);
  const known = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => {
    const row = known.get(id);
    if (!row) return [];
    const models = JSON.parse(row.models) as string[];
    const regions = JSON.parse(row.regions) as Region[];
    return [{ ...row, models, regions, updates: ofIncident.get(id) ?? [] }];
  });
}

type Update = Readonly<{
  incident: IncidentId;
  state: IncidentState;
  message: string;
  now: number;
}>;

/**
 * Whether another open incident has this title. Procedures that write take turns on both stores, so
 * none changes the answer before this transaction ends.
 */
async function isTitleTaken(db: Db, title: string, id: IncidentId): Promise<boolean> {
  const other = await db
    .selectFrom('incidents')
    .select('id')
    .where('title', '=', title)
    .where('resolved', 'is', null)
    .where('id', '!=', id)
    .limit(1)
    .executeTakeFirst();
  return other !== undefined;
}

type New = Update &
  Pick<StoredIncident, 'title' | 'models' | 'regions'> &
  /** In ms since the epoch. */
  Readonly<{ began: number }>;

/** Returns `exists` if an incident with this title is open: then this one was sent twice. */
const createIncident = writeProcedure<New, StoredIncident | 'exists' | null>(
  'createIncident',
  async (db, { incident: id, title, state, models, regions, message, began, now }) => {
    const created = milliseconds(now);
    if (await isTitleTaken(db, title, id)) return 'exists';
    await db
      .insertInto('incidents')
      .values({
        id,
        title,
        state,
        models: JSON.stringify(models),
        regions: JSON.stringify(regions),
        created: milliseconds(began),
        resolved: state === 'resolved' ? created : null,
      })
      .execute();
    await db
      .insertInto('incident_updates')
      .values({ incident: id, number: 1n, state, message, created })
      .execute();
    await postIncidentLetter(db, { incident: id, update: 1 }, now);
    return (await readIncidents(db, [id]))[0] ?? null;
  },
);
export const createIncidentAudited = audited(createIncident);

/**
 * Returns `unknown` for no such incident, `full` when it has too many updates, and `exists` when it
 * is opened again although another of its title is open.
 */
const updateIncident = writeProcedure<Update, StoredIncident | 'unknown' | 'full' | 'exists'>(
  'updateIncident',
  async (db, { incident, state, message, now }) => {
    const created = milliseconds(now);
    // This locks the incident, so that no two updates get the same number.
    const found = await db
      .updateTable('incidents')
      .set({ id: incident })
      .where('id', '=', incident)
      .returning('title')
      .executeTakeFirst();
    if (!found) return 'unknown';
    if (state !== 'resolved' && (await isTitleTaken(db, found.title, incident))) return 'exists';
    const { last } = await db
      .selectFrom('incident_updates')
      .select((row) => row.fn.max('number').as('last'))
      .where('incident', '=', incident)
      .executeTakeFirstOrThrow();
    const number = last + 1n;
    if (number > BigInt(INCIDENT_UPDATES_MAX)) return 'full';
    await db
      .updateTable('incidents')
      .set({ state, resolved: state === 'resolved' ? created : null })
      .where('id', '=', incident)
      .execute();
    await db
      .insertInto('incident_updates')
      .values({ incident, number, state, message, created })
      .execute();
    await postIncidentLetter(db, { incident, update: Number(number) }, now);
    return (await readIncidents(db, [incident]))[0] ?? 'unknown';
  },
);
export const updateIncidentAudited = audited(updateIncident, undefined, stateOf);

type Named = Readonly<{ incident: IncidentId }>;

type Corrected = Readonly<{
  title?: string | undefined;
  /** In ms since the epoch. */
  started?: number | undefined;
  models?: readonly string[] | undefined;
  regions?: readonly Region[] | undefined;
  message?: string | undefined;
}>;

/**
 * Changes what an incident and its newest update say, and sends no emails. Returns null for no such
 * incident, `exists` when another open incident has the new title, and `late` when it would begin after
 * its first update.
 */
const correctIncident = writeProcedure<
  Named & Corrected,
  StoredIncident | 'exists' | 'late' | null
>('correctIncident', async (db, { incident, title, started, models, regions, message }) => {
  const [stored] = await readIncidents(db, [incident]);
  if (!stored) return null;
  const isOpen = stored.resolved === null;
  if (isOpen && title !== undefined && (await isTitleTaken(db, title, incident))) return 'exists';
  const created = started === undefined ? undefined : milliseconds(started);
  const first = stored.updates.at(-1)?.created;
  if (created !== undefined && first !== undefined && created > first) return 'late';
  await db
    .updateTable('incidents')
    .set({
      // A correction of the message alone changes nothing in this row, but a statement sets something.
      id: incident,
      ...(title !== undefined && { title }),
      ...(created !== undefined && { created }),
      ...(models && { models: JSON.stringify(models) }),
      ...(regions && { regions: JSON.stringify(regions) }),
    })
    .where('id', '=', incident)
    .execute();
  if (message !== undefined) {
    await db
      .updateTable('incident_updates')
      .set({ message })
      .where('incident', '=', incident)
      .where('number', '=', (row) =>
        row
          .selectFrom('incident_updates')
          .select((one) => one.fn.max('number').as('last'))
          .where('incident', '=', incident),
      )
      .execute();
  }
  return (await readIncidents(db, [incident]))[0] ?? null;
});
export const correctIncidentAudited = audited(correctIncident, undefined, saidOf);

const deleteIncident = writeProcedure<Named, 'done' | 'unknown'>(
  'deleteIncident',
  async (db, { incident }) => {
    await withdrawIncidentLetters(db, incident);
    await db.deleteFrom('incident_updates').where('incident', '=', incident).execute();
    const gone = await db
      .deleteFrom('incidents')
      .where('id', '=', incident)
      .returning('id')
      .executeTakeFirst();
    return gone ? 'done' : 'unknown';
  },
);
export const deleteIncidentAudited = audited(deleteIncident);

/** What a correction may replace. Locks the incident. */
async function saidOf(db: Db, { incident }: Named): Promise<Details | null> {
  if ((await stateOf(db, { incident })) === null) return null;
  const [stored] = await readIncidents(db, [incident]);
  if (!stored) return null;
  const { title, created, models, regions, updates } = stored;
  const message = updates[0]?.message;
  return correctedDetails({ title, started: Number(created), models, regions, message });
}

/** What a correction changes, as the audit log has it. */
export function correctedDetails({ title, started, models, regions, message }: Corrected): Details {
  return {
    ...(title !== undefined && { title }),
    ...(started !== undefined && { started: isoInstant(started) }),
    ...(models && { models: models.join(', ') }),
    ...(regions && { regions: regions.join(', ') }),
    ...(message !== undefined && { message }),
  };
}

/** The state that an update replaces. Locks the incident. */
async function stateOf(db: Db, { incident }: Named): Promise<Details | null> {
  const row = await db
    .updateTable('incidents')
    .set({ id: incident })
    .where('id', '=', incident)
    .returning('state')
    .executeTakeFirst();
  return row ?? null;
}
