/** Deletes events of agents that are too old, or more than are kept of one agent and action. */
import { sql } from 'kysely';
import { type HostEventId, idsFrom } from '../../shared/ids.ts';
import { readProcedure, writeProcedure } from '../store/procedure.ts';

/** How many events are kept of one agent and action. */
export const HOST_EVENTS_OF_ACTION = 100;

/**
 * Events to delete: at most `rows`. Notes of operators have no age, nor has the last event of each
 * action of a worker: a start must be known as long as its run goes on, or it would be recorded as
 * a new one when its agent connects again. Of each router that is not removed, the last link of an agent
 * and its last end are kept, too: without them, the agent would be lost as soon as its link to another
 * router ends. `before`: ms since the epoch.
 */
export const findHostEventsToForget = readProcedure<
  Readonly<{ before: number; rows: number }>,
  readonly HostEventId[]
>('findHostEventsToForget', { heavy: true }, async (db, { before, rows }) => {
  const first = idsFrom('hostEvent', before);
  const { rows: found } = await sql<{ id: HostEventId }>`
    select id from (
      select id, agent, worker, action, router,
        row_number() over (partition by agent, action order by id desc) as place,
        row_number() over (partition by agent, action, router order by id desc) as place_of_router
      from host_events
    ) as placed
    where (place > ${sql.lit(HOST_EVENTS_OF_ACTION)}
      or (id < ${first} and action <> 'agent.note' and exists (
        select 1 from host_events as later
        where later.agent = placed.agent and later.id > placed.id
          and later.action = placed.action and later.worker = placed.worker)))
      and not (place_of_router = 1 and action in ('agent.joined', 'agent.left')
        and exists (select 1 from incarnations where incarnations.id = placed.router))
    limit ${sql.lit(rows)}`.execute(db);
  return found.map(({ id }) => id);
});

export const forgetHostEvents = writeProcedure<readonly HostEventId[], null>(
  'forgetHostEvents',
  async (db, ids) => {
    if (ids.length > 0) await db.deleteFrom('host_events').where('id', 'in', ids).execute();
    return null;
  },
);
