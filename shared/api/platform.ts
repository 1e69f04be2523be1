/** The platform as a whole, for operators: money and tokens by day, top customers, and alarms. */
import { z } from 'zod';
import { Region } from '../region.ts';
import { count, instant, usd } from './fields.ts';

const day = z.object({
  day: z.iso.date(),
  payments: usd.describe('What was paid in.'),
  refunds: usd.describe('What was refunded or disputed: negative.'),
  credits: usd.describe('Welcome credit and adjustments.'),
  usage: usd.describe('What was charged for requests, less reversed charges.'),
  requests: count,
  prompt_tokens: count,
  completion_tokens: count,
});

const customer = z.object({
  organization: z.string(),
  name: z.string().nullable().describe('Null for an organization that was deleted.'),
  usage: usd,
});

export const PlatformSummary = z.object({
  /** The oldest first; the last is today (UTC). */
  days: z.array(day),
  money_is_current: z
    .boolean()
    .describe(
      'False when so much is charged that the money of the last minutes is left out, also of the top customers.',
    ),
  top_customers: z.object({
    last_7_days: z.array(customer),
    last_30_days: z.array(customer),
  }),
});
export type PlatformSummary = z.infer<typeof PlatformSummary>;

export const PlatformAlarm = z.object({
  kind: z.string().meta({ examples: ['jobs_failed'] }),
  severity: z.enum(['urgent', 'warning']),
  message: z
    .string()
    .describe('A sentence for people. Its wording may change.')
    .meta({ examples: ['2 jobs were given up after the last attempt.'] }),
  page: z
    .enum(['fleet', 'routers', 'jobs', 'audit'])
    .describe('The page of the dashboard that explains it.'),
  count: count.nullable().describe('How often it was noticed. Null for a state.'),
  last: instant.nullable(),
  since: instant
    .nullish()
    .describe(
      'Since when it holds: when its cause began, or else when the router that answers noticed it. Absent when a router of an earlier version answers.',
    ),
  runbook: z
    .string()
    .nullish()
    .describe('The section of docs/runbooks.md that says what to do. Null: it has none.')
    .meta({ examples: ['PenstockJobsFailed'] }),
  models: z
    .array(z.string())
    .optional()
    .describe('The models that are affected. Empty: the alarm is not about models.'),
  regions: z.array(Region).optional().describe('The regions of these models, if they are known.'),
  routers: z
    .array(z.object({ id: z.string(), name: z.string() }))
    .optional()
    .describe(
      'The routers that see it. Empty: it is not about single routers, or there is only one.',
    ),
});
export type PlatformAlarm = z.infer<typeof PlatformAlarm>;

export const PlatformStatus = z.object({
  alarms: z.array(PlatformAlarm),
  jobs: z.object({
    failed: count.describe('Jobs that were given up, at most 1,000.'),
    retried: count.describe('Jobs that failed and wait for their next attempt, at most 1,000.'),
  }),
});
export type PlatformStatus = z.infer<typeof PlatformStatus>;
