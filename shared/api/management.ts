/**
 * The management API's resources and requests: what the router checks and writes, and the admin client reads.
 * Amounts are decimal USD strings, exact; instants are ISO 8601 in UTC.
 */
import { z } from 'zod';
import { PICO_PER_USD, type PicoUsd, parseUsd, ZERO } from '../money.ts';
import { Region } from '../wire/messages.ts';
import { page } from './pages.ts';

/** Not every store takes a NUL, and no list shows a line break well. */
const PRINTED = /^[^\p{Cc}]*$/u;
const PRINTED_FAULT = 'has control characters';

export const Name = z.string().trim().min(1).max(100).regex(PRINTED, PRINTED_FAULT);
/** In either case: people write `EU`, the API answers `eu`. */
export const RegionName = z.string().toLowerCase().pipe(Region);
const usd = z.string();
const instant = z.iso.datetime();
const count = z.int().nonnegative();

/** An amount that is owned or owed: no account goes beyond USD 4 million. */
export const UsdAmount = decimalUsd(
  4_000_000n * PICO_PER_USD,
  'is a decimal USD amount of 0 to 4000000, with at most 12 decimals, such as 250 or 0.5',
);

function decimalUsd(most: bigint, fault: string) {
  return z.string().refine((text) => {
    const amount = parseUsd(text);
    return amount !== null && amount >= ZERO && amount <= most;
  }, fault);
}

function inPico(text: string): PicoUsd {
  return parseUsd(text) as PicoUsd;
}

// Limits

const limit = z.int().positive().nullable();
const limits = {
  requests_per_minute: limit,
  /** Prompt and completion together. */
  tokens_per_minute: limit,
  concurrent_requests: limit,
};
/** Null: the router's default, which its configuration has. */
export const Limits = z.object(limits);
export type Limits = z.infer<typeof Limits>;
/** Those that are given change. */
export const LimitsChange = z.strictObject(limits).partial();
export type LimitsChange = z.infer<typeof LimitsChange>;

// Organizations

export const NewOrganization = z.strictObject({ name: Name, region: RegionName.default('global') });

const status = z.enum(['active', 'suspended']);

export const Organization = z.object({
  id: z.string(),
  name: z.string(),
  region: Region,
  status,
  billing: z.discriminatedUnion('type', [
    z.object({ type: z.literal('prepaid') }),
    /** Its balance may go down to `-credit_limit`. */
    z.object({ type: z.literal('invoiced'), credit_limit: usd }),
  ]),
  limits: Limits,
  created: instant,
});
export type Organization = z.infer<typeof Organization>;
export const OrganizationPage = page(Organization);

/** What is given changes, all of it or nothing. */
export const OrganizationChange = z.strictObject({
  status: status.optional(),
  region: RegionName.optional(),
  limits: LimitsChange.optional(),
  billing: z
    .discriminatedUnion('type', [
      z.strictObject({ type: z.literal('prepaid') }),
      z.strictObject({ type: z.literal('invoiced'), credit_limit: UsdAmount.transform(inPico) }),
    ])
    .optional(),
});
export type OrganizationChange = z.output<typeof OrganizationChange>;

// Rates

/** USD per token, in the catalog's words. */
export const RatePrice = decimalUsd(
  PICO_PER_USD,
  'is a price of USD 0 to 1 per token, as a decimal string with at most 12 decimals',
);

/** What was agreed with an organization for a model, in place of the catalog's price. */
export const NewRate = z
  .strictObject({
    prompt: RatePrice.transform(inPico),
    completion: RatePrice.transform(inPico),
    input_cache_read: RatePrice.transform(inPico),
  })
  .refine(({ prompt, input_cache_read }) => input_cache_read <= prompt, {
    path: ['input_cache_read'],
    error: 'is above prompt',
  });

export const Rate = z.object({
  model: z.string(),
  prompt: usd,
  completion: usd,
  input_cache_read: usd,
  /** From when on it was in force. */
  created: instant,
});
export type Rate = z.infer<typeof Rate>;
export const RatePage = page(Rate);

/** Back to the catalog's price. */
export const RateRemoved = z.object({ model: z.string(), deleted: z.literal(true) });

// API keys

const monthlyCap = UsdAmount.transform(inPico).nullable();

/** What is given changes. */
export const KeyChange = z.strictObject({
  limits: LimitsChange.optional(),
  monthly_cap: monthlyCap.optional(),
});
export type KeyChange = z.output<typeof KeyChange>;

export const NewKey = KeyChange.extend({ name: Name });

export const Key = z.object({
  id: z.string(),
  name: z.string(),
  /** Enough of the key to tell it from others, too little to use it. */
  label: z.string(),
  state: z.enum(['active', 'revoked']),
  /** The key's own, within its organization's. */
  limits: Limits,
  /** What it may spend in a calendar month (UTC); null: as much as its organization has. */
  monthly_cap: usd.nullable(),
  created: instant,
  expires: instant.nullable(),
  last_used: instant.nullable(),
});
export type Key = z.infer<typeof Key>;
export const KeyPage = page(Key);

