/** Deletes jobs that ended long ago. */
import { milliseconds } from '../store/milliseconds.ts';
import { writeProcedure } from '../store/procedure.ts';

export type Forgettable = Readonly<{
  state: 'done' | 'failed';
  /** Kinds of which jobs that were given up are kept until somebody has tried them again. */
  kept: readonly string[];
  /** ms since the epoch: jobs that ended before it are deleted. */
  before: number;
  rows: number;
}>;

/** Returns how many rows were deleted. */
export const forgetJobs = writeProcedure<Forgettable, number>(
  'forgetJobs',
  async (db, { state, kept, before, rows }) => {
    const at = milliseconds(before);
    const { numDeletedRows } = await db
      .deleteFrom('jobs')
      .where('id', 'in', (query) => {
        const old = query
          .selectFrom('jobs')
          .select('id')
          .where('state', '=', state)
          // A job runs after it is due, so the index by `run_at` finds those that ended before.
          .where('run_at', '<', at)
          .where('ended', '<', at)
          .limit(rows);
        return kept.length === 0 ? old : old.where('kind', 'not in', kept);
      })
      .executeTakeFirst();
    return Number(numDeletedRows);
  },
);
