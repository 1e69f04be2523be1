/** What is known of a host while its agent is not connected, by what routers have recorded. */
import { sql } from 'kysely';
import { AGENT_ID_CHARS, type AgentId } from '../../../shared/ids.ts';
import { type Db, readProcedure } from '../../store/procedure.ts';

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
  /** The last drain, unless an operator has ended it. */
  drained: Drain | null;
}>;

export type Drain = Readonly<{ created: bigint; reason: string | null; actor: string | null }>;

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
    return {
      started: rows.find(({ action }) => action === 'agent.started') ?? null,
      left: rows.find(({ action }) => action === 'agent.left') ?? null,
      engines: rows.filter(({ worker }) => worker !== '').slice(0, ENGINES_MAX),
      drained: await readDrain(db, agent),
    };
  },
);

async function readDrain(db: Db, agent: AgentId): Promise<Drain | null> {
  const last = await db
    .selectFrom('audit as a')
    .leftJoin('people as p', (join) =>
      join.on('p.erased', 'is', null).on(sql<boolean>`p.id = a.actor`),
    )
    .select(['a.action', 'a.created', 'a.reason', 'p.name as actor'])
    .where('a.organization', 'is', null)
    // As the index has it.
    .where(sql`substr(a.target, 1, ${sql.lit(AGENT_ID_CHARS)})`, '=', agent)
    .where('a.target', '=', agent)
    .where('a.action', 'in', ['agent.drain', 'agent.undrain'])
    .orderBy('a.id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (last?.action !== 'agent.drain') return null;
  const { created, reason, actor } = last;
  return { created, reason, actor };
}
