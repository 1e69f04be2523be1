/** Background jobs in the management API. */
import { z } from 'zod';
import { ATTEMPTS_KEPT_MAX, JOBS_COUNTED_MAX, JOBS_RETRIED_MAX, UNSENT_REASONS } from '../jobs.ts';
import { count, instant, Search } from './fields.ts';
import { JobIdText } from './ids.ts';
import { FOREIGN_CURSOR, page, pageQuery } from './pages.ts';

export const JOB_STATES = ['waiting', 'running', 'done', 'failed'] as const;

/** The kinds that this version has. A later version may have more. */
export const JOB_KINDS = [
  'letter',
  'incident-letter',
  'invoice',
  'charge',
  'refund',
  'erase-organization',
  'erase-person',
  'webhook',
] as const;

/** The time of the attempt by which the list is sorted, and the id. */
const JobCursor = z
  .string()
  .regex(/^\d{1,15}-job_[0-9a-f]{26}$/, FOREIGN_CURSOR)
  .transform((text) => {
    const [runAt = '', id = ''] = text.split('-');
    return { runAt: BigInt(runAt), id };
  });

const jobFilter = {
  kind: z
    .string()
    .min(1)
    .max(60)
    .optional()
    .meta({ examples: ['letter'] }),
  search: Search.min(1)
    .optional()
    .describe(
      'The id of a job or of what it is for, or a part of the name or email address of the organization, person or invitation that it is for. An organization is found with its invitations and webhook endpoints, and a person with the invitations to their address.',
    ),
};

export const JobQuery = pageQuery(JobCursor).extend({
  state: z
    .enum(JOB_STATES)
    .default('failed')
    .describe('`failed` jobs were given up after their last attempt.'),
  ...jobFilter,
});

export const JobCountsQuery = z.strictObject(jobFilter);

