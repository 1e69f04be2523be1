/** Tries several jobs again: those of them that were given up, and whose kind may be tried again. */
import type { FastifyRequest } from 'fastify';
import type { JobOutcome, JobsRetried } from '../../../shared/api/jobs.ts';
import type { ControlParts } from '../parts.ts';
import { findJobKinds, retryJobsAudited } from './procedures.ts';
import { whyNotRetriable } from './retriable.ts';
import { emailOf } from './serialize.ts';

type Asked = Pick<FastifyRequest, 'auditEntry'> &
  Readonly<{ body: Readonly<{ jobs: readonly string[] }> }>;

export async function retrySeveral(
  { store, clock }: Pick<ControlParts, 'store' | 'clock'>,
  request: Asked,
): Promise<JobsRetried> {
  const ids = [...new Set(request.body.jobs)];
  const found = await store.call(findJobKinds, ids);
  const retriable = found.filter(
    (job) => whyNotRetriable({ kind: job.kind, email: emailOf(job) }) === null,
  );
  const entries = retriable.map(({ id, kind }) =>
    request.auditEntry({ target: id, details: { kind } }),
  );
  const retried = new Set(await store.call(retryJobsAudited, { entries, now: clock.now() }));
  const known = new Set(found.map(({ id }) => id));
  const allowed = new Set(retriable.map(({ id }) => id));
  const outcomeOf = (id: string): JobOutcome['outcome'] => {
    if (!known.has(id)) return 'unknown';
    if (!allowed.has(id)) return 'refused';
    return retried.has(id) ? 'retried' : 'not_failed';
  };
  return {
    retried: retried.size,
    data: ids.map((id) => ({ id, outcome: outcomeOf(id) })),
  };
}
