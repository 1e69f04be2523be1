/** The drains of agents by operators, as the audit log has them. */
import { sql } from 'kysely';
import { AGENT_ID_CHARS, type AgentId } from '../../../shared/ids.ts';
import type { Db } from '../../store/procedure.ts';

/** `created`: in ms since the epoch. `actor`: the name of the operator; null if it is not known. */
export type Drain = Readonly<{
  agent: AgentId;
  action: 'agent.drain' | 'agent.undrain';
  created: bigint;
  reason: string | null;
  actor: string | null;
}>;

/**
 * For procedures: the last drain of each agent, or the end of one. A drain of single workers does not
 * count: the rest of their host was expected to stay.
 */
export async function readLastDrains(
  db: Db,
  agents: readonly AgentId[],
): Promise<ReadonlyMap<AgentId, Drain>> {
  const agent = sql<AgentId>`substr(a.target, 1, ${sql.lit(AGENT_ID_CHARS)})`;
  const { rows } = await sql<Drain>`
    select d.agent, d.action, d.created, d.reason, p.name as actor from (
      select ${agent} as agent, a.action, a.created, a.reason, a.actor,
        row_number() over (partition by ${agent} order by a.id desc) as place
      from audit a
      where a.organization is null and ${agent} in (${sql.join(agents)})
        and a.action in ('agent.drain', 'agent.undrain')
    ) as d left join people p on p.erased is null and p.id = d.actor
    where d.place = 1`.execute(db);
  return new Map(rows.map((row) => [row.agent, row]));
}

/**
 * Whether an agent still drains by its last drain. `started`: when the agent last started, which ends a
 * drain; in ms since the epoch.
 */
export function isInForce({ action, created }: Drain, started: bigint): boolean {
  return action === 'agent.drain' && created > started;
}
