/**
 * When hosts were lost, and when they were back (decision 0034). Both are events of the agent, which
 * the first router writes that notices them.
 */
import { sql } from 'kysely';
import { MINUTE_MS } from '../../../shared/durations.ts';
import type { AgentId } from '../../../shared/ids.ts';
import { milliseconds } from '../../store/milliseconds.ts';
import { type Db, readProcedure } from '../../store/procedure.ts';
import { readLostAgents } from './absences.ts';

/** A host that was back within a minute has reconnected. */
const LOSS_MIN_MS = MINUTE_MS;
/** Of how many agents that are away it is looked up whether they were lost. */
const AWAY_MAX = 10_000;
/** The most losses that are listed. */
export const LOSSES_MAX = 100;

/**
 * The marks of both events have the instant of the loss, so that routers which notice the same loss
 * write it once. They sort after all other marks of an agent, so an index finds them.
 */
export function marksOfLoss(since: number): Readonly<{ lost: string; returned: string }> {
  return { lost: `lost_${since}`, returned: `returned_${since}` };
}
const RETURN_OF_LOSS = sql<string>`'returned_' || substr(lost.mark, ${sql.lit('lost_'.length + 1)})`;
const IS_LOSS = sql<boolean>`lost.mark >= 'lost' and lost.action = 'agent.lost'`;
/** `cross join`: SQLite would otherwise read all events to find the few losses. */
const LOSSES = sql`agents cross join host_events lost`;

/** `since` and `at` are in ms since the epoch. `end`: why the last link ended. */
export type Turn = Readonly<
  | { kind: 'lost'; agent: AgentId; since: number; end: string }
  | { kind: 'returned'; agent: AgentId; since: number; at: number }
>;

/** Losses and returns that no router has recorded. */
export const findUnrecordedTurns = readProcedure<Readonly<{ now: number }>, readonly Turn[]>(
  'findUnrecordedTurns',
  { heavy: true },
  async (db, { now }) => {
    const open = await readOpenLosses(db);
    const lost = await readLostAgents(db, now, AWAY_MAX);
    const isLost = new Set(lost.map(({ id }) => id));
    const returns = open.map(({ agent, since, joined, seen }) => {
      // A router that could not write for a while may have been connected to it all the time.
      const wasThere = !isLost.has(agent) && seen > since + LOSS_MIN_MS ? seen : null;
      return { agent, since, at: joined ?? wasThere };
    });
    const away = new Set(returns.filter(({ at }) => at === null).map(({ agent }) => agent));
    return [
      ...returns.flatMap(({ agent, since, at }) =>
        at === null ? [] : [{ kind: 'returned' as const, agent, since, at }],
      ),
      ...lost
        .filter(({ id, since }) => !away.has(id) && since <= now - LOSS_MIN_MS)
        .map(({ id, since, end }) => ({ kind: 'lost' as const, agent: id, since, end })),
    ];
  },
);

type OpenLoss = Readonly<{
  agent: AgentId;
  since: number;
  /** When the agent has joined a router again; null if it has not. */
  joined: number | null;
  /** When a router was connected to it last. */
  seen: number;
}>;

/** The losses without a return. */
async function readOpenLosses(db: Db): Promise<readonly OpenLoss[]> {
  const { rows } = await sql<{
    agent: AgentId;
    since: bigint;
    joined: bigint | null;
    seen: bigint;
  }>`
    select lost.agent, lost.created as since, coalesce(agents.last_seen, 0) as seen, (
      -- What happened several times in a minute may have begun before the loss.
      select min(case when joined.created > lost.created then joined.created else joined.last end)
      from host_events joined
      where joined.agent = lost.agent and joined.action = 'agent.joined'
        and joined.last > lost.created
    ) as joined
    from ${LOSSES}
    where lost.agent = agents.id and ${IS_LOSS} and agents.state = 'enrolled' and not exists (
      select 1 from host_events returned
      where returned.agent = lost.agent and returned.mark = ${RETURN_OF_LOSS})`.execute(db);
  return rows.map(({ agent, since, joined, seen }) => ({
    agent,
    since: Number(since),
    joined: joined === null ? null : Number(joined),
    seen: Number(seen),
  }));
}

export type LossRow = Readonly<{
  agent: AgentId;
  name: string;
  /** In ms since the epoch. */
  lost: bigint;
  end: string;
  returned: bigint | null;
}>;

/** Losses that began or ended in a time, the newest first. `from` and `until`: in ms since the epoch. */
export const listLosses = readProcedure<
  Readonly<{ from: number; until: number }>,
  readonly LossRow[]
>('listLosses', { heavy: true }, async (db, { from, until }) => {
  const [first, end] = [milliseconds(from), milliseconds(until)];
  const { rows } = await sql<LossRow>`
    select lost.agent, agents.name, lost.created as lost, lost.detail as "end",
      returned.created as returned
    from ${LOSSES} left join host_events returned
      on returned.agent = lost.agent and returned.mark = ${RETURN_OF_LOSS}
    where lost.agent = agents.id and ${IS_LOSS}
      and ((lost.created >= ${first} and lost.created < ${end})
        or (returned.created >= ${first} and returned.created < ${end}))
    order by lost.created desc, lost.id desc limit ${sql.lit(LOSSES_MAX)}`.execute(db);
  return rows;
});
