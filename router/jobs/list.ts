/** Lists jobs by state. Those that are open come in the order in which they run. */
import type { Expression, SqlBool } from 'kysely';
import type { Db } from '../store/procedure.ts';
import type { JobRow } from '../store/schema/ledger.ts';

export type JobCursor = Readonly<{ runAt: bigint; id: string }>;

export type JobsQuery = Readonly<{
  state: JobRow['state'];
  /** Which jobs of the state. */
  where: Expression<SqlBool>;
  after: JobCursor | null;
  limit: number;
}>;

export type ListedJob = Omit<JobRow, 'payload' | 'leased_by' | 'leased_at'>;

/**
 * For procedures: returns up to `limit` + 1 jobs, so that the caller sees whether there are more:
 * open ones by their next attempt, ended ones by their last attempt, newest first. A condition may
 * read all jobs of the state.
 */
export async function readJobs(
  db: Db,
  { state, where, after, limit }: JobsQuery,
): Promise<readonly ListedJob[]> {
  const isOpen = state === 'waiting' || state === 'running';
  const order = isOpen ? 'asc' : 'desc';
  let query = jobs(db)
    .where('state', '=', state)
    .where(where)
    .orderBy('run_at', order)
    .orderBy('id', order)
    .limit(limit + 1);
  if (after !== null) {
    const beyond = isOpen ? '>' : '<';
    query = query.where((row) =>
      row.or([
        row('run_at', beyond, after.runAt),
        row.and([row('run_at', '=', after.runAt), row('id', beyond, after.id)]),
      ]),
    );
  }
  return await query.execute();
}

/** For procedures. */
export async function readJob(db: Db, id: string): Promise<JobRow | null> {
  const job = await db.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirst();
  return job ?? null;
}

function jobs(db: Db) {
  return db
    .selectFrom('jobs')
    .select([
      'id',
      'kind',
      'subject',
      'idempotency_key',
      'state',
      'attempts',
      'run_at',
      'last_error',
      'attempt_log',
      'created',
      'ended',
    ]);
}
