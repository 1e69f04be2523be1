/**
 * The alarms of the platform in the store, each with its beginning and its end. Every router records
 * the alarms that it finds, so the log goes on as long as one router runs.
 */
import { sql } from 'kysely';
import type { AlarmId } from '../../../shared/ids.ts';
import { derivedId } from '../../../shared/ids.ts';
import { ALARM_GAP_MS } from '../../../shared/bounds/kept-alarms.ts';
import { MINUTE_MS } from '../../../shared/durations.ts';
import type { PlatformAlarm } from '../../../shared/api/platform.ts';
import { milliseconds } from '../../store/milliseconds.ts';
import { type Db, readProcedure, writeProcedure } from '../../store/procedure.ts';
import type { AlarmRow } from '../../store/schema/alarms.ts';
import { cutPage, type ListQuery, type Page } from '../pages.ts';
import type { FoundAlarm } from './alarm.ts';

/** Of several routers, one record in this time is enough. */
const SEEN_LATELY_MS = MINUTE_MS / 2;

/** Records the alarms of now. One that is not among them has ended. `now`: ms since the epoch. */
export const recordAlarms = writeProcedure<
  Readonly<{ alarms: readonly FoundAlarm[]; now: number }>,
  null
>('recordAlarms', async (db, { alarms, now }) => {
  const present = await endOutdated(db, await readPresent(db, now), now);
  const found = new Map(alarms.map((alarm) => [keyOfAlarm(alarm), alarm]));
  for (const [key, alarm] of found) {
    const row = present.get(key);
    if (row) await goOn(db, row, { alarm, now });
    else await begin(db, alarm, now);
  }
  for (const [key, { id, ended }] of present) {
    if (found.has(key)) continue;
    if (ended !== null) continue;
    await db
      .updateTable('alarms')
      .set({ ended: milliseconds(now) })
      .where('id', '=', id)
      .execute();
  }
  return null;
});

/** The alarms that have not ended, and those that may be back. */
async function readPresent(db: Db, now: number): Promise<readonly AlarmRow[]> {
  return await db
    .selectFrom('alarms')
    .selectAll()
    .where((row) =>
      row.or([row('ended', 'is', null), row('ended', '>=', milliseconds(now - ALARM_GAP_MS))]),
    )
    .orderBy('id')
    .execute();
}

/**
 * Ends the alarms that nobody has seen for long, because no router ran. Returns the others: the last of
 * each kind and subject.
 */
async function endOutdated(
  db: Db,
  rows: readonly AlarmRow[],
  now: number,
): Promise<ReadonlyMap<string, AlarmRow>> {
  const present = new Map<string, AlarmRow>();
  for (const row of rows) {
    if (row.ended !== null || Number(row.seen) >= now - ALARM_GAP_MS) {
      present.set(keyOfAlarm(row), row);
    } else {
      await db.updateTable('alarms').set({ ended: row.seen }).where('id', '=', row.id).execute();
    }
  }
  return present;
}

async function goOn(
  db: Db,
  row: AlarmRow,
  { alarm, now }: Readonly<{ alarm: FoundAlarm; now: number }>,
): Promise<void> {
  const isWorse = isMoreThan(alarm, row);
  const began = await earlierBeginning(db, row, beginningOf(alarm, Number(row.began)));
  const isSeenLately = row.ended === null && now - Number(row.seen) < SEEN_LATELY_MS;
  if (isSeenLately && !isWorse && began === Number(row.began)) return;
  await db
    .updateTable('alarms')
    .set({
      seen: milliseconds(now),
      ended: null,
      began: milliseconds(began),
      ...(!isMoreThan(row, alarm) && contentOf(alarm)),
    })
    .where('id', '=', row.id)
    .execute();
}

/** When an alarm began whose cause began at `since`: no later than its row says. */
async function earlierBeginning(db: Db, row: AlarmRow, since: number): Promise<number> {
  const began = Number(row.began);
  if (since >= began) return began;
  return Math.min(began, await readBeginning(db, row, since));
}

type Named = Readonly<{ kind: string; subject: string }>;

/**
 * When an alarm began whose cause began at `since`: no earlier than the one before it ended. `id`: of
 * its row, if it has one. In ms since the epoch.
 */
async function readBeginning(
  db: Db,
  { kind, subject, id }: Named & Readonly<{ id?: AlarmId }>,
  since: number,
): Promise<number> {
  let query = db
    .selectFrom('alarms')
    .select((of) => of.fn.max('ended').as('ended'))
    .where('ended', '>', milliseconds(since))
    .where('kind', '=', kind)
    .where('subject', '=', subject);
  if (id !== undefined) query = query.where('id', '!=', id);
  const before = await query.executeTakeFirst();
  return Math.max(since, Number(before?.ended ?? 0));
}

type Weight = Readonly<{ severity: AlarmRow['severity']; affected: number | bigint }>;

