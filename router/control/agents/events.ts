/**
 * What happened to an agent and its workers: the entries of the audit log on them, what routers have
 * recorded, and the notes of operators, as one list.
 */
import { sql } from 'kysely';
import type { HostAction } from '../../../shared/host-events.ts';
import {
  AGENT_ID_CHARS,
  type AgentId,
  type AuditId,
  type HostEventId,
} from '../../../shared/ids.ts';
import { milliseconds } from '../../store/milliseconds.ts';
import { type Db, readProcedure, writeProcedure } from '../../store/procedure.ts';
import type { HostEventRow } from '../../store/schema/fleet.ts';
import { type Actor, type AuditEntry, record } from '../audit/record.ts';
import { cutPage, type ListQuery, type Page } from '../pages.ts';

export type AgentEventId = AuditId | HostEventId;

export type AgentEventRow = Readonly<
  Pick<HostEventRow, 'agent' | 'worker' | 'detail' | 'before' | 'router'> & {
    id: AgentEventId;
    action: string;
    /** The name of the person who did it. */
    actor: string | null;
    count: bigint;
    created: bigint;
    last: bigint;
  }
>;

type Query = ListQuery<AgentEventId> &
  Readonly<{
    agent: AgentId;
    /** Only what happened to this worker, or to the agent itself. Null: all of its workers. */
    worker: string | null;
    /** Null: all that happened. */
    actions: readonly string[] | null;
  }>;

/** Newest first. */
export const listAgentEvents = readProcedure<Query, Page<AgentEventRow, AgentEventId>>(
  'listAgentEvents',
  async (db, query) => {
    const [acts, seen] = [await listActs(db, query), await listRecorded(db, query)];
    const all = [...acts, ...seen].toSorted((a, b) => (placeOf(a.id) < placeOf(b.id) ? 1 : -1));
    return cutPage(all, query.limit, ({ id }) => id);
  },
);

/** Ids of both kinds sort by the time in what follows their prefix. */
function placeOf(id: AgentEventId): string {
  return id.slice('hev_'.length);
}

async function listActs(
  db: Db,
  { agent, worker, actions, after, limit }: Query,
): Promise<AgentEventRow[]> {
  let query = db
    .selectFrom('audit as a')
    .leftJoin('people as p', (join) =>
      join.on('p.erased', 'is', null).on(sql<boolean>`p.id = a.actor`),
    )
    .select(['a.id', 'a.created', 'a.action', 'a.target', 'a.reason', 'p.name as actor'])
    .where('a.organization', 'is', null)
    // The note itself is listed.
    .where('a.action', '!=', 'agent.note')
    // As the index has it. The id of a worker is that of its agent, a slash and its name.
    .where(sql`substr(a.target, 1, ${sql.lit(AGENT_ID_CHARS)})`, '=', agent)
    .orderBy('a.id', 'desc')
    .limit(limit + 1);
  if (worker !== null) query = query.where('a.target', 'in', [agent, `${agent}/${worker}`]);
  if (actions !== null) query = query.where('a.action', 'in', actions);
  if (after !== null) query = query.where('a.id', '<', `aud_${placeOf(after)}` as AuditId);
  const rows = await query.execute();
  return rows.map(({ target, reason, ...row }) => ({
    ...row,
    agent,
    worker: target?.slice(agent.length + 1) ?? '',
    detail: reason ?? '',
    before: null,
    router: null,
    count: 1n,
    last: row.created,
  }));
}

async function listRecorded(
  db: Db,
  { agent, worker, actions, after, limit }: Query,
): Promise<AgentEventRow[]> {
  let query = db
    .selectFrom('host_events as e')
    .leftJoin('people as p', (join) =>
      join.on('p.erased', 'is', null).on(sql<boolean>`p.id = e.actor`),
    )
    .select([
      'e.id',
      'e.agent',
      'e.worker',
      'e.action',
      'e.detail',
      'e.before',
      'e.router',
      'e.count',
      'e.created',
      'e.last',
      'p.name as actor',
    ])
    .where('e.agent', '=', agent)
    .orderBy('e.id', 'desc')
    .limit(limit + 1);
  if (worker !== null) query = query.where('e.worker', 'in', ['', worker]);
  // Those of the audit log are no actions that routers record, and find nothing here.
  if (actions !== null) query = query.where('e.action', 'in', actions as readonly HostAction[]);
  if (after !== null) query = query.where('e.id', '<', `hev_${placeOf(after)}` as HostEventId);
  return await query.execute();
}

type Note = Readonly<{
  id: HostEventId;
  agent: AgentId;
  text: string;
  actor: Actor['id'];
  /** ms since the epoch. */
  created: number;
}>;

/** Writes a note and its audit entry. Returns null when there is no such agent. */
export const writeAgentNote = writeProcedure<
  Readonly<{ note: Note; entry: AuditEntry }>,
  AgentEventRow | null
>('writeAgentNote', async (db, { note: { id, agent, text, actor, created }, entry }) => {
  const known = await db
    .selectFrom('agents')
    .select('id')
    .where('id', '=', agent)
    .executeTakeFirst();
  if (!known) return null;
  const at = milliseconds(created);
  const row: HostEventRow = {
    id,
    agent,
    worker: '',
    action: 'agent.note',
    detail: text,
    before: null,
    router: null,
    actor,
    mark: id,
    count: 1n,
    created: at,
    last: at,
  };
  await db.insertInto('host_events').values(row).execute();
  await record(db, entry);
  const person = await db
    .selectFrom('people')
    .select('name')
    .where(sql<boolean>`id = ${actor}`)
    .executeTakeFirst();
  return { ...row, actor: person?.name ?? null };
});
