/** Lanes of the queue: which jobs a runner takes, and in which order. */
import type { ExpressionBuilder } from 'kysely';
import { milliseconds } from '../store/milliseconds.ts';
import type { Db } from '../store/procedure.ts';
import type { Schema } from '../store/schema.ts';

/**
 * The jobs that a runner takes: those of one kind, of which one at a time runs for each subject, or
 * all but some kinds.
 */
export type Lane = Readonly<{ only: string }> | Readonly<{ allBut: readonly string[] }>;

export const EVERY_KIND: Lane = { allBut: [] };

/**
 * Returns the ids of due jobs of a lane, at most `limit`. Of one kind there is one job for each
 * subject; otherwise the longest due come first.
 */
export async function findDue(db: Db, lane: Lane, now: number, limit: number): Promise<string[]> {
  if ('only' in lane) return await findApart(db, lane, now, limit);
  const due = await db
    .selectFrom('jobs')
    .select('id')
    .where((job) => kindIn(job, lane))
    .where('state', '=', 'waiting')
    .where('run_at', '<=', milliseconds(now))
    .orderBy('run_at')
    .orderBy('id')
    .limit(limit)
    .execute();
  return due.map(({ id }) => id);
}

/**
 * Returns one job for each subject that has none running. Subjects with few due jobs come first, so
 * that one with many does not delay them.
 */
async function findApart(
  db: Db,
  { only }: Readonly<{ only: string }>,
  now: number,
  limit: number,
): Promise<string[]> {
  const at = milliseconds(now);
  const subjects = await db
    .selectFrom('jobs as due')
    .select('subject')
    .where('state', '=', 'waiting')
    .where('run_at', '<=', at)
    .where('kind', '=', only)
    .where((row) =>
      row.not(
        row.exists(
          row
            .selectFrom('jobs as other')
            .select('other.id')
            .whereRef('other.subject', '=', 'due.subject')
            .where('other.kind', '=', only)
            .where('other.state', '=', 'running'),
        ),
      ),
    )
    .groupBy('subject')
    .orderBy(({ fn }) => fn.countAll())
    .orderBy(({ fn }) => fn.min('run_at'))
    .orderBy('subject')
    .limit(limit)
    .execute();
  const ids: string[] = [];
  for (const { subject } of subjects) {
    const first = await db
      .selectFrom('jobs')
      .select('id')
      .where('subject', '=', subject)
      .where('kind', '=', only)
      .where('state', '=', 'waiting')
      .where('run_at', '<=', at)
      .orderBy('run_at')
      .orderBy('id')
      .limit(1)
      .executeTakeFirst();
    // Another router may have been faster.
    if (first) ids.push(first.id);
  }
  return ids;
}

/** The condition for the kinds of a lane. */
export function kindIn(job: ExpressionBuilder<Schema, 'jobs'>, lane: Lane) {
  if ('only' in lane) return job('kind', '=', lane.only);
  return lane.allBut.length === 0 ? job.lit(true) : job('kind', 'not in', [...lane.allBut]);
}
