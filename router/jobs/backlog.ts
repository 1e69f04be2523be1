/** The jobs that are due and wait for a router. */
import { milliseconds } from '../store/milliseconds.ts';
import { readProcedure } from '../store/procedure.ts';
import { type Lane, waitsIn } from './lanes.ts';

/** The most jobs that are counted as due. */
const BACKLOG_MAX = 1_000;

/** How many jobs are due and wait, and since when the first of them is due, in ms since the epoch. */
export type Backlog = Readonly<{ due: number; oldest: number | null }>;

export const readBacklog = readProcedure<Readonly<{ now: number; lane: Lane }>, Backlog>(
  'readBacklog',
  async (db, { now, lane }) => {
    const due = await db
      .selectFrom('jobs')
      .select('run_at')
      .where(waitsIn(lane))
      .where('run_at', '<=', milliseconds(now))
      .orderBy('run_at')
      .limit(BACKLOG_MAX)
      .execute();
    const [oldest] = due;
    return { due: due.length, oldest: oldest ? Number(oldest.run_at) : null };
  },
);

/**
 * Whether any job of any lane is due. Runners ask this each second, and almost always there is none. A
 * lease would be a write transaction, and finding the webhooks that are due a heavy read.
 */
export const isAnyJobDue = readProcedure<Readonly<{ now: number }>, boolean>(
  'isAnyJobDue',
  async (db, { now }) => {
    const due = await db
      .selectFrom('jobs')
      .select('id')
      .where('state', '=', 'waiting')
      .where('run_at', '<=', milliseconds(now))
      .limit(1)
      .executeTakeFirst();
    return due !== undefined;
  },
);