/** An urgent alarm is more than a warning. Of two that are as urgent, the one about more is. */
function isMoreThan(one: Weight, other: Weight): boolean {
  if (one.severity !== other.severity) return one.severity === 'urgent';
  return one.affected > other.affected;
}

/** `now`: ms since the epoch. */
async function begin(db: Db, alarm: FoundAlarm, now: number): Promise<void> {
  const { kind, subject } = alarm;
  const at = milliseconds(now);
  await db
    .insertInto('alarms')
    .values({
      id: derivedId('alarm', keyOfAlarm(alarm), now),
      kind,
      subject,
      ...contentOf(alarm),
      began: milliseconds(await readBeginning(db, alarm, beginningOf(alarm, now))),
      seen: at,
      ended: null,
    })
    .execute();
}

function contentOf({ severity, message, page, affected, ...of }: FoundAlarm) {
  return {
    severity,
    message,
    page,
    affected: BigInt(affected),
    models: JSON.stringify(of.models ?? []),
    regions: JSON.stringify(of.regions ?? []),
    routers: JSON.stringify(of.routers ?? []),
  };
}

function beginningOf({ since }: PlatformAlarm, otherwise: number): number {
  return since === undefined || since === null ? otherwise : Date.parse(since);
}

export function keyOfAlarm({ kind, subject }: Named): string {
  return `${kind} ${subject}`;
}

/** For procedures: when each alarm began that has not ended; like `now` in ms since the epoch. */
export async function readBeginnings(db: Db, now: number): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('alarms')
    .select(['kind', 'subject', 'began'])
    .where('ended', 'is', null)
    .where('seen', '>=', milliseconds(now - ALARM_GAP_MS))
    .execute();
  return new Map(rows.map((row) => [keyOfAlarm(row), Number(row.began)]));
}

/** `from` and `until` in ms since the epoch, null: no bound. `until` is exclusive. */
type AlarmsQuery = ListQuery<AlarmId> & Readonly<{ from: number | null; until: number | null }>;

/** The alarms that were active in a time. The last to begin is first. */
export const listAlarms = readProcedure<AlarmsQuery, Page<AlarmRow, AlarmId>>(
  'listAlarms',
  async (db, { from, until, after, limit }) => {
    let query = db.selectFrom('alarms').selectAll();
    if (until !== null) query = query.where('began', '<', milliseconds(until));
    if (from !== null) {
      const at = milliseconds(from);
      query = query.where((row) => row.or([row('ended', 'is', null), row('ended', '>=', at)]));
    }
    if (after !== null) {
      const began = await readBegan(db, after);
      query = query.where((row) => {
        const isOlder = row('id', '<', after);
        if (began === undefined) return isOlder;
        return row.or([row('began', '<', began), row.and([row('began', '=', began), isOlder])]);
      });
    }
    const newest = query
      .orderBy('began', 'desc')
      .orderBy('id', 'desc')
      .limit(limit + 1);
    return cutPage(await newest.execute(), limit, ({ id }) => id);
  },
);

/** Undefined for an alarm that is not kept any more. */
async function readBegan(db: Db, id: AlarmId): Promise<AlarmRow['began'] | undefined> {
  const row = await db.selectFrom('alarms').select('began').where('id', '=', id).executeTakeFirst();
  return row?.began;
}

/**
 * The alarm of each kind that was active last. It reads all alarms that are kept, of which there are
 * few (`retention/alarms.ts`).
 */
export const listLatestAlarms = readProcedure<null, readonly AlarmRow[]>(
  'listLatestAlarms',
  async (db) => {
    const ranked = db
      .selectFrom('alarms')
      .selectAll()
      .select(
        sql<bigint>`row_number() over
          (partition by kind order by coalesce(ended, seen) desc, id desc)`.as('place'),
      );
    return await db
      .selectFrom(ranked.as('ranked'))
      .selectAll()
      .where('place', '=', 1n)
      .orderBy('kind')
      .execute();
  },
);

/**
 * Deletes alarms that ended before an instant (ms since the epoch), and the oldest of more than `most`:
 * up to `rows`. Returns how many it has deleted.
 */
export const forgetAlarms = writeProcedure<
  Readonly<{ before: number; most: number; rows: number }>,
  number
>('forgetAlarms', async (db, { before, most, rows }) => {
  const beyond = await db
    .selectFrom('alarms')
    .select('id')
    .orderBy('id', 'desc')
    .offset(most)
    .limit(1)
    .executeTakeFirst();
  const found = await db
    .selectFrom('alarms')
    .select('id')
    .where('ended', 'is not', null)
    .where((row) =>
      row.or([
        row('ended', '<', milliseconds(before)),
        ...(beyond ? [row('id', '<=', beyond.id)] : []),
      ]),
    )
    .limit(rows)
    .execute();
  const ids = found.map(({ id }) => id);
  if (ids.length > 0) await db.deleteFrom('alarms').where('id', 'in', ids).execute();
  return ids.length;
});
