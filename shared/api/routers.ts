/** Routers in the management API. */
import { z } from 'zod';
import { Region } from '../region-schema.ts';
import { ROUTER_STATES } from '../router-states.ts';
import { count, instant } from './fields.ts';
import { queryInstant } from './usage.ts';

const SINCE_REPORTS =
  'Null when it has not been reported; absent when a router of an earlier version answers.';

const SINCE_PERIODS =
  'Null when it is not known; absent when a router of an earlier version answers.';

export const Router = z.object({
  id: z.string().describe('The id of this run of the router. A restarted router has another id.'),
  url: z
    .string()
    .nullable()
    .describe('The URL at which agents reach the router. Null while they should not.'),
  regions: z.array(Region),
  started: instant,
  version: z
    .string()
    .nullish()
    .describe(
      'The version of Penstock that the router runs. Null for version 0.1.0; absent when a router of version 0.1.0 answers.',
    ),
  beating: z
    .boolean()
    .describe('False when a peer has declared the router dead, and frees the credit that it held.'),
  state: z
    .enum(ROUTER_STATES)
    .optional()
    .describe(
      '`silent`: no report came for 30 seconds, but no peer has declared the router dead. `offline`: a peer has. `draining`: it is about to stop, and gets no new work. `stopped`: it has signed off, or a peer has declared it dead and has freed all credit that it held. Absent when a router of an earlier version answers.',
    ),
  reported: instant
    .nullish()
    .describe(
      `When it last reported what follows, which it does every ten seconds. ${SINCE_REPORTS}`,
    ),
  host: z.string().nullish().describe(`The name of its machine. ${SINCE_REPORTS}`),
  pid: count.nullish().describe(`Its process. ${SINCE_REPORTS}`),
  memory_bytes: count.nullish().describe(`The resident memory of its process. ${SINCE_REPORTS}`),
  loop_use: z
    .number()
    .nullish()
    .describe(
      `For which share of the last ten seconds its event loop was busy. Near 1, requests wait for it. ${SINCE_REPORTS}`,
    ),
  store_ms: count
    .nullish()
    .describe(`For how long it waited for the store to write its report before. ${SINCE_REPORTS}`),
  agents: count.nullish().describe(`How many agents are connected to it. ${SINCE_REPORTS}`),
  running: count
    .optional()
    .describe(
      'How many requests run on the router: those that hold credit. Absent when a router of an earlier version answers.',
    ),
  ended: z
    .object({
      at: instant,
      declared_dead_by: z
        .string()
        .nullable()
        .describe('The ID of the router that declared it dead. Null: it signed off itself.'),
    })
    .nullish()
    .describe(
      'When the router ended, and how. Null while it runs, and if a router of an earlier version has ended it; absent when a router of an earlier version answers.',
    ),
  last_minute: z
    .object({
      requests: count.describe('How many requests ended.'),
      errors: count.describe('How many of them ended with a status of 5xx.'),
      tokens: count.nullish().describe(`How many completion tokens were charged. ${SINCE_REPORTS}`),
    })
    .nullish()
    .describe(
      'What the router served in the last minute, counted every ten seconds. Null when it has not reported that recently; absent when a router of an earlier version answers.',
    ),
});
export type Router = z.infer<typeof Router>;

export const RoutersQuery = z.strictObject({
  state: z
    .literal('stopped')
    .optional()
    .describe(
      'The routers that have stopped within a week, the one that reported last first, in place of those that have not. Only what they were is known of them: no figures.',
    ),
});

export const RouterDetail = Router.extend({
  hosts: z
    .array(z.object({ id: z.string(), name: z.string() }))
    .nullable()
    .describe(
      'The hosts whose agents are connected to the router, at most 100 of them. Null when the router has not reported them.',
    ),
});
export type RouterDetail = z.infer<typeof RouterDetail>;

const span = z.enum(['hour', 'day', 'week']);

export const RouterHistoryQuery = z.strictObject({
  span: span.default('hour').describe('How long the history is.'),
  start: queryInstant
    .optional()
    .describe('From this instant on, in place of `span`: at most a week ago.')
    .meta({ examples: ['2026-11-21T08:00:00Z'] }),
  end: queryInstant
    .optional()
    .describe('Exclusive, and only with `start`. By default now.')
    .meta({ examples: ['2026-11-21T10:00:00Z'] }),
});
export type RouterHistoryQuery = z.output<typeof RouterHistoryQuery>;

export const RouterHistory = z.object({
  span: span.nullable().describe('Null for a range that was asked for by its start.'),
  start: instant,
  end: instant.describe('Exclusive. It may be in the future: the last bucket may be incomplete.'),
  bucket_seconds: count.describe('How long a bucket is.'),
  points: z.array(
    z.object({
      at: instant.describe('When the bucket begins.'),
      seconds: count.describe(
        'The time in which the figures of the bucket came about: since the last report before it. Divide by it for rates. At least 1.',
      ),
      requests: count.describe('How many requests ended.'),
      errors: count.describe('How many of them ended with a status of 5xx.'),
      completion_tokens: count.describe('How many completion tokens were charged.'),
      ttft_ms: count
        .nullable()
        .describe('The mean time from arrival to the first token. Null without a first token.'),
      store_ms: count
        .nullable()
        .describe('The longest time that a report waited for the store. Null if it is not known.'),
      ttft_p50_ms: count
        .nullish()
        .describe(`The median time from arrival to the first token. ${SINCE_PERIODS}`),
      ttft_p95_ms: count.nullish().describe(`Its 95th percentile. ${SINCE_PERIODS}`),
      memory_bytes: count
        .nullish()
        .describe(`The most resident memory of its process. ${SINCE_PERIODS}`),
      loop_delay_ms: count
        .nullish()
        .describe(
          `By how much its event loop was late: the highest 99th percentile of ten seconds. ${SINCE_PERIODS}`,
        ),
      running: count
        .nullish()
        .describe(
          `The most requests that held credit on it at once, looked at every ten seconds. ${SINCE_PERIODS}`,
        ),
    }),
  ),
});
export type RouterHistory = z.infer<typeof RouterHistory>;

export const Routers = z.object({ data: z.array(Router) });
