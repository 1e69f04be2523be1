/** Usage in the management API: single requests, and their sums by time and by one dimension. */
import { z } from 'zod';
import { ADMITTED_STATUSES } from '../request-statuses.ts';
import { count, instant, usd } from './fields.ts';
import { KeyIdText, MemberIdText } from './ids.ts';
import { oneOrMore, page, pageQuery, SequenceCursor } from './pages.ts';

const source = z.enum(['api', 'playground']);
const modelName = z.string().min(1).max(256);
const format = z.enum(['json', 'csv']).default('json');
/** A day means its first instant. */
export const queryInstant = z
  .union(
    [z.iso.datetime({ offset: true }), z.iso.date()],
    'Enter an instant such as 2026-11-21T00:00:00Z, or a day such as 2026-11-21.',
  )
  .transform((text) => Date.parse(text))
  .describe('An ISO 8601 instant, or a day in UTC, which means its first instant.');

/** What narrows a list of requests, whatever became of them. */
export const usageNarrowing = {
  start: queryInstant.optional(),
  /** Exclusive. */
  end: queryInstant.optional(),
  model: oneOrMore(modelName),
  key: oneOrMore(KeyIdText),
  member: oneOrMore(MemberIdText),
  source: oneOrMore(source),
};

const narrowing = {
  ...usageNarrowing,
  status: oneOrMore(z.enum(ADMITTED_STATUSES)).meta({
    description:
      'The class of the status, of which `4xx` includes requests whose client disconnected (499). ' +
      '`canceled` means only these, and `failed` all others with an error, whatever its status.',
  }),
};

export const UsageQuery = pageQuery(SequenceCursor).extend({
  ...narrowing,
  finish_reason: oneOrMore(z.string().max(64)),
  code: oneOrMore(z.string().max(64)),
  format,
});
export type UsageQuery = z.output<typeof UsageQuery>;

/** One request that has ended. */
export const UsageEntry = z.object({
  request_id: z.string(),
  completion_id: z.string(),
  model: z.string(),
  key_id: z.string(),
  /** Kept when the key is deleted. Null when it is not known. */
  key_name: z.string().nullable(),
  member_id: z.string().nullable(),
  source,
  region: z.string(),
  worker: z.string().nullable(),
  prompt_tokens: count,
  cached_tokens: count,
  /** Whether the engine reported `cached_tokens` or the router predicted it. */
  cached_source: z.enum(['reported', 'predicted']),
  completion_tokens: count,
  reasoning_tokens: count,
  cost: usd,
  ttft_ms: count.nullable(),
  duration_ms: count,
  finish_reason: z.string().nullable(),
  /** The HTTP status. 499 when the client had disconnected. */
  status: z.int(),
  error: z.string().nullable(),
  created: instant,
});
export type UsageEntry = z.infer<typeof UsageEntry>;
export const UsagePage = page(UsageEntry);

/** When a request reached its stages. Times are ms after it arrived. */
export const RequestTimeline = z.object({
  /** When its body had been read and checked. */
  body_ms: count,
  admitted_ms: count,
  /** When its last attempt began. Null when it was sent to no worker. */
  picked_ms: count.nullable(),
  /** How long it waited for a worker with room, in all. Null when it did not wait. */
  waited_ms: count.nullable(),
  /** Attempts on workers that failed, in their order: at most the first four. */
  failed_attempts: z.array(
    z.object({
      /** A code of the list of errors. */
      code: z.string(),
      after_ms: count,
      duration_ms: count,
    }),
  ),
});
export type RequestTimeline = z.infer<typeof RequestTimeline>;

/** One request, with the lines that make up its cost. */
export const UsageDetail = UsageEntry.extend({
  member_name: z.string().nullable(),
  endpoint: z
    .string()
    .nullable()
    .describe('The path, without parameters. Null for a request that an earlier version served.'),
  streamed: z
    .boolean()
    .nullable()
    .describe(
      'Whether the answer was streamed. Null for a request that an earlier version served.',
    ),
  max_tokens: count
    .nullable()
    .describe(
      'The limit of completion tokens that the request set. Null when it set none, or none is known.',
    ),
  /** How much more the cached tokens would have cost at the price of prompt tokens. */
  cached_savings: usd,
  /** The transfer that charged the request. Null when nothing was charged. */
  transfer_id: z.string().nullable(),
  /** Null for a request that an earlier version served. */
  timeline: RequestTimeline.nullable(),
  /** The lines add up to the cost. Empty when the request was free. */
  lines: z.array(
    z.object({
      kind: z.enum(['prompt', 'cached', 'completion']),
      tokens: count,
      /** The price of one token. */
      unit_price: usd,
      amount: usd,
    }),
  ),
});
export type UsageDetail = z.infer<typeof UsageDetail>;

/** The same for operators, who find a request by its id alone. */
export const OperatorUsageDetail = UsageDetail.extend({
  organization_id: z.string(),
  /** The agent of the worker. Null when no worker had the request. */
  agent_id: z.string().nullable(),
});
export type OperatorUsageDetail = z.infer<typeof OperatorUsageDetail>;

export const GROUPS_MAX = 50;

export const UsageSummaryQuery = z.strictObject({
  ...narrowing,
  bucket: z
    .enum(['minute', 'hour', 'day', 'month'])
    .default('day')
    .describe('The length of the buckets, which are periods in UTC.'),
  group_by: z.enum(['model', 'key', 'member', 'source']).optional(),
  groups: z.coerce
    .number()
    .pipe(z.int().min(1).max(GROUPS_MAX))
    .optional()
    .describe(
      'How many groups are listed separately, highest cost first. The others form one group. By default 10, and 50 in CSV, or as many as fit.',
    ),
  format,
});
export type UsageSummaryQuery = z.output<typeof UsageSummaryQuery>;

const percentiles = z.object({ p50: count, p90: count, p99: count }).nullable();
const figures = {
  requests: count,
  /** Requests that were refused or failed. Requests whose client disconnected are `cancelled`. */
  errors: count,
  cancelled: count,
  prompt_tokens: count,
  cached_tokens: count,
  completion_tokens: count,
  reasoning_tokens: count,
  cost: usd,
  /** How much more the cached tokens would have cost at the price of prompt tokens. */
  cached_savings: usd,
  /**
   * Accurate to five percent or one millisecond. Covers answered requests, or those with the
   * `status` of the query.
   */
  ttft_ms: percentiles,
  duration_ms: percentiles,
  /**
   * Completion tokens per second between the first token and the end, over the same requests.
   * Approximate. Null when that time is not known.
   */
  tokens_per_second: z.number().min(0).nullable(),
};
const group = {
  /**
   * A model's name, a source, or the id of a key or a member. Null when there is none, and for the
   * group of others.
   */
  group: z.string().nullable(),
  /** Whether this is the group of others. */
  other: z.boolean(),
};
export const UsageSums = z.object(figures);
export type UsageSums = z.infer<typeof UsageSums>;

/** A request belongs to the bucket it arrived in. Empty buckets and groups are left out. */
export const UsageSummary = z.object({
  /** The start of the first bucket. */
  start: instant,
  /** The end of the last bucket, exclusive. */
  end: instant,
  bucket: z.string(),
  group_by: z.string().nullable(),
  totals: UsageSums,
  /** The highest cost first. Empty without `group_by`. */
  groups: z.array(z.object({ ...group, name: z.string().nullable(), ...figures })),
  data: z.array(z.object({ start: instant, ...group, ...figures })),
});
export type UsageSummary = z.infer<typeof UsageSummary>;
