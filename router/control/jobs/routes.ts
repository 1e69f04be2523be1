/** Routes by which operators see background jobs, and try those again that were given up. */
import { z } from 'zod';
import { JobIdText } from '../../../shared/api/ids.ts';
import { Job, JobPage, JobQuery } from '../../../shared/api/jobs.ts';
import { shownFault } from '../../jobs/faults.ts';
import type { ListedJob } from '../../jobs/list.ts';
import { ATTEMPTS_MAX } from '../../jobs/queue.ts';
import { type Api, found, instantOrNull, isoInstant, noSuch, Refused } from '../api.ts';
import { LETTER } from '../mail/letter.ts';
import { answerPage, cutPage } from '../pages.ts';
import type { ControlParts } from '../parts.ts';
import { findNamedJob, listNamedJobs, type NamedJobs, retryJobAudited } from './procedures.ts';
import { whyNotRetriable } from './retriable.ts';

export type JobParts = Pick<ControlParts, 'store' | 'clock'>;

const JobPath = z.object({ job: JobIdText });

export function jobRoutes(api: Api, { store, clock }: JobParts): void {
  api.get(
    '/jobs',
    {
      config: { access: 'operator' },
      schema: {
        summary: 'Background jobs in one state',
        description:
          'Jobs that wait or run are in the order of their attempts, ended ones the newest first. ' +
          'Jobs are deleted 30 days after they ended. An erasure that was given up is kept.',
        tags: ['jobs'],
        querystring: JobQuery,
        response: { 200: JobPage },
      },
    },
    async ({ query: { state, kind = null, limit, after = null } }) => {
      const listed = await store.call(listNamedJobs, { state, kind, limit, after });
      const page = cutPage(listed.rows, limit, ({ run_at, id }) => `${run_at}-${id}`);
      return answerPage(page, (row) => shown(row, listed));
    },
  );

  api.post(
    '/jobs/:job/retry',
    {
      config: { access: 'operator', action: 'job.retry' },
      schema: {
        summary: 'Try a job again that was given up',
        description:
          'The job runs at once, and again after a failure, as a new job does. Charges and ' +
          'refunds are refused: the payment provider may have forgotten their idempotency keys, ' +
          'and could move the money twice. Scheduled tasks ask the provider for their results. Emails ' +
          'with a link to an account are refused, too: the person can ask for another.',
        tags: ['jobs'],
        params: JobPath,
        response: { 200: Job },
      },
    },
    async (request) => {
      const { job } = request.params;
      const { kind, email } = await readJob(job);
      const fault = whyNotRetriable({ kind, email });
      if (fault !== null) throw new Refused('conflict', fault);
      const entry = request.auditEntry({ target: job, details: { kind } });
      const answer = await store.call(retryJobAudited, { input: { job, now: clock.now() }, entry });
      if (answer === 'unknown') throw noSuch('job');
      if (answer === 'open') {
        throw new Refused('conflict', 'This job was not given up, so it cannot be tried again.');
      }
      return await readJob(job);
    },
  );

  async function readJob(id: string): Promise<Job> {
    const one = await store.call(findNamedJob, id);
    return shown(found(one.rows[0], 'job'), one);
  }
}

function shown(row: ListedJob, { names, owners }: Omit<NamedJobs, 'rows'>): Job {
  const { id, kind, subject, state, attempts, run_at, created, ended, last_error } = row;
  const owner = owners.get(subject);
  const email = kind === LETTER ? (row.idempotency_key.split('/')[1] ?? null) : null;
  return {
    id,
    kind,
    email,
    // An email to an address that nobody has is for nobody.
    subject: subject === 'nobody' ? null : subject,
    subject_name: names.get(subject)?.name ?? null,
    subject_organization:
      owner === undefined ? null : { id: owner, name: names.get(owner)?.name ?? null },
    state,
    attempts: Number(attempts),
    attempts_max: Number(ATTEMPTS_MAX),
    created: isoInstant(created),
    next_attempt: state === 'waiting' ? isoInstant(run_at) : null,
    ended: instantOrNull(ended),
    last_error: shownFault(last_error),
    can_retry: state === 'failed' && whyNotRetriable({ kind, email }) === null,
  };
}
