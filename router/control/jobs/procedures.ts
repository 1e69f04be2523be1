import type { OrganizationId } from '../../../shared/ids.ts';
import { type JobsQuery, type ListedJob, readJob, readJobs } from '../../jobs/list.ts';
import { retryJob } from '../../jobs/queue.ts';
import { type Db, readProcedure } from '../../store/procedure.ts';
import { audited } from '../audit/record.ts';
import { type Names, namesOf } from '../audit/names.ts';

export const retryJobAudited = audited(retryJob);

export type NamedJobs = Readonly<{
  rows: readonly ListedJob[];
  names: Names;
  /** The organizations of invitations and webhook endpoints, by the ids of these. */
  owners: ReadonlyMap<string, OrganizationId>;
}>;

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
  const subjects = rows.map(({ subject }) => subject);
  const owners = new Map([
    ...(await ownersOf(db, 'invitations', 'inv_', subjects)),
    ...(await ownersOf(db, 'webhook_endpoints', 'whk_', subjects)),
  ]);
  return { rows, names: await namesOf(db, [...subjects, ...owners.values()]), owners };
}

async function ownersOf(
  db: Db,
  table: 'invitations' | 'webhook_endpoints',
  prefix: string,
  subjects: readonly string[],
): Promise<readonly (readonly [id: string, owner: OrganizationId])[]> {
  const ids = subjects.filter((id) => id.startsWith(prefix));
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom(table)
    .select(['id', 'organization'])
    .where('id', 'in', ids as never)
    .execute();
  return rows.map(({ id, organization }) => [id, organization]);
}
