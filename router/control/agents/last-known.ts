/** What is known of a host while its agent is not connected, by what routers have recorded. */
import { sql } from 'kysely';
import type { AgentId } from '../../../shared/ids.ts';
import { readProcedure } from '../../store/procedure.ts';
import { type Drain, isInForce, readLastDrains } from './drains.ts';

/** The most engines of a host that are told. */
const ENGINES_MAX = 64;

type Recorded = Readonly<{
  worker: string;
  action: 'agent.started' | 'agent.left' | 'worker.found' | 'worker.restarted';
  detail: string;
  router: string | null;
  last: bigint;
}>;

export type LastKnown = Readonly<{
  /** The last start of the agent, with its version. */
  started: Recorded | null;
  /** The last end of a link. */
  left: Recorded | null;
  /** The last engine of each worker, by its name. */
  engines: readonly Recorded[];
  /** The last drain, unless an operator or a restart of the agent has ended it. */
  drained: Drain | null;
}>;

/** Reads the last event of each kind of an agent and of its workers. */
export const readLastKnown = readProcedure<AgentId, LastKnown>(
  'readLastKnown',
  { heavy: true },
  async (db, agent) => {
    const { rows } = await sql<Recorded>`
      select worker, action, detail, router, last from (
        select worker, action, detail, router, last,
          row_number() over (
            partition by worker, case when worker = '' then action else '' end
            order by last desc, id desc
          ) as place
        from host_events
        where agent = ${agent}
          and action in ('agent.started', 'agent.left', 'worker.found', 'worker.restarted')
      ) as placed where place = 1 order by worker limit ${sql.lit(ENGINES_MAX + 2)}`.execute(db);
    const started = rows.find(({ action }) => action === 'agent.started') ?? null;
    const drain = (await readLastDrains(db, [agent])).get(agent);
    return {
      started,
      left: rows.find(({ action }) => action === 'agent.left') ?? null,
      engines: rows.filter(({ worker }) => worker !== '').slice(0, ENGINES_MAX),
      drained: drain && isInForce(drain, started?.last ?? 0n) ? drain : null,
    };
  },
);
