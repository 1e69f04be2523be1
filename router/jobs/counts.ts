/** How many jobs need an operator's attention. */
import { milliseconds } from '../store/milliseconds.ts';
import type { Db } from '../store/procedure.ts';
import { waitsIn } from './lanes.ts';

/** The most jobs of a state that are counted. */
export const JOBS_COUNTED_MAX = 1_000;

export type JobCounts = Readonly<{
  /** Jobs that were given up. */
  failed: number;
  /**
   * Jobs that failed and wait for their next attempt, among the next `JOBS_COUNTED_MAX`. Webhooks are
   * not counted here and below: they wait for servers of customers.
   */
  retried: number;
  /** Since when the longest waiting job is due, in ms since the epoch. Null: none is. */
  oldestDue: number | null;
}>;

/** For procedures. */
export async function countJobs(db: Db, now: number): Promise<JobCounts> {
  const failed = await db
    .selectFrom('jobs')
    .select('id')
    .where('state', '=', 'failed')
    .limit(JOBS_COUNTED_MAX)
    .execute();
  const waiting = await db
    .selectFrom('jobs')
    .select(['attempts', 'run_at'])
    .where(waitsIn('others'))
    .orderBy('run_at')
    .limit(JOBS_COUNTED_MAX)
    .execute();
  const [first] = waiting;
  const isDue = first !== undefined && first.run_at <= milliseconds(now);
  return {
    failed: failed.length,
    retried: waiting.filter(({ attempts }) => attempts > 0n).length,
    oldestDue: isDue ? Number(first.run_at) : null,
  };
}
