/** Agents, and reports of the work of their hosts, in the management API. */
import { z } from 'zod';
import { HOST_NOTE_CHARS_MAX } from '../host-events.ts';
import { Region } from '../region-schema.ts';
import {
  askedInstant,
  count,
  instant,
  Name,
  PRINTED,
  PRINTED_FAULT,
  Reason,
  RegionName,
  usd,
} from './fields.ts';
import { AgentEventIdText } from './ids.ts';
import { oneOrMore, page, pageQuery } from './pages.ts';

/** The longest name of a worker in the protocol of agents. */
const WORKER_NAME_CHARS_MAX = 256;

export const NewAgent = z.strictObject({ name: Name, region: RegionName.default('global') });

export const Agent = z.object({
  id: z.string(),
  name: z.string(),
  region: Region,
  state: z.enum(['enrolling', 'enrolled', 'revoked']),
  /** Whether this router has a link to the agent. */
  connected: z.boolean(),
  created: instant,
  /**
   * Now for an agent that is connected to this router. For others it is accurate to a minute, and
   * null until they first join.
   */
  last_seen: instant.nullable(),
  absence: z
    .object({
      reason: z.enum(['lost', 'drained', 'stopped', 'disconnected']),
      since: instant,
      workers: count
        .optional()
        .describe(
          'Of a lost host, how many workers were found on it since its agent started last. Otherwise 0; absent when a router of an earlier version answers.',
        ),
    })
    .nullable()
    .optional()
    .describe(
      'In the list of agents: why no router is connected to the agent. It is known some minutes after its last link ended if a router may not have recorded that, and otherwise at once. `stopped`: it was told to stop. `drained`: an operator drained it before. `lost`: neither. `disconnected`: neither, but its last link ended only some seconds ago. Null when it is connected, revoked, or it is not known; absent when a router of an earlier version answers.',
    ),
});
export type Agent = z.infer<typeof Agent>;

/** What routers have recorded of a host, for as long as its events are kept. */
export const LastKnown = z.object({
  version: z
    .string()
    .nullable()
    .describe('The version of Penstock with which its agent was started last.'),
  started: instant.nullable(),
  left: z
    .object({
      at: instant,
      reason: z.string().describe('Why the link ended, such as `closed` or `silent`.'),
      router: z.string().nullable(),
    })
    .nullable()
    .describe('The last time that a link of its agent to a router ended.'),
  engines: z.array(
    z.object({
      worker: z.string(),
      engine: z.string().describe('Its engine with its version, as it was found last.'),
      found: instant,
    }),
  ),
  drained: z
    .object({
      at: instant,
      by: z.string().nullable().describe('The name of the operator. Null: not known.'),
      reason: z.string().nullable(),
    })
    .nullable()
    .optional()
    .describe(
      'The last drain of the host, unless an operator or a restart of the agent has ended it. Absent when a router of an earlier version answers.',
    ),
});
export type LastKnown = z.infer<typeof LastKnown>;
export const AgentPage = page(Agent);

export const DrainReason = Reason.optional()
  .describe('Why, for other operators.')
  .meta({
    examples: ['The power supply is replaced.'],
  });

/** What may be said of a drain. The body may be left out. */
export const DrainOrder = z.strictObject({ reason: DrainReason }).nullish();

/** The response to an enrolment, and the only one that contains the join token. */
export const EnrolledAgent = Agent.extend({ join_token: z.string(), expires: instant });

/** A day in UTC, as `2026-11-21`. */
export const Day = z.iso.date('Enter a day such as 2026-11-21.');

/**
 * The work of one host for one model on one day (UTC). A request belongs to the day on which it
 * arrived. No customer is named.
 */
