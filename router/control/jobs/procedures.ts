import { type JobsQuery, type ListedJob, readJob, readJobs } from '../../jobs/list.ts';
import { retryJob } from '../../jobs/queue.ts';
import { type Db, readProcedure } from '../../store/procedure.ts';
import { audited } from '../audit/record.ts';
import { type Names, namesOf } from '../audit/names.ts';

export const retryJobAudited = audited(retryJob);

export type NamedJobs = Readonly<{ rows: readonly ListedJob[]; names: Names }>;

/**
 * Lists jobs with the names of what they are for; up to `limit` + 1 rows. It runs on the thread for
 * heavy procedures, because a filter by kind may read many jobs.
 */
export const listNamedJobs = readProcedure<JobsQuery, NamedJobs>(
  'listNamedJobs',
  { heavy: true },
  async (db, query) => withNames(db, await readJobs(db, query)),
);

export const findNamedJob = readProcedure<string, NamedJobs>('findNamedJob', async (db, id) => {
  const job = await readJob(db, id);
  return withNames(db, job === null ? [] : [job]);
});

async function withNames(db: Db, rows: readonly ListedJob[]): Promise<NamedJobs> {
  // The name of an invitation is an address of email, which the list does not show.
  const named = rows.map(({ subject }) => subject).filter((id) => /^(?:org|per|whk)_/.test(id));
  return { rows, names: await namesOf(db, named) };
}
