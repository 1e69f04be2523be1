/** Background jobs in the management API. */
import { z } from 'zod';
import { count, instant } from './fields.ts';
import { FOREIGN_CURSOR, page, pageQuery } from './pages.ts';

export const JOB_STATES = ['waiting', 'running', 'done', 'failed'] as const;

/** The kinds that this version has. A later version may have more. */
export const JOB_KINDS = [
  'letter',
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

export const JobQuery = pageQuery(JobCursor).extend({
  state: z
    .enum(JOB_STATES)
    .default('failed')
    .describe('`failed` jobs were given up after their last attempt.'),
  kind: z
    .string()
    .min(1)
    .max(60)
    .optional()
    .meta({ examples: ['letter'] }),
});

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
    'Attempts that were started, without those before an operator tried it again.',
  ),
  attempts_max: count,
  created: instant,
  next_attempt: instant.nullable().describe('For a `waiting` job. Otherwise null.'),
  ended: instant.nullable(),
  last_error: z
    .string()
    .nullable()
    .describe(
      "Why the last attempt failed: a sentence of Penstock, or the error's class and code. The router's log has the details, under the job's id.",
    ),
  can_retry: z
    .boolean()
    .describe(
      'Whether the job was given up and can be tried again. A charge or refund never can, because the payment provider may have forgotten its idempotency key, and neither can an email with a link to an account.',
    ),
});
export type Job = z.infer<typeof Job>;
export const JobPage = page(Job);