/** The answer to a key's creation, and the only one that has the key itself. */
export const CreatedKey = Key.extend({ key: z.string() });

export const Deleted = z.object({ id: z.string(), deleted: z.literal(true) });

// Credit

export const AdjustmentAmount = z
  .string()
  .refine(
    (text) => (parseUsd(text) ?? ZERO) !== ZERO,
    'is a decimal USD amount other than 0, with at most 12 decimals, such as 5 or -2.5',
  );

export const NewAdjustment = z.strictObject({
  /** Above zero: the organization gets it. Below: it loses it. */
  amount: AdjustmentAmount.transform(inPico),
  reason: z.string().trim().min(1).max(500).regex(PRINTED, PRINTED_FAULT),
});

/**
 * `balance` includes what is `held` by running requests, and may go down to `-credit_limit`; `available` is what
 * is left above that, and below zero after a dispute.
 */
export const Credit = z.object({ balance: usd, held: usd, credit_limit: usd, available: usd });
export type Credit = z.infer<typeof Credit>;

export const Transfer = z.object({
  id: z.string(),
  /** Numbers an organization's transfers from 1, without gaps. */
  seq: count,
  kind: z.string(),
  /** What the organization gained, or lost when it is below zero. */
  amount: usd,
  /** What it answers to: a request, say. */
  reference: z.string(),
  reason: z.string().nullable(),
  created: instant,
});
export type Transfer = z.infer<typeof Transfer>;
export const TransferPage = page(Transfer);

export const Adjusted = Credit.extend({ transfer: Transfer });

// Usage

/** One request, as it ended. */
export const UsageEntry = z.object({
  request_id: z.string(),
  completion_id: z.string(),
  model: z.string(),
  key_id: z.string(),
  /** Kept when the key is deleted; null when it is not known. */
  key_name: z.string().nullable(),
  source: z.enum(['api', 'playground']),
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

// Agents and workers

export const NewAgent = z.strictObject({ name: Name, region: RegionName.default('global') });

export const Agent = z.object({
  id: z.string(),
  name: z.string(),
  region: Region,
  state: z.enum(['enrolling', 'enrolled', 'revoked']),
  /** Whether this router has a link to it. */
  connected: z.boolean(),
  created: instant,
  last_seen: instant.nullable(),
});
export type Agent = z.infer<typeof Agent>;
export const AgentPage = page(Agent);

/** The answer to an enrolment, and the only one that has the join token. */
export const EnrolledAgent = Agent.extend({ join_token: z.string(), expires: instant });

/** A day in UTC, as `2026-11-21`. */
export const Day = z.iso.date('is a day such as 2026-11-21');

/** What one host did of one model in one day (UTC), by when its requests arrived. No customer stands in it. */
export const HostReportEntry = z.object({
  day: Day,
  /** Null: requests that reached no host. */
  agent: z.string().nullable(),
  agent_name: z.string().nullable(),
  model: z.string(),
  requests: count,
  /** Those of them that failed on our side: a status of 500 or more. */
  errors: count,
  /** Tokens that were billed. */
  prompt_tokens: count,
  /** Those of the prompt that were billed at the cached rate. */
  cached_tokens: count,
  completion_tokens: count,
  /** What customers were charged for them, less what was given back. */
  revenue: usd,
});
export type HostReportEntry = z.infer<typeof HostReportEntry>;
export const HostReportPage = page(HostReportEntry);

/** Both days belong to the period; this month so far if neither is given. A page is a day, the oldest first. */
export const HostReportQuery = z.strictObject({
  from: Day.optional(),
  to: Day.optional(),
  after: Day.optional(),
  /** Taken as every list takes it; a day is never cut. */
  limit: z.string().optional(),
});

export const WorkerDrain = z.strictObject({ id: z.string().min(1).max(512) });

export const WorkerEntry = z.object({
  /** `<agent id>/<engine name>` */
  id: z.string(),
  agent: z.string(),
  agent_name: z.string(),
  name: z.string(),
  region: Region,
  engine: z.string(),
  phase: z.enum(['joining', 'ready', 'draining', 'gone']),
  /** Whether it gets requests after failures, and how much of its slots it may fill: 0 to 1. */
  breaker: z.enum(['closed', 'open', 'probing', 'returning']),
  share: z.number(),
  models: z.array(z.string()),
  slots: count,
  /** As the engine reports them. */
  running: count,
  waiting: count,
  /** What this router has under way on it. */
  in_flight: count,
  kv_use: z.number(),
  prefix_hit_tokens: count,
  prefix_query_tokens: count,
  /** What did not fit of its figures, since this router started: reasons to look, no proofs. */
  alarms: z.array(z.object({ kind: z.string(), count, last: instant })),
  /** What this router has had from it since it joined. */
  completion_tokens: count,
  gpus: z.array(
    z.object({
      name: z.string(),
      memory_used_bytes: count,
      memory_total_bytes: count,
      /** 0 to 1. */
      use: z.number(),
    }),
  ),
  /** What its agent says of it. */
  notes: z.array(z.string()),
});
export type WorkerEntry = z.infer<typeof WorkerEntry>;
export const WorkerPage = page(WorkerEntry);
