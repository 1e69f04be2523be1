/**
 * The alarms of the platform in the store, each with its beginning and its end. Every router records
 * the alarms that it finds, so the log goes on as long as one router runs.
 */
import type { AlarmId } from '../../../shared/ids.ts';
import { derivedId } from '../../../shared/ids.ts';
import { MINUTE_MS } from '../../../shared/durations.ts';
import type { PlatformAlarm } from '../../../shared/api/platform.ts';
import { milliseconds } from '../../store/milliseconds.ts';
import { type Db, readProcedure, writeProcedure } from '../../store/procedure.ts';
import type { AlarmRow } from '../../store/schema/alarms.ts';
import { type ListQuery, type Page, readPage } from '../pages.ts';
import type { FoundAlarm } from './alarm.ts';

/** An alarm that is back within this time has not ended. No router records alarms less often. */
const GAP_MS = 3 * MINUTE_MS;

/** Of several routers, one record in this time is enough. */
const SEEN_LATELY_MS = MINUTE_MS / 2;

/** Records the alarms of now. One that is not among them has ended. `now`: ms since the epoch. */
export const recordAlarms = writeProcedure<
  Readonly<{ alarms: readonly FoundAlarm[]; now: number }>,
  null
>('recordAlarms', async (db, { alarms, now }) => {
  const known = await endOutdated(db, await readPresent(db, now), now);
  for (const alarm of alarms) {
    const row = known.get(keyOf(alarm));
    known.delete(keyOf(alarm));
    if (row) await goOn(db, row, { alarm, now });
    else await begin(db, alarm, now);
  }
  for (const { id, ended } of known.values()) {
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
      row.or([row('ended', 'is', null), row('ended', '>=', milliseconds(now - GAP_MS))]),
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
): Promise<Map<string, AlarmRow>> {
  const present = new Map<string, AlarmRow>();
  for (const row of rows) {
    if (row.ended !== null || Number(row.seen) >= now - GAP_MS) present.set(keyOf(row), row);
    else await db.updateTable('alarms').set({ ended: row.seen }).where('id', '=', row.id).execute();
  }
  return present;
}

async function goOn(
  db: Db,
  row: AlarmRow,
  { alarm, now }: Readonly<{ alarm: FoundAlarm; now: number }>,
): Promise<void> {
  const isWorse =
    alarm.affected > Number(row.affected) ||
    (alarm.severity === 'urgent' && row.severity === 'warning');
  const began = beginningOf(alarm, Number(row.began));
  const isSeenLately = row.ended === null && now - Number(row.seen) < SEEN_LATELY_MS;
  if (isSeenLately && !isWorse && began >= Number(row.began)) return;
  await db
    .updateTable('alarms')
    .set({
      seen: milliseconds(now),
      ended: null,
      began: milliseconds(Math.min(began, Number(row.began))),
      ...(isWorse && contentOf(alarm)),
    })
    .where('id', '=', row.id)
    .execute();
}

async function begin(db: Db, alarm: FoundAlarm, now: number): Promise<void> {
  const { kind, subject } = alarm;
  const at = milliseconds(now);
  await db
    .insertInto('alarms')
    .values({
      id: derivedId('alarm', keyOf(alarm), now),
      kind,
      subject,
      ...contentOf(alarm),
      began: milliseconds(beginningOf(alarm, now)),
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

export function keyOf({ kind, subject }: Readonly<{ kind: string; subject: string }>): string {
  return `${kind} ${subject}`;
}

/** For procedures: when each alarm began that has not ended, in ms since the epoch. */
export async function readBeginnings(db: Db): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('alarms')
    .select(['kind', 'subject', 'began'])
    .where('ended', 'is', null)
    .execute();
  return new Map(rows.map((row) => [keyOf(row), Number(row.began)]));
}

/** `from` and `until` in ms since the epoch, null: no bound. `until` is exclusive. */
type AlarmsQuery = ListQuery<AlarmId> & Readonly<{ from: number | null; until: number | null }>;

/** The alarms that were active in a time. The last to be recorded is first. */
export const listAlarms = readProcedure<AlarmsQuery, Page<AlarmRow, AlarmId>>(
  'listAlarms',
  async (db, { from, until, ...asked }) => {
    let query = db.selectFrom('alarms').selectAll();
    if (until !== null) query = query.where('began', '<', milliseconds(until));
    if (from !== null) {
      const at = milliseconds(from);
      query = query.where((row) => row.or([row('ended', 'is', null), row('ended', '>=', at)]));
    }
    return await readPage(query, 'id', asked);
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
