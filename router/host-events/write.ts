/**
 * Writes what a router has recorded of agents and their workers. The same rows may be written again,
 * and what several routers have observed is written once.
 */
import type { HostEventId } from '../../shared/ids.ts';
import { milliseconds } from '../store/milliseconds.ts';
import { type Db, writeProcedure } from '../store/procedure.ts';
import type { HostEventRow } from '../store/schema/fleet.ts';

/** Rows of one write: on SQLite the ledger waits for it. */
export const ROWS_PER_WRITE = 100;

/** `created` and `last`: ms since the epoch. `count`: all that its router has counted so far. */
export type RecordedHostEvent = Readonly<
  Pick<HostEventRow, 'id' | 'agent' | 'worker' | 'action' | 'detail' | 'mark'> & {
    router: string;
    count: number;
    created: number;
    last: number;
  }
>;

export const writeHostEvents = writeProcedure<readonly RecordedHostEvent[], null>(
  'writeHostEvents',
  async (db, events) => {
    if (events.length === 0) return null;
    const recorded = await findByMark(db, events);
    /** The latest start of each agent and worker among the rows to write. */
    const starts = new Map<string, HostEventRow>();
    const rows: HostEventRow[] = [];
    for (const event of events) {
      const row = rowOf(event);
      const place = placeOf(event);
      const known = recorded.get(place);
      // Another router has recorded it, or this one has in an earlier minute.
      if (known !== undefined && known.id !== row.id) continue;
      rows.push(known === undefined ? await asStart(db, row, starts) : row);
      recorded.set(place, row);
    }
    if (rows.length === 0) return null;
    await db
      .insertInto('host_events')
      // In one order for all routers, so that none waits for another in a circle.
      .values(rows.toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1)))
      .onConflict((conflict) =>
        conflict
          .columns(['agent', 'mark'])
          .doUpdateSet((row) => ({
            count: row.ref('excluded.count'),
            last: row.ref('excluded.last'),
          }))
          .whereRef('host_events.id', '=', 'excluded.id'),
      )
      .execute();
    return null;
  },
);

function rowOf({ count, created, last, ...event }: RecordedHostEvent): HostEventRow {
  return {
    ...event,
    before: null,
    actor: null,
    count: BigInt(count),
    created: milliseconds(created),
    last: milliseconds(last),
  };
}

function placeOf({ agent, mark }: Pick<HostEventRow, 'agent' | 'mark'>): string {
  return `${agent}/${mark}`;
}

async function findByMark(
  db: Db,
  events: readonly RecordedHostEvent[],
): Promise<Map<string, Readonly<{ id: HostEventId }>>> {
  const rows = await db
    .selectFrom('host_events')
    .select(['id', 'agent', 'mark'])
    .where('agent', 'in', [...new Set(events.map(({ agent }) => agent))])
    .where(
      'mark',
      'in',
      events.map(({ mark }) => mark),
    )
    .execute();
  return new Map(rows.map((row) => [placeOf(row), row]));
}

const STARTS = ['agent.started', 'worker.found', 'worker.restarted'] as const;

/**
 * A start of an agent or an engine, with the version before. An engine that has started before in
 * this run of its agent was restarted. Other events stay as they are.
 */
async function asStart(
  db: Db,
  row: HostEventRow,
  starts: Map<string, HostEventRow>,
): Promise<HostEventRow> {
  const { agent, worker, action, detail, mark } = row;
  if (action !== 'agent.started' && action !== 'worker.found') return row;
  const place = `${agent}/${worker}`;
  const previous = starts.get(place) ?? (await findLastStart(db, row));
  const isRestart =
    action === 'worker.found' && previous !== null && runOf(previous.mark) === runOf(mark);
  const started: HostEventRow = {
    ...row,
    action: isRestart ? 'worker.restarted' : action,
    before: previous === null || previous.detail === detail ? null : previous.detail,
  };
  starts.set(place, started);
  return started;
}

/** The mark of a start begins with the run of the agent. */
function runOf(mark: string): string {
  return mark.split('/')[0] ?? mark;
}

async function findLastStart(
  db: Db,
  { agent, worker }: Pick<HostEventRow, 'agent' | 'worker'>,
): Promise<Pick<HostEventRow, 'detail' | 'mark'> | null> {
  const row = await db
    .selectFrom('host_events')
    .select(['detail', 'mark'])
    .where('agent', '=', agent)
    .where('worker', '=', worker)
    .where('action', 'in', STARTS)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}
