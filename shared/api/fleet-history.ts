/** The history of the fleet in the management API. */
import { z } from 'zod';
import { Region } from '../region-schema.ts';
import { count, instant } from './fields.ts';
import { AgentIdText } from './ids.ts';
import { queryInstant } from './usage.ts';

/** The most groups of one answer, each with the figures of its buckets. */
export const HISTORY_GROUPS_MAX = 20;
/** The most groups of one answer that has only their totals. */
export const HISTORY_TOTALS_MAX = 200;

/** A shorter span has shorter buckets: a minute, ten minutes, an hour, or four hours. */
export const HISTORY_SPANS = ['hour', 'day', 'week', 'month'] as const;

export const FleetHistoryQuery = z.strictObject({
  span: z
    .enum(HISTORY_SPANS)
    .default('hour')
    .describe(
      'The last hour in buckets of a minute, the last day in buckets of ten minutes, the last 7 days in buckets of an hour, or the last 30 days in buckets of four hours.',
    ),
  start: queryInstant
    .optional()
    .describe(
      'From this instant on, in place of `span`: at most 35 days ago. Buckets are as short as the history still has them, and the first and the last one are whole.',
    )
    .meta({ examples: ['2026-11-21T08:00:00Z'] }),
  end: queryInstant
    .optional()
    .describe('Exclusive, and only with `start`. By default now.')
    .meta({ examples: ['2026-11-21T10:00:00Z'] }),
  group_by: z.enum(['model', 'region', 'agent', 'worker']).optional(),
  model: z.string().min(1).max(256).optional(),
  region: Region.optional()
    .describe('Only requests and workers of this region.')
    .meta({ examples: ['eu'] }),
  agent: AgentIdText.optional(),
  worker: z
    .string()
    .min(1)
    .max(512)
    .optional()
    .describe("Only this worker: its agent's id, a slash, and the name of its engine.")
    .meta({ examples: ['agt_01jc4xw2g8m3zq5v7b9d1f6h0k/vllm'] }),
  groups: z.coerce
    .number()
    .pipe(z.int().min(1).max(HISTORY_TOTALS_MAX))
    .default(10)
    .describe(
      `The maximum number of groups, the busiest first. The others are only counted. More than ${HISTORY_GROUPS_MAX} need \`points=none\`.`,
    ),
  points: z
    .enum(['all', 'none'])
    .default('all')
    .describe('`none` leaves out the figures of the buckets: groups have only their totals.'),
});
export type FleetHistoryQuery = z.output<typeof FleetHistoryQuery>;

const share = z.number().min(0).max(1);
const percentiles = z.object({ p50: z.number(), p95: z.number() });

export const FleetFigures = z.object({
  /** Requests by how they ended; of a worker, the attempts on it. */
  answered: count,
  /** Requests whose client disconnected. */
  cancelled: count,
  /** Requests with a status of 4xx, except 429. */
  refused: count,
  /** Requests with the status 429. */
  limited: count,
  /** Requests with the status 503; of a worker: it had no room. */
  unavailable: count,
  /** Requests with another status of 5xx; of a worker: it failed. */
  failed: count,
  /** Billed tokens. */
  prompt_tokens: count,
  cached_tokens: count,
  completion_tokens: count,
  /** Completion tokens of all requests together that ended in a second. */
  tokens_per_second: z.number(),
  /** From arrival to the first token; of a worker, from when the router sent it the request. */
  ttft_ms: percentiles
    .extend({
      p99: z
        .number()
        .optional()
        .describe('Absent when a router of an earlier version answers.')
        .meta({ examples: [910] }),
    })
    .nullable(),
  /** Tokens per second of one answer, after its first token. */
  speed: percentiles.nullable(),
  /** Requests that waited in the routers for a worker, on average. */
  queued: z.number(),
  /** Of a model: the share of the time in which a worker was ready to serve it. */
  availability: share.nullable(),
  /** Averages of what the agents reported. Null when no worker was connected. */
  workers: z
    .object({
      connected: z.number(),
      /** Workers that were given requests. */
      ready: z.number(),
      slots: z.number(),
      /** Requests that ran and waited, as the engines reported them. */
      running: z.number(),
      waiting: z.number(),
      kv_use: share,
      gpus: z.number(),
      /** Null when no GPU is reported. */
      gpu_use: share.nullable(),
      gpu_memory_use: share.nullable(),
    })
    .nullable(),
});
export type FleetFigures = z.infer<typeof FleetFigures>;

/** Only the fields of what the history is grouped by are set. */
const group = z.object({
  model: z.string().nullable(),
  region: Region.nullable(),
  agent: z.string().nullable(),
  agent_name: z.string().nullable(),
  /** The name of the engine on its agent. */
  worker: z.string().nullable(),
});

export const FleetHistory = z.object({
  start: instant,
  /** Exclusive. The current minute is left out. */
  end: instant,
  bucket_seconds: count,
  groups: z.array(
    group.extend({
      total: FleetFigures,
      /** Only buckets in which anything was recorded, the oldest first. */
      points: z.array(FleetFigures.extend({ at: instant })),
    }),
  ),
  /** How many more groups there are. */
  omitted: count,
});
export type FleetHistory = z.infer<typeof FleetHistory>;
