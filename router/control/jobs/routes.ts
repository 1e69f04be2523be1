/** Routes by which operators see background jobs, and try those again that have failed. */
import { z } from 'zod';
import { JobIdText } from '../../../shared/api/ids.ts';
import {
  JobCounts,
  JobCountsQuery,
  JobDetail,
  JobPage,
  JobQuery,
  JobsRetried,
  JobsRetry,
} from '../../../shared/api/jobs.ts';
import { type Api, found, noSuch, Refused } from '../api.ts';
import { answerPage, cutPage } from '../pages.ts';
import type { ControlParts } from '../parts.ts';
import { findJob } from './detail.ts';
import { countJobsByState, listNamedJobs, retryJobAudited } from './procedures.ts';
import { whyNotRetriable } from './retriable.ts';
import { retrySeveral } from './retry-several.ts';
import { shownDetail, shownJob } from './serialize.ts';

export type JobParts = Pick<ControlParts, 'store' | 'clock'>;

const JobPath = z.object({ job: JobIdText });

export function jobRoutes(api: Api, { store, clock }: JobParts): void {
  api.get(
    '/jobs',
    {
      config: { access: 'operator' },
      schema: {
        summary: 'List background jobs in one state',
        description:
          'Jobs that wait or run are in the order of their attempts, ended ones the newest first. ' +
          'Jobs are deleted 30 days after they ended. An erasure that was given up is kept.',
        tags: ['jobs'],
        querystring: JobQuery,
        response: { 200: JobPage },
      },
    },
    async ({ query: { state, kind = null, search = null, limit, after = null } }) => {
      const listed = await store.call(listNamedJobs, { state, kind, search, limit, after });
      const page = cutPage(listed.rows, limit, ({ run_at, id }) => `${run_at}-${id}`);
      const now = clock.now();
      return answerPage(page, (row) => shownJob(row, listed, now));
    },
  );

  api.get(
    '/jobs/counts',
    {
      config: { access: 'operator' },
      schema: {
        summary: 'Count the background jobs in each state',
        tags: ['jobs'],
        querystring: JobCountsQuery,
        response: { 200: JobCounts },
      },
    },
    async ({ query: { kind = null, search = null } }) =>
      await store.call(countJobsByState, { kind, search }),
  );

  api.get(
    '/jobs/:job',
    {
      config: { access: 'operator' },
      schema: {
        summary: 'Get a background job with its attempts',
        tags: ['jobs'],
        params: JobPath,
        response: { 200: JobDetail },
      },
    },
    async ({ params }) => await readJob(params.job),
  );

  api.post(
    '/jobs/:job/retry',
    {
      config: { access: 'operator', action: 'job.retry' },
      schema: {
        summary: 'Try a job again that has failed',
        description:
          'A job that was given up runs at once, and again after a failure, as a new job does. One ' +
          'that waits for another attempt has it at once, and keeps its count of attempts. Charges and ' +
          'refunds are refused: the payment provider may have forgotten their idempotency keys, ' +
          'and could move the money twice. Scheduled tasks ask the provider for their results. Emails ' +
          'with a link to an account are refused, too: the person can ask for another.',
        tags: ['jobs'],
        params: JobPath,
        response: { 200: JobDetail },
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
        throw new Refused(
          'conflict',
          'This job has not failed, or is due already, so it cannot be tried again.',
        );
      }
      return await readJob(job);
    },
  );

  api.post(
    '/jobs/retry',
    {
      config: { access: 'operator', action: 'job.retry' },
      schema: {
        summary: 'Try several jobs again that were given up',
        description:
          'Each job that was given up is treated as by `POST /jobs/{job}/retry`. One that ' +
          'waits for another attempt is left as it is. A job that cannot be tried again ' +
          'does not keep the others from it. When the call is repeated, nothing is tried twice. ' +
          'Each job that is tried again has an entry in the audit log.',
        tags: ['jobs'],
        body: JobsRetry,
        response: { 200: JobsRetried },
      },
    },
    async (request) => await retrySeveral({ store, clock }, request),
  );

  async function readJob(id: string): Promise<JobDetail> {
    return shownDetail(found(await store.call(findJob, id), 'job'), clock.now());
  }
}
