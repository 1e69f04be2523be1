/**
 * The emails about incidents: one for each update and each person who has chosen them. They are queued
 * in batches, because jobs run in the order in which they are due: an email that somebody waits for,
 * such as the one that confirms an address, never comes after more than one batch of these.
 */
import type { IncidentId, PersonId } from '../../../shared/ids.ts';
import type { UnsentReason } from '../../../shared/jobs.ts';
import type { Region } from '../../../shared/region.ts';
import { waitsIn } from '../../jobs/lanes.ts';
import { enqueue, enqueueAll, type JobOutcome } from '../../jobs/queue.ts';
import { milliseconds } from '../../store/milliseconds.ts';
import { type Db, writeProcedure } from '../../store/procedure.ts';
import type { IncidentState } from '../../store/schema/incidents.ts';
import { INCIDENT_LETTER, type IncidentBatch, type IncidentLetter } from './letter.ts';

export const BATCH_MAX = 100;
/** Eight emails are sent at once, each of which takes a fraction of a second. */
export const BATCH_PAUSE_MS = 5_000;
/**
 * No more are queued while so many wait for their retries: then the mail server refuses most of them.
 * Some addresses always refuse, and these few do not hold up the others for hours.
 */
export const RETRIED_MAX = 10 * BATCH_MAX;
/** While so many wait for their retries. */
export const RETRIED_PAUSE_MS = 60_000;

type Update = Pick<IncidentLetter, 'incident' | 'update'>;

/** The email to one person. */
type Copy = IncidentLetter & Readonly<{ recipient: PersonId }>;

/** What an email about an incident tells. */
export type IncidentNews = Readonly<{
  title: string;
  state: IncidentState;
  message: string;
  models: readonly string[];
  regions: Region[];
}>;

/**
 * For procedures: queues the emails about an update, in the transaction that writes it. Those about
 * earlier updates that wait are not sent.
 */
export async function postIncidentLetter(
  db: Db,
  { incident, update }: Update,
  now: number,
): Promise<void> {
  await withdrawIncidentLetters(db, incident);
  await enqueue(db, {
    kind: INCIDENT_LETTER,
    subject: incident,
    idempotencyKey: keyOf({ incident, update }),
    payload: { kind: 'incident', incident, update } satisfies IncidentLetter,
    created: now,
  });
}

/** For procedures: deletes the emails about an incident that wait, some of them for a retry. */
export async function withdrawIncidentLetters(db: Db, incident: IncidentId): Promise<void> {
  await db
    .deleteFrom('jobs')
    .where(waitsIn('others'))
    .where('kind', '=', INCIDENT_LETTER)
    .where('idempotency_key', 'like', `${INCIDENT_LETTER}/${incident}/%`)
    .execute();
}

function keyOf({ incident, update }: Update): string {
  return `${INCIDENT_LETTER}/${incident}/${update}`;
}

/**
 * Queues a copy of the email for each of the next people, and a job for those after them. Queues
 * fewer while other jobs are due, and none while too many wait for a retry. Returns how many copies
 * were queued, or why there was none.
 */
export const copyIncidentLetter = writeProcedure<
  Readonly<{ letter: IncidentBatch; now: number }>,
  JobOutcome
>('copyIncidentLetter', async (db, { letter, now }) => {
  const { batch = 0, after = '', ...about } = letter;
  if (!(await readNews(db, about))) return { recipients: 0, unsent: 'superseded' };
  const { room, pauseMs } = await readRoom(db, now);
  const people = await whoWantsIncidentEmails(db)
    .select('id')
    .where('id', '>', after as PersonId)
    .orderBy('id')
    .limit(room)
    .execute();
  const key = keyOf(about);
  const copies = people.map(({ id }) => ({
    kind: INCIDENT_LETTER,
    subject: id,
    idempotencyKey: `${key}/${id}`,
    payload: { ...about, recipient: id } satisfies Copy,
    created: now,
  }));
  const next = {
    kind: INCIDENT_LETTER,
    subject: about.incident,
    idempotencyKey: `${key}/batch-${batch + 1}`,
    payload: {
      ...about,
      batch: batch + 1,
      after: people.at(-1)?.id ?? letter.after,
    } satisfies IncidentBatch,
    created: now,
    runAt: now + pauseMs,
  };
  await enqueueAll(db, people.length === room ? [...copies, next] : copies);
  if (people.length > 0) return { recipients: people.length };
  if (room === 0) return { recipients: 0, unsent: 'postponed' };
  return { recipients: 0, unsent: batch === 0 ? 'no_subscribers' : 'no_more_subscribers' };
});

/** For procedures: the recipient, and what the email tells as it is now; or why it is not sent. */
export async function readIncidentLetter(
  db: Db,
  { recipient, ...about }: Copy,
): Promise<{ to: string; name: string; organization: null; news: IncidentNews } | UnsentReason> {
  const person = await whoWantsIncidentEmails(db)
    .select(['email', 'name'])
    .where('id', '=', recipient)
    .executeTakeFirst();
  if (!person) return 'switched_off';
  const news = await readNews(db, about);
  if (!news) return 'superseded';
  return { to: person.email, name: person.name, organization: null, news };
}

function whoWantsIncidentEmails(db: Db) {
  return db
    .selectFrom('people')
    .where('incident_emails', 'is not', null)
    .where('email_confirmed', 'is not', null)
    .where('locked_at', 'is', null)
    .where('erased', 'is', null);
}

/** Null: the incident was deleted, or has a newer update, of which everybody is told instead. */
async function readNews(db: Db, { incident, update }: Update): Promise<IncidentNews | null> {
  const row = await db
    .selectFrom('incidents')
    .innerJoin('incident_updates', 'incident_updates.incident', 'incidents.id')
    .select([
      'incidents.title',
      'incidents.models',
      'incidents.regions',
      'incident_updates.number',
      'incident_updates.state',
      'incident_updates.message',
    ])
    .where('incidents.id', '=', incident)
    .orderBy('incident_updates.number', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!row) return null;
  const { number, ...news } = row;
  if (number !== BigInt(update)) return null;
  const models = JSON.parse(news.models) as string[];
  return { ...news, models, regions: JSON.parse(news.regions) as Region[] };
}

/** How many emails may be queued now, and after which pause the next ones. */
async function readRoom(db: Db, now: number): Promise<Readonly<{ room: number; pauseMs: number }>> {
  const waiting = db.selectFrom('jobs').select('id').where(waitsIn('others'));
  const retried = await waiting
    .where('run_at', '>', milliseconds(now))
    .where('kind', '=', INCIDENT_LETTER)
    .limit(RETRIED_MAX)
    .execute();
  if (retried.length === RETRIED_MAX) return { room: 0, pauseMs: RETRIED_PAUSE_MS };
  const due = await waiting.where('run_at', '<=', milliseconds(now)).limit(BATCH_MAX).execute();
  return { room: BATCH_MAX - due.length, pauseMs: BATCH_PAUSE_MS };
}
