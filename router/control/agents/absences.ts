/**
 * Why agents are not connected, by what all routers have recorded: an agent that was told to stop,
 * or that an operator has drained, was expected to leave. Any other has been lost.
 */
import { type Expression, sql, type SqlBool } from 'kysely';
import { DAY_MS, MINUTE_MS } from '../../../shared/durations.ts';
import { type AgentId, idsFrom } from '../../../shared/ids.ts';
import type { LinkEnd } from '../../fleet/session.ts';
import { DECLARED_DEAD } from '../../ledger/operations.ts';
import { milliseconds } from '../../store/milliseconds.ts';
import { type Db, readProcedure } from '../../store/procedure.ts';
import { type Drain, isInForce, readLastDrains } from './drains.ts';

/** A router records once a minute which agents are connected to it. */
const SEEN_AGAIN_MS = 2.5 * MINUTE_MS;
/** An agent that lost its link usually has another one by then. */
const LINKED_AGAIN_MS = 10_000;
/** An agent that has been away for longer raises no alarm any more. */
const LOST_NEWS_MS = DAY_MS;
/** How many agents one query looks up. */
const LOOKED_UP_AT_ONCE = 100;

export type Absence = Readonly<{
  /** `disconnected`: its link has just ended, and it may be connecting again. */
  reason: 'lost' | 'drained' | 'stopped' | 'disconnected';
  /** When the last link to a router ended, in ms since the epoch. */
  since: number;
  /** Why it ended, as a `LinkEnd`. */
  end: string;
  /** Of a lost host: how many workers were found on it since its agent started last. */
  workers: number;
}>;

export type Absences = ReadonlyMap<AgentId, Absence>;

/** The link ends that may mean a fault of the host. The others are no fault. */
const LOSSES: readonly LinkEnd[] = ['closed', 'silent', 'protocol'];

/**
 * Returns why the given agents are not connected, for those of which it is known. An agent that is
 * connected to any router has no entry.
 */
export const readAbsences = readProcedure<
  Readonly<{ agents: readonly AgentId[]; now: number }>,
  Absences
>('readAbsences', { heavy: true }, async (db, { agents, now }) => {
  if (agents.length === 0) return new Map();
  const candidates = await db
    .selectFrom('agents')
    .select(['id', 'last_seen'])
    .where('id', 'in', [...agents])
    .where('state', '=', 'enrolled')
    .where(mayBeAway(now))
    .execute();
  return await absencesOf(db, candidates, now);
});

/** `since` is in ms since the epoch. */
export type LostHost = Readonly<{ id: AgentId; name: string; since: number; end: string }>;

/** The agents that were lost within the last day. */
export const listLostAgents = readProcedure<Readonly<{ now: number }>, readonly LostHost[]>(
  'listLostAgents',
  { heavy: true },
  (db, { now }) => readLostAgents(db, now, LOOKED_UP_AT_ONCE),
);

/** For procedures: the agents that were lost within the last day. `most`: of how many it is looked up. */
export async function readLostAgents(
  db: Db,
  now: number,
  most: number,
): Promise<readonly LostHost[]> {
  const candidates = await db
    .selectFrom('agents')
    .select(['id', 'name', 'last_seen'])
    .where('state', '=', 'enrolled')
    .where('last_seen', '>', milliseconds(now - LOST_NEWS_MS))
    .where(mayBeAway(now))
    .orderBy('name')
    .limit(most)
    .execute();
  const absences = await absencesOf(db, candidates, now);
  return candidates.flatMap(({ id, name }) => {
    const absence = absences.get(id);
    return absence?.reason === 'lost' ? [{ id, name, since: absence.since, end: absence.end }] : [];
  });
}

/** A condition on rows of `agents`: no router has seen it lately, or a link of it has just ended. */
function mayBeAway(now: number): Expression<SqlBool> {
  const unseen = milliseconds(now - SEEN_AGAIN_MS);
  // An event may have happened again up to a minute after it was first recorded.
  const first = idsFrom('hostEvent', now - SEEN_AGAIN_MS - MINUTE_MS);
  return sql<SqlBool>`(agents.last_seen < ${unseen} or exists (
    select 1 from host_events as left_event
    where left_event.agent = agents.id and left_event.id > ${first}
      and left_event.worker = '' and left_event.action = 'agent.left'))`;
}

type Candidate = Readonly<{ id: AgentId; last_seen: bigint | null }>;

