/** Begins, touches, lists and ends sessions. */
import type { PersonId, SessionId } from '../../../shared/ids.ts';
import { milliseconds } from '../../store/milliseconds.ts';
import { type Db, readProcedure, writeProcedure } from '../../store/procedure.ts';
import type { SessionRow } from '../../store/schema/people.ts';
import { SESSION_IDLE_MS } from '../access/caller.ts';
import { type AuditEntry, record } from '../audit/record.ts';
import { type ListQuery, type Page, readPage } from '../pages.ts';
import { lockPerson } from '../people/procedures.ts';

/** How many sessions a person has at most. One more ends the least recently used. */
export const SESSIONS_MAX = 50;
/** How long a former token is accepted, for requests that were in flight when it was replaced. */
const FORMER_MS = 30_000;

/** For procedures: begins a session, and ends the one that was presented, if any. */
export async function beginSession(
  db: Db,
  session: SessionRow,
  presented: string | null,
): Promise<void> {
  if (presented !== null) await deleteByDigest(db, presented);
  await db.insertInto('sessions').values(session).execute();
  const own = await db
    .selectFrom('sessions')
    .select('id')
    .where('person', '=', session.person)
    .orderBy('last_seen', 'desc')
    .orderBy('id', 'desc')
    .execute();
  const over = own.slice(SESSIONS_MAX).map(({ id }) => id);
  if (over.length > 0) await db.deleteFrom('sessions').where('id', 'in', over).execute();
}

async function deleteByDigest(db: Db, digest: string): Promise<SessionRow | undefined> {
  return await db
    .deleteFrom('sessions')
    .where((row) => row.or([row('digest', '=', digest), row('former_digest', '=', digest)]))
    .returningAll()
    .executeTakeFirst();
}

/** For procedures: ends all sessions of a person except `but`, if given. */
export async function endSessionsOf(
  db: Db,
  person: PersonId,
  but: SessionId | null = null,
): Promise<void> {
  let query = db.deleteFrom('sessions').where('person', '=', person);
  if (but !== null) query = query.where('id', '!=', but);
  await query.execute();
}

/** Replaces a session's token. Returns false when another request has already done so. */
export const rotateSession = writeProcedure<
  Readonly<{ session: SessionId; digest: string; to: string; now: number }>,
  boolean
>('rotateSession', async (db, { session, digest, to, now }) => {
  const rotated = await db
    .updateTable('sessions')
    .set({
      digest: to,
      former_digest: digest,
      former_until: BigInt(Math.round(now) + FORMER_MS),
      rotate: 0n,
    })
    .where('id', '=', session)
    .where('digest', '=', digest)
    .where('rotate', '=', 1n)
    .returning('id')
    .executeTakeFirst();
  return rotated !== undefined;
});

export const touchSession = writeProcedure<Readonly<{ session: SessionId; now: number }>, null>(
  'touchSession',
  async (db, { session, now }) => {
    const at = milliseconds(now);
    await db
      .updateTable('sessions')
      .set({ last_seen: at })
      .where('id', '=', session)
      .where('last_seen', '<', at)
      .execute();
    return null;
  },
);

/** Ends the presented session, whoever it belongs to. The audit entry names its owner. */
export const signOut = writeProcedure<Readonly<{ presented: string; entry: AuditEntry }>, null>(
  'signOut',
  async (db, { presented, entry }) => {
    const ended = await deleteByDigest(db, presented);
    if (ended) {
      const actor = { kind: 'person', id: ended.person } as const;
      await record(db, { ...entry, actor, target: ended.id });
    }
    return null;
  },
);

/** `unknown`: there is no such person. */
export const endAllSessions = writeProcedure<
  Readonly<{ person: PersonId; entry: AuditEntry }>,
  'done' | 'unknown'
>('endAllSessions', async (db, { person, entry }) => {
  if (!(await lockPerson(db, person))) return 'unknown';
  await endSessionsOf(db, person);
  await record(db, entry);
  return 'done';
});

export const endSession = writeProcedure<
  Readonly<{ person: PersonId; session: SessionId; entry: AuditEntry }>,
  'done' | 'unknown'
>('endSession', async (db, { person, session, entry }) => {
  const ended = await db
    .deleteFrom('sessions')
    .where('id', '=', session)
    .where('person', '=', person)
    .returning('id')
    .executeTakeFirst();
  if (!ended) return 'unknown';
  await record(db, entry);
  return 'done';
});

/** A session without its secrets. */
const LISTED = ['id', 'address', 'client', 'created', 'last_seen', 'expires'] as const;
export type ListedSession = Pick<SessionRow, (typeof LISTED)[number]>;

export const listSessions = readProcedure<
  ListQuery<SessionId> & Readonly<{ person: PersonId; now: number }>,
  Page<ListedSession, SessionId>
>('listSessions', async (db, { person, now, ...asked }) => {
  return await readPage(liveSessions(db, person, now), 'id', asked);
});

/** For procedures: selects the sessions of a person that have not ended or expired. */
export function liveSessions(db: Db, person: PersonId, now: number) {
  const at = milliseconds(now);
  return db
    .selectFrom('sessions')
    .select(LISTED)
    .where('person', '=', person)
    .where('expires', '>', at)
    .where('last_seen', '>', at - BigInt(SESSION_IDLE_MS));
}