export const Job = z.object({
  id: z.string(),
  kind: z
    .string()
    .describe(`One of ${JOB_KINDS.map((kind) => `\`${kind}\``).join(', ')}.`)
    .meta({ examples: ['letter'] }),
  email: z
    .string()
    .nullable()
    .describe('For a `letter`, the kind of email, such as `receipt`. Otherwise null.')
    .meta({ examples: ['receipt'] }),
  subject: z
    .string()
    .nullable()
    .describe(
      'The id of the organization, person, invitation or webhook endpoint that the job is for.',
    ),
  subject_name: z
    .string()
    .nullable()
    .describe(
      'The name of the organization or person, the invited email address, or the host of the endpoint. Null if it is not known or was erased.',
    ),
  subject_organization: z
    .object({ id: z.string(), name: z.string().nullable() })
    .nullable()
    .optional()
    .describe(
      'The organization of the invitation or endpoint. Otherwise null; absent when a router of an earlier version answers.',
    ),
  state: z.enum(JOB_STATES),
  attempts: count.describe(
    'Attempts that were started, without those before it was given up and an operator tried it again.',
  ),
  attempts_max: count,
  created: instant,
  next_attempt: instant.nullable().describe('For a `waiting` job. Otherwise null.'),
  ended: instant.nullable(),
  last_error: z
    .string()
    .nullable()
    .describe(
      "Why the last attempt failed: a sentence of Penstock, or the error's class, code and message, without URLs, addresses and what may be secret. The router's log has all of it, under the job's id.",
    ),
  recipients: count
    .nullable()
    .optional()
    .describe(
      'For a `letter` or `incident-letter` that is done: to how many people the email was sent. Of an email to an organization, and of the jobs of an incident itself, for how many it was queued: each of them gets it by a job of its own. 0: it was sent to nobody. Otherwise null, also if a router of an earlier version ran the job; absent when one answers.',
    ),
  unsent: z
    .enum(UNSENT_REASONS)
    .nullable()
    .optional()
    .describe(
      'For an email that was sent to nobody: why. `nobody_in_charge`: the organization has no member who may manage its billing. `not_in_charge`: the recipient no longer may. `switched_off`: the recipient does not want these emails any more, or has no account that gets them. `address_settled`: the address is confirmed already, or is no longer the one to confirm. `no_subscribers`: nobody has chosen emails about incidents; `no_more_subscribers`: nobody else has. `superseded`: the incident has a newer update, or was deleted. `postponed`: too many other emails wait, and a later job continues. `withdrawn`: the email was withdrawn meanwhile. Otherwise null, also if a router of an earlier version ran the job; absent when one answers.',
    ),
  delivery_fault: z
    .string()
    .nullable()
    .optional()
    .describe(
      'For a `webhook` that is done: why the attempt did not deliver the event. Null if it did, or if another attempt followed; absent when a router of an earlier version answers.',
    ),
  delivery_next_attempt: instant
    .nullable()
    .optional()
    .describe(
      'For a `webhook` with a `delivery_fault`: when the next attempt follows, by a job of its own. Otherwise null; absent when a router of an earlier version answers.',
    ),
  can_retry: z
    .boolean()
    .describe(
      'Whether the job was given up and can be tried again. A charge or refund never can, because the payment provider may have forgotten its idempotency key, and neither can an email with a link to an account.',
    ),
  can_try_now: z
    .boolean()
    .optional()
    .describe(
      'Whether the job waits for another attempt, which `POST /jobs/{job}/retry` makes due at once. The kinds of jobs are those of `can_retry`. Absent when a router of an earlier version answers.',
    ),
});
export type Job = z.infer<typeof Job>;
export const JobPage = page(Job);

const inState = count.describe(`At most ${JOBS_COUNTED_MAX.toLocaleString('en')} are counted.`);

export const JobCounts = z.object({
  failed: inState,
  waiting: inState,
  running: inState,
  done: inState,
});
export type JobCounts = z.infer<typeof JobCounts>;

const JobAttempt = z.object({
  started: instant.nullable().describe('Null if a router of an earlier version ran the attempt.'),
  ended: instant,
  router: z.string().describe('The id of the router that ran it.'),
  error: z.string().nullable().describe('Why it failed, as in `last_error`. Null: it succeeded.'),
});
export type JobAttempt = z.infer<typeof JobAttempt>;

const JobFact = z.object({
  name: z.string().meta({ examples: ['payment'] }),
  value: z.string().meta({ examples: ['pay_01hzy3v7k8m2n4p6q8r0s2t4v6'] }),
  value_name: z.string().nullable().describe('The name of what an id refers to, if it is known.'),
});
export type JobFact = z.infer<typeof JobFact>;

const JobDelivery = z.object({
  id: z.string(),
  organization: z.string(),
  webhook: z.string(),
  host: z.string().nullable().describe('Of the URL of the endpoint. Null: it was deleted.'),
  event: z.string(),
  type: z.string(),
  state: z.enum(['waiting', 'delivered', 'failed']),
  attempts: count.describe('All attempts, also those before it was sent again.'),
  created: instant,
  next_attempt: instant.nullable(),
  attempt_log: z
    .array(
      z.object({
        at: instant.describe('When it ended.'),
        status: count.nullable().describe('The HTTP status of the answer, if there was one.'),
        fault: z.string().nullable().describe('Why it failed. Null: it was delivered.'),
      }),
    )
    .describe(`The newest first, at most ${ATTEMPTS_KEPT_MAX}.`),
});
export type JobDelivery = z.infer<typeof JobDelivery>;

export const JobDetail = Job.extend({
  attempt_log: z
    .array(JobAttempt)
    .describe(
      `The attempts that have ended, the newest first, at most ${ATTEMPTS_KEPT_MAX}, with those before an operator tried it again. Attempts that ended on a router of an earlier version are missing.`,
    ),
  retry_refusal: z
    .string()
    .nullable()
    .describe('Why a job that was given up cannot be tried again. Otherwise null.'),
  run: z
    .object({ started: instant.nullable(), router: z.string() })
    .nullable()
    .describe('The attempt that is running. Null for a job in another state.'),
  facts: z.array(JobFact).describe('What the job was given, without email addresses and texts.'),
  delivery: JobDelivery.nullable().describe(
    'For a `webhook`, the delivery that the attempt belongs to. Otherwise null, or if it was deleted.',
  ),
});
export type JobDetail = z.infer<typeof JobDetail>;

export const JobsRetry = z.strictObject({
  jobs: z
    .array(JobIdText)
    .min(1, 'Enter the id of a job.')
    .max(JOBS_RETRIED_MAX, `Enter at most ${JOBS_RETRIED_MAX} ids.`)
    .describe('The ids of jobs that were given up. An id that is repeated counts once.'),
});

const OUTCOMES = ['retried', 'not_failed', 'refused', 'unknown'] as const;

const JobOutcome = z.object({
  id: z.string(),
  outcome: z
    .enum(OUTCOMES)
    .describe(
      '`not_failed`: the job was not given up, for example because it is already tried again. `refused`: jobs of its kind cannot be tried again. `unknown`: there is no such job.',
    ),
});
export type JobOutcome = z.infer<typeof JobOutcome>;

export const JobsRetried = z.object({
  retried: count.describe('How many jobs are tried again.'),
  data: z.array(JobOutcome).describe('Each job, in the order of the request.'),
});
export type JobsRetried = z.infer<typeof JobsRetried>;
