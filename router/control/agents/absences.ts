/**
 * Why agents are not connected, by what all routers have recorded: an agent that was told to stop,
 * or that an operator has drained, was expected to leave. Any other has been lost.
 */
import { sql } from 'kysely';
import { DAY_MS, MINUTE_MS } from '../../../shared/durations.ts';
import type { AgentId } from '../../../shared/ids.ts';
import type { LinkEnd } from '../../fleet/session.ts';
import { milliseconds } from '../../store/milliseconds.ts';
import { type Db, readProcedure } from '../../store/procedure.ts';
import { type Drain, isInForce, readLastDrains } from './drains.ts';

/** A router records once a minute which agents are connected to it. */
const SEEN_AGAIN_MS = 2.5 * MINUTE_MS;
/** An agent that has been away for longer raises no alarm any more. */
const LOST_NEWS_MS = DAY_MS;
/** How many agents one query looks up. */
const LOOKED_UP_AT_ONCE = 100;

export type Absence = Readonly<{
  reason: 'lost' | 'drained' | 'stopped';
  /** When the last link to a router ended, in ms since the epoch. */
  since: number;
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
  const unseen = await db
    .selectFrom('agents')
    .select('id')
    .where('id', 'in', [...agents])
    .where('state', '=', 'enrolled')
    .where('last_seen', '<', milliseconds(now - SEEN_AGAIN_MS))
    .execute();
  return absencesOf(
    db,
    unseen.map(({ id }) => id),
  );
});

/** `since` is in ms since the epoch. */
export type LostHost = Readonly<{ name: string; since: number }>;

/** The agents that were lost within the last day. */
export const listLostAgents = readProcedure<Readonly<{ now: number }>, readonly LostHost[]>(
  'listLostAgents',
  { heavy: true },
  async (db, { now }) => {
    const unseen = await db
      .selectFrom('agents')
      .select(['id', 'name'])
      .where('state', '=', 'enrolled')
      .where('last_seen', '>', milliseconds(now - LOST_NEWS_MS))
      .where('last_seen', '<', milliseconds(now - SEEN_AGAIN_MS))
      .orderBy('name')
      .limit(LOOKED_UP_AT_ONCE)
      .execute();
    const absences = await absencesOf(
      db,
      unseen.map(({ id }) => id),
    );
    return unseen.flatMap(({ id, name }) => {
      const absence = absences.get(id);
      return absence?.reason === 'lost' ? [{ name, since: absence.since }] : [];
    });
  },
);

async function absencesOf(db: Db, agents: readonly AgentId[]): Promise<Absences> {
  const absences = new Map<AgentId, Absence>();
  for (let from = 0; from < agents.length; from += LOOKED_UP_AT_ONCE) {
    const some = agents.slice(from, from + LOOKED_UP_AT_ONCE);
    const events = await readLastEvents(db, some);
    const drains = await readLastDrains(db, some);
    for (const agent of some) {
      const absence = absenceOf(events.get(agent) ?? {}, drains.get(agent) ?? null);
      if (absence !== null) absences.set(agent, absence);
    }
  }
  return absences;
}

type LinkAction = 'agent.joined' | 'agent.left' | 'agent.started' | 'agent.stopping';
type LastEvent = Readonly<{ agent: AgentId; action: LinkAction; detail: string; last: bigint }>;
type LastEvents = Partial<Record<LinkAction, LastEvent>>;

function absenceOf(events: LastEvents, drain: Drain | null): Absence | null {
  const left = events['agent.left'];
  const timeOf = (action: LinkAction) => events[action]?.last ?? 0n;
  // A router that was killed has not recorded that its links ended.
  if (!left || timeOf('agent.joined') > left.last) return null;
  const started = timeOf('agent.started');
  const since = Number(left.last);
  if (timeOf('agent.stopping') > started) return { reason: 'stopped', since };
  if (drain !== null && isInForce(drain, started)) return { reason: 'drained', since };
  return LOSSES.includes(left.detail as LinkEnd) ? { reason: 'lost', since } : null;
}

/** The last event of each kind. */
async function readLastEvents(
  db: Db,
  agents: readonly AgentId[],
): Promise<ReadonlyMap<AgentId, LastEvents>> {
  const { rows } = await sql<LastEvent>`
    select agent, action, detail, last from (
      select agent, action, detail, last,
        row_number() over (partition by agent, action order by last desc, id desc) as place
      from host_events
      where agent in (${sql.join(agents)}) and worker = ''
        and action in ('agent.joined', 'agent.left', 'agent.started', 'agent.stopping')
    ) as placed where place = 1`.execute(db);
  const known = new Map<AgentId, LastEvents>();
  for (const row of rows) known.set(row.agent, { ...known.get(row.agent), [row.action]: row });
  return known;
}