export const HostReportEntry = z.object({
  day: Day,
  /** Null for requests that reached no host. */
  agent: z.string().nullable(),
  agent_name: z.string().nullable(),
  model: z.string(),
  requests: count,
  /** Requests that failed on the platform's side, with a status of 500 or more. */
  errors: count,
  /** Billed tokens. */
  prompt_tokens: count,
  /** Prompt tokens that were billed at the cached rate. */
  cached_tokens: count,
  completion_tokens: count,
  /** What customers were charged for these requests, minus the charges that were given back. */
  revenue: usd,
});
export type HostReportEntry = z.infer<typeof HostReportEntry>;
export const HostReportPage = page(HostReportEntry);

/**
 * Both days are included. Without them, the period is the current month so far. A page is one day,
 * and the oldest day comes first; or there is one page with the sums of the whole period.
 */
export const HostReportQuery = z.strictObject({
  from: Day.optional(),
  to: Day.optional(),
  after: Day.optional(),
  sum: z
    .enum(['day', 'period'])
    .default('day')
    .describe(
      'Whether the sums are by day, or those of the whole period, each with the first day of it.',
    ),
  /** Accepted as in every list, but a day is never split. */
  limit: z.string().optional(),
});

/**
 * Something that happened to an agent or to one of its workers, or that an operator did to them, or
 * a note on them.
 */
export const AgentEvent = z.object({
  id: z.string(),
  created: instant,
  action: z
    .string()
    .describe(
      'What happened: an action of an operator as in the audit log, such as worker.drain, or what a router has observed, such as agent.joined, or agent.note.',
    )
    .meta({ examples: ['worker.restarted'] }),
  /** The name of the worker; null when it happened to the agent. */
  worker: z.string().nullable(),
  /** Who did it. Null when nobody did, or when that is no longer known. */
  actor: z.string().nullable(),
  /** The router that has observed it, or the first of several. */
  router: z.string().nullable(),
  detail: z
    .string()
    .nullable()
    .describe(
      'The version that was started; why a link has ended, or the last link of a host that was lost; since when a host was lost that has returned; or the text of a note.',
    )
    .meta({ examples: ['vllm 0.11'] }),
  before: z
    .string()
    .nullable()
    .describe('Of a start: the version before, if it was another.')
    .meta({ examples: ['vllm 0.10'] }),
  count: count.describe('How often it happened within a minute.'),
  /** When it happened last. */
  last: instant,
});
export type AgentEvent = z.infer<typeof AgentEvent>;
export const AgentEventPage = page(AgentEvent);
export const AgentEventQuery = pageQuery(AgentEventIdText).extend({
  worker: z
    .string()
    .min(1)
    .max(WORKER_NAME_CHARS_MAX)
    .regex(PRINTED, PRINTED_FAULT)
    .optional()
    .describe('Only what happened to the worker of this name, or to the agent itself.')
    .meta({ examples: ['vllm'] }),
  action: oneOrMore(
    z
      .string()
      .regex(/^[a-z-]{1,40}\.[a-z-]{1,40}$/, 'Enter an action such as worker.drain.')
      .meta({ examples: ['worker.drain'] }),
  ).describe('Only events with this action, such as `worker.drain`.'),
});

export const HostLossQuery = z.strictObject({
  from: askedInstant,
  until: askedInstant
    .optional()
    .describe('The end of the period, which is not included. Default: now.'),
});

/** A time in which no router was connected to a host that was neither drained nor stopped. */
export const HostLoss = z.object({
  agent: z.string(),
  name: z.string(),
  lost: instant.describe('When its last link to a router ended.'),
  reason: z
    .string()
    .describe('Why that link ended: `closed`, `silent` or `protocol`.')
    .meta({ examples: ['silent'] }),
  returned: instant.nullable().describe('When it was connected again. Null: not yet.'),
});
export type HostLoss = z.infer<typeof HostLoss>;
export const HostLossList = z.object({ data: z.array(HostLoss) });

export const NewAgentNote = z.strictObject({
  text: z
    .string()
    .trim()
    .min(1, 'Enter a note.')
    .max(HOST_NOTE_CHARS_MAX, `Enter at most ${HOST_NOTE_CHARS_MAX} characters.`)
    .regex(PRINTED, PRINTED_FAULT)
    .meta({ examples: ['A fan is replaced on Friday.'] }),
});
