/** The platform as a whole, for operators: money and tokens by day, top customers, and alarms. */
import { z } from 'zod';
import { Region } from '../region-schema.ts';
import { askedInstant, count, instant, usd } from './fields.ts';
import { AlarmIdText, RequestIdText } from './ids.ts';
import { page, pageQuery } from './pages.ts';

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

const share = z.number().min(0).max(1);

/** Of all requests that ended in a time, on all routers. */
const reliability = z.object({
  answered: count,
  cancelled: count.describe('Their client disconnected.'),
  refused: count.describe('With a status of 4xx, except 429.'),
  limited: count.describe('With the status 429.'),
  unavailable: count.describe('With the status 503.'),
  failed: count.describe('With another status of 5xx.'),
  availability: share
    .nullable()
    .describe(
      'The share of requests without a status of 5xx. Errors of clients (4xx) do not count. Rounded down; null without requests.',
    ),
  ttft_ms: z
    .object({ p50: z.number(), p95: z.number() })
    .nullable()
    .describe('From arrival to the first token.'),
  queue_ms: z
    .number()
    .nullable()
    .describe(
      'For how long a request waited for a worker on average, by samples of every ten seconds. Null without requests.',
    ),
});
export type Reliability = z.infer<typeof reliability>;

const compared = z.object({
  start: instant,
  end: instant.describe('Exclusive. The current minute is left out.'),
  present: reliability,
  before: reliability.describe('Of the hour or the 24 hours until `start`.'),
});

export const PlatformReliability = z.object({
  hour: compared.describe('The last 60 minutes.'),
  day: compared.describe('The last 23 whole hours and the current one.'),
  tokens: z
    .object({ today: count, yesterday: count })
    .describe(
      "Prompt and completion tokens of today's whole hours (UTC), and of the same hours of yesterday.",
    ),
});
export type PlatformReliability = z.infer<typeof PlatformReliability>;

export const PlatformFailure = z.object({
  request_id: z.string(),
  organization: z.string(),
  organization_name: z.string().nullable().describe('Null for an organization that was erased.'),
  model: z.string().describe('Empty if it was refused before its model was read.'),
  region: z.string(),
  agent: z.string().nullable().describe('The host that had it last. Null: it reached none.'),
  agent_name: z.string().nullable().describe('Null also for a host that was erased.'),
  status: z.int(),
  error: z.string().nullable().describe('Why it failed: a code of the error table.'),
  created: instant.describe('When it arrived.'),
  refused: z
    .boolean()
    .optional()
    .describe(
      'Whether it was refused before it was admitted, such as for want of a worker. Absent when a router of an earlier version answers, which lists only admitted requests.',
    ),
});
export type PlatformFailure = z.infer<typeof PlatformFailure>;
export const FailureQuery = pageQuery(RequestIdText);
export const FailurePage = page(PlatformFailure);

export const PlatformAlarm = z.object({
  kind: z.string().meta({ examples: ['jobs_failed'] }),
  severity: z.enum(['urgent', 'warning']),
  subject: z
    .string()
    .optional()
    .describe(
      'What tells it from other alarms of its kind, such as a router, a task or a model. Empty: there is only one. With `kind` it names the alarm while its sentence changes.',
    ),
  affected: count
    .optional()
    .describe('How many models, workers, hosts, routers or jobs it is about.'),
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
      'Since when it holds: when its cause began, or else when a router noticed or recorded it. Absent when a router of an earlier version answers.',
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

export const RecordedAlarm = PlatformAlarm.omit({ count: true, last: true, since: true })
  .required()
  .extend({
    id: z.string(),
    message: z
      .string()
      .describe('As it was when the alarm was about the most. Its wording may change.')
      .meta({ examples: ['2 jobs were given up after the last attempt.'] }),
    affected: count.describe(
      'How many models, workers, hosts, routers or jobs it was about at most.',
    ),
    page: z.string().describe('The page of the dashboard that explains it.'),
    regions: z.array(z.string()),
    began: instant,
    ended: instant.nullable().describe('Null while it is active.'),
  });
export type RecordedAlarm = z.infer<typeof RecordedAlarm>;
export const AlarmsQuery = pageQuery(AlarmIdText).extend({
  from: askedInstant.optional(),
  until: askedInstant.optional().describe('The end of the time, which is not included.'),
});
export const AlarmsPage = page(RecordedAlarm);
export type AlarmsPage = z.infer<typeof AlarmsPage>;
export const LatestAlarms = z.object({ data: z.array(RecordedAlarm) });
export type LatestAlarms = z.infer<typeof LatestAlarms>;

export const PlatformStatus = z.object({
  alarms: z.array(PlatformAlarm),
  jobs: z.object({
    failed: count.describe('Jobs that were given up, at most 1,000.'),
    retried: count.describe('Jobs that failed and wait for their next attempt, at most 1,000.'),
  }),
});
export type PlatformStatus = z.infer<typeof PlatformStatus>;
