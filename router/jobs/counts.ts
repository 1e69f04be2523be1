/** How many jobs need an operator's attention. */
import type { Expression, SqlBool } from 'kysely';
import { JOBS_COUNTED_MAX } from '../../shared/jobs.ts';
import { milliseconds } from '../store/milliseconds.ts';
import type { Db } from '../store/procedure.ts';
import type { JobRow } from '../store/schema/ledger.ts';
import { waitsIn } from './lanes.ts';

export type JobCounts = Readonly<{
  /** Jobs that were given up. */
  failed: number;
  /** When the first of them was given up, in ms since the epoch. Null: none was. */
  oldestFailed: number | null;
  /**
   * Jobs that failed and wait for their next attempt, among the next `JOBS_COUNTED_MAX`. Webhooks are
   * not counted here and below: they wait for servers of customers.
   */
  retried: number;
  /** Since when the longest waiting job is due, in ms since the epoch. Null: none is. */
  oldestDue: number | null;
}>;

/** For procedures: counts the jobs of each state that match, up to `JOBS_COUNTED_MAX`. */
export async function countByState(
  db: Db,
  where: Expression<SqlBool>,
): Promise<Record<JobRow['state'], number>> {
  const count = async (state: JobRow['state']) => {
    const { n } = await db
      .selectFrom(
        db
          .selectFrom('jobs')
          .select('id')
          .where('state', '=', state)
          .where(where)
          .limit(JOBS_COUNTED_MAX)
          .as('j'),
      )
      .select((row) => row.fn.countAll<bigint>().as('n'))
      .executeTakeFirstOrThrow();
    return Number(n);
  };
  return {
    failed: await count('failed'),
    waiting: await count('waiting'),
    running: await count('running'),
    done: await count('done'),
  };
}

/** For procedures. */
export async function countJobs(db: Db, now: number): Promise<JobCounts> {
  const failed = await db
    .selectFrom('jobs')
    .select('ended')
    .where('state', '=', 'failed')
    .orderBy('run_at')
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
    oldestFailed:
      failed.length === 0 ? null : Math.min(...failed.map(({ ended }) => Number(ended))),
    retried: waiting.filter(({ attempts }) => attempts > 0n).length,
    oldestDue: isDue ? Number(first.run_at) : null,
  };
}