async function absencesOf(
  db: Db,
  candidates: readonly Candidate[],
  now: number,
): Promise<Absences> {
  const absences = new Map<AgentId, Absence>();
  if (candidates.length === 0) return absences;
  const routers = await readRunningRouters(db);
  for (let from = 0; from < candidates.length; from += LOOKED_UP_AT_ONCE) {
    const some = candidates.slice(from, from + LOOKED_UP_AT_ONCE);
    const agents = some.map(({ id }) => id);
    const events = await readLastEvents(db, agents);
    const drains = await readLastDrains(db, agents);
    for (const { id, last_seen: seen } of some) {
      const facts = { events: events.get(id) ?? [], seen: Number(seen), drain: drains.get(id) };
      const absence = absenceOf(facts, routers, now);
      if (absence !== null) absences.set(id, { ...absence, workers: 0 });
    }
  }
  const lost = [...absences].filter(([, { reason }]) => reason === 'lost').map(([id]) => id);
  for (const [id, workers] of await countWorkers(db, lost)) {
    const absence = absences.get(id);
    if (absence) absences.set(id, { ...absence, workers });
  }
  return absences;
}

/** By agent, the workers that were found since it started last. */
async function countWorkers(
  db: Db,
  agents: readonly AgentId[],
): Promise<readonly (readonly [AgentId, number])[]> {
  const counted: [AgentId, number][] = [];
  for (let from = 0; from < agents.length; from += LOOKED_UP_AT_ONCE) {
    const { rows } = await sql<{ agent: AgentId; workers: bigint }>`
      select found.agent, count(distinct found.worker) as workers from host_events found
      where found.agent in (${sql.join(agents.slice(from, from + LOOKED_UP_AT_ONCE))})
        and found.worker <> '' and found.action in ('worker.found', 'worker.restarted')
        and found.last >= coalesce((
          select max(started.last) from host_events started
          where started.agent = found.agent and started.action = 'agent.started'), 0)
      group by found.agent`.execute(db);
    for (const { agent, workers } of rows) counted.push([agent, Number(workers)]);
  }
  return counted;
}

async function readRunningRouters(db: Db): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('incarnations')
    .select('id')
    .where('beat', '!=', DECLARED_DEAD)
    .execute();
  return new Set(rows.map(({ id }) => id));
}

type LinkAction = 'agent.joined' | 'agent.left' | 'agent.started' | 'agent.stopping';
type LastEvent = Readonly<{
  agent: AgentId;
  router: string;
  action: LinkAction;
  detail: string;
  last: bigint;
}>;

/** `seen`: when a router last recorded that it is connected to the agent. */
type AgentFacts = Readonly<{
  events: readonly LastEvent[];
  seen: number;
  drain: Drain | undefined;
}>;

/** `routers`: those that run. */
function absenceOf(
  { events, seen, drain }: AgentFacts,
  routers: ReadonlySet<string>,
  now: number,
): Omit<Absence, 'workers'> | null {
  const left = lastOf(events, 'agent.left');
  const timeOf = (action: LinkAction) => lastOf(events, action)?.last ?? 0n;
  // A router that was killed has not recorded that its links ended.
  if (!left || timeOf('agent.joined') > left.last) return null;
  const ended = Number(left.last);
  const isUnlinked = seen <= ended && !isLinked(events, routers);
  if (!isUnlinked && seen >= now - SEEN_AGAIN_MS) return null;
  // A router that was connected to it for longer has not recorded that its link ended.
  const away = { since: Math.max(ended, seen), end: left.detail };
  const started = timeOf('agent.started');
  if (timeOf('agent.stopping') > started) return { reason: 'stopped', ...away };
  if (drain && isInForce(drain, started)) return { reason: 'drained', ...away };
  if (!LOSSES.includes(left.detail as LinkEnd)) return null;
  return { reason: away.since > now - LINKED_AGAIN_MS ? 'disconnected' : 'lost', ...away };
}

/** Whether a router that runs has recorded that the agent joined it, and not that the link ended. */
function isLinked(events: readonly LastEvent[], routers: ReadonlySet<string>): boolean {
  return events.some(
    ({ action, router, last }) =>
      action === 'agent.joined' &&
      routers.has(router) &&
      !events.some(
        (other) => other.action === 'agent.left' && other.router === router && other.last >= last,
      ),
  );
}

function lastOf(events: readonly LastEvent[], action: LinkAction): LastEvent | undefined {
  return events
    .filter((event) => event.action === action)
    .toSorted((a, b) => Number(b.last - a.last))[0];
}

/** The last event of each kind and router. A link that another one replaced has not left its router. */
async function readLastEvents(
  db: Db,
  agents: readonly AgentId[],
): Promise<ReadonlyMap<AgentId, readonly LastEvent[]>> {
  const { rows } = await sql<LastEvent>`
    select agent, router, action, detail, last from (
      select agent, router, action, detail, last,
        row_number() over (partition by agent, action, router order by last desc, id desc) as place
      from host_events
      where agent in (${sql.join(agents)}) and worker = ''
        and action in ('agent.joined', 'agent.left', 'agent.started', 'agent.stopping')
        and not (action = 'agent.left' and detail = 'replaced')
    ) as placed where place = 1`.execute(db);
  return Map.groupBy(rows, ({ agent }) => agent);
}
