import type { OrganizationId } from '../../../shared/ids.ts';
import { countByState } from '../../jobs/counts.ts';
import { type JobsQuery, type ListedJob, readJobs } from '../../jobs/list.ts';
import { retryJob, retryJobs } from '../../jobs/queue.ts';
import { type Db, readProcedure, writeProcedure } from '../../store/procedure.ts';
import type { JobRow } from '../../store/schema/ledger.ts';
import { type AuditEntry, audited, record } from '../audit/record.ts';
import { type Names, namesOf } from '../audit/names.ts';
import { type AttemptFault, faultsOf } from '../webhooks/queue.ts';
import { type JobsFilter, matches } from './filter.ts';

export const retryJobAudited = audited(retryJob);

/** Each entry is written if its target is tried again. Returns the ids of those jobs. */
export const retryJobsAudited = writeProcedure<
  Readonly<{ entries: readonly AuditEntry[]; now: number }>,
  readonly string[]
>('retryJobsAudited', async (db, { entries, now }) => {
  const jobs = entries.flatMap(({ target }) => target ?? []);
  const retried = new Set(await retryJobs(db, { jobs, now }));
  for (const entry of entries) {
    if (entry.target !== null && retried.has(entry.target)) await record(db, entry);
  }
  return [...retried];
});

type JobKind = Pick<JobRow, 'id' | 'kind' | 'idempotency_key'>;

export const findJobKinds = readProcedure<readonly string[], readonly JobKind[]>(
  'findJobKinds',
  async (db, ids) =>
    await db
      .selectFrom('jobs')
      .select(['id', 'kind', 'idempotency_key'])
      .where('id', 'in', ids)
      .execute(),
);

export type NamedJobs = Readonly<{
  rows: readonly ListedJob[];
  names: Names;
  /** The organizations of invitations and webhook endpoints, by the ids of these. */
  owners: ReadonlyMap<string, OrganizationId>;
  /** Why the attempts of webhooks failed, by the ids of their jobs. */
  faults: ReadonlyMap<string, AttemptFault>;
}>;

/**
 * Lists jobs with the names of what they are for; up to `limit` + 1 rows. It runs on the thread for
 * heavy procedures, because a filter may read many jobs.
 */
export const listNamedJobs = readProcedure<JobsFilter & Omit<JobsQuery, 'where'>, NamedJobs>(
  'listNamedJobs',
  { heavy: true },
  async (db, query) => withNames(db, await readJobs(db, { ...query, where: matches(query) })),
);

/** At most a thousand of each state, on the thread for heavy procedures. */
export const countJobsByState = readProcedure<JobsFilter, Record<JobRow['state'], number>>(
  'countJobsByState',
  { heavy: true },
  (db, filter) => countByState(db, matches(filter)),
);

/** For procedures: adds the names of what jobs are for. */
export async function withNames(db: Db, rows: readonly ListedJob[]): Promise<NamedJobs> {
  const subjects = rows.map(({ subject }) => subject);
  const owners = new Map([
    ...(await ownersOf(db, 'invitations', 'inv_', subjects)),
    ...(await ownersOf(db, 'webhook_endpoints', 'whk_', subjects)),
  ]);
  const names = await namesOf(db, [...subjects, ...owners.values()]);
  return { rows, names, owners, faults: await faultsOf(db, rows) };
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
