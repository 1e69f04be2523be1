/** Usage in the management API: single requests, and their sums by time and by one dimension. */
import { z } from 'zod';
import { count, instant, usd } from './fields.ts';
import { KeyIdText, MemberIdText } from './ids.ts';
import { page, pageQuery, SequenceCursor } from './pages.ts';

const source = z.enum(['api', 'playground']);
/** `4xx` has those whose client left (499), too. */
const statusClass = z.enum(['2xx', '4xx', '5xx']);
const modelName = z.string().min(1).max(256);
const format = z.enum(['json', 'csv']).default('json');
/** A day stands for its first instant. */
const queryInstant = z
  .union([z.iso.datetime({ offset: true }), z.iso.date()])
  .transform((text) => Date.parse(text))
  .describe('An instant as ISO 8601, or a day in UTC');

const narrowing = {
  start: queryInstant.optional(),
  /** Not included. */
  end: queryInstant.optional(),
  model: modelName.optional(),
  key: KeyIdText.optional(),
  member: MemberIdText.optional(),
  source: source.optional(),
  status: statusClass.optional(),
};

export const UsageQuery = pageQuery(SequenceCursor).extend({
  ...narrowing,
  finish_reason: z.string().max(64).optional(),
  format,
});
export type UsageQuery = z.output<typeof UsageQuery>;

/** One request, as it ended. */
export const UsageEntry = z.object({
  request_id: z.string(),
  completion_id: z.string(),
  model: z.string(),
  key_id: z.string(),
  /** Kept when the key is deleted; null when it is not known. */
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
  /** The HTTP status; 499 where the client had left. */
  status: z.int(),
  error: z.string().nullable(),
  created: instant,
});
export type UsageEntry = z.infer<typeof UsageEntry>;
export const UsagePage = page(UsageEntry);

/** One request, its cost line by line. */
export const UsageDetail = UsageEntry.extend({
  member_name: z.string().nullable(),
  /** What the cached tokens would have cost more. */
  cached_savings: usd,
  /** The charge; null when nothing was charged. */
  transfer_id: z.string().nullable(),
  /** Together the cost; none where the request was free. */
  lines: z.array(
    z.object({
      kind: z.enum(['prompt', 'cached', 'completion']),
      tokens: count,
      /** Of one token. */
      unit_price: usd,
      amount: usd,
    }),
  ),
});
export type UsageDetail = z.infer<typeof UsageDetail>;

export const GROUPS_MAX = 50;

export const UsageSummaryQuery = z.strictObject({
  ...narrowing,
  bucket: z.enum(['minute', 'hour', 'day', 'month']).default('day').describe('In UTC'),
  group_by: z.enum(['model', 'key', 'member', 'source']).optional(),
  /** How many groups are told apart, those with the highest cost; the others are one. */
  groups: z.coerce.number().pipe(z.int().min(1).max(GROUPS_MAX)).optional(),
  format,
});
export type UsageSummaryQuery = z.output<typeof UsageSummaryQuery>;

const percentiles = z.object({ p50: count, p90: count, p99: count }).nullable();
const figures = {
  requests: count,
  /** Refused or failed; those whose client left are `cancelled`. */
  errors: count,
  cancelled: count,
  prompt_tokens: count,
  cached_tokens: count,
  completion_tokens: count,
  reasoning_tokens: count,
  cost: usd,
  /** What the cached tokens would have cost more. */
  cached_savings: usd,
  /** Within five per cent or a millisecond; of answers, or of the `status` asked for. */
  ttft_ms: percentiles,
  duration_ms: percentiles,
};
const group = {
  /** A model's name, or the id of a key or a member; null where there is none, or for the others. */
  group: z.string().nullable(),
  /** The groups that are not told apart. */
  other: z.boolean(),
};
export const UsageSums = z.object(figures);
export type UsageSums = z.infer<typeof UsageSums>;

/** A request belongs to the bucket it arrived in. Buckets and groups without any are left out. */
export const UsageSummary = z.object({
  /** Of the first bucket. */
  start: instant,
  /** Of the last one, not included. */
  end: instant,
  bucket: z.string(),
  group_by: z.string().nullable(),
  totals: UsageSums,
  /** The dearest first; empty without `group_by`. */
  groups: z.array(z.object({ ...group, name: z.string().nullable(), ...figures })),
  data: z.array(z.object({ start: instant, ...group, ...figures })),
});
export type UsageSummary = z.infer<typeof UsageSummary>;
