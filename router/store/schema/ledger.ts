/**
 * The ledger's tables: organizations and their accounts, holds, transfers, usage, prices, keys,
 * limits, payment events, jobs.
 */
import type {
  AgentId,
  IncarnationId,
  KeyId,
  MemberId,
  OrganizationId,
  PersonId,
  PriceId,
  RequestId,
  TransferId,
} from '../../../shared/ids.ts';
import type { Region } from '../../../shared/region.ts';

export interface LedgerTables {
  organizations: OrganizationRow;
  accounts: AccountRow;
  holds: HoldRow;
  transfers: TransferRow;
  prices: PriceRow;
  usage: UsageRow;
  forgotten_usage: ForgottenUsageRow;
  keys: KeyRow;
  meters: MeterRow;
  member_caps: MemberCapRow;
  windows: WindowRow;
  rates: RateRow;
  jobs: JobRow;
  payment_events: PaymentEventRow;
}

/** Limits that an operator or, for a key, its organization has set; null: none was set. */
interface LimitColumns {
  requests_per_minute: bigint | null;
  tokens_per_minute: bigint | null;
  concurrent_requests: bigint | null;
}

export interface OrganizationRow extends LimitColumns {
  id: OrganizationId;
  name: string;
  region: Region;
  status: 'active' | 'suspended';
  billing: 'prepaid' | 'invoiced';
  /** How far below zero an invoiced organization's account may go: its `floor`, negated. */
  credit_limit: bigint;
  created: bigint;
  /** When it was deleted: its keys are dead and its members gone, but its ledger stays. */
  deleted: bigint | null;
  /** The person who created it for themselves; null: an operator did. */
  founder: PersonId | null;
  /** The organization is notified when its balance falls below this; null: never. */
  low_balance_threshold: bigint | null;
  /** When it was last notified; null: not since the balance was above the threshold. */
  low_balance_noted: bigint | null;
}

/** Narrow, with no index on what changes, since every settlement writes the row (MONEY 24). */
export interface AccountRow {
  id: OrganizationId;
  balance: bigint;
  /** The sum of the open holds. */
  held: bigint;
  /** The sum of the open holds' slices (MONEY 8). */
  reserve: bigint;
  /** How many holds are open. */
  open: bigint;
  floor: bigint;
  auth_epoch: bigint;
  /** The last numbers given to a transfer and to a usage row; each starts at 1, without gaps. */
  transfer_seq: bigint;
  usage_seq: bigint;
  /** How many members have a row in `member_caps`. Batches read these rows only if there are any. */
  capped_members: bigint;
}

/** Only open holds have a row. */
export interface HoldRow {
  request: RequestId;
  organization: OrganizationId;
  key: KeyId;
  price: PriceId;
  incarnation: IncarnationId;
  amount: bigint;
  slice: bigint;
  /** The tokens counted at admission against the limit of tokens per minute. */
  tokens: bigint;
  created: bigint;
  /** The member who created the key, if what their keys spend together is capped. */
  member: MemberId | null;
}

/** Immutable (MONEY 3); `debit` and `credit` name accounts, see ledger/transfers.ts. */
export interface TransferRow {
  id: TransferId;
  organization: OrganizationId;
  seq: bigint;
  debit: string;
  credit: string;
  amount: bigint;
  kind: string;
  /** What caused it: the request, the payment, or the operator's reference. */
  reference: string;
  /** The reason, if a person decided it. */
  reason: string | null;
  created: bigint;
}

/** Immutable price versions, in pico-USD per token; `organization` is null for the list price. */
export interface PriceRow {
  id: PriceId;
  model: string;
  organization: OrganizationId | null;
  prompt: bigint;
  completion: bigint;
  cached: bigint;
  created: bigint;
}

/**
 * How a request ended. The primary key is also the tombstone: the first terminal state wins
 * (MONEY 13).
 */
export interface UsageRow {
  request: RequestId;
  organization: OrganizationId;
  seq: bigint;
  key: KeyId;
  member: MemberId | null;
  source: 'api' | 'playground';
  completion_id: string;
  model: string;
  region: string;
  agent: AgentId | null;
  worker: string | null;
  price: PriceId;
  prompt_tokens: bigint;
  cached_tokens: bigint;
  cached_source: 'reported' | 'predicted';
  completion_tokens: bigint;
  reasoning_tokens: bigint;
  ttft_ms: bigint | null;
  duration_ms: bigint;
  finish_reason: string | null;
  status: bigint;
  error: string | null;
  cost: bigint;
  outcome: 'settled' | 'voided';
  /** The charge, even if a later transfer reversed it; null when nothing was charged. */
  transfer: TransferId | null;
  created: bigint;
  /**
   * In ms after the request arrived: when its body had been read and checked, when it was admitted,
   * and when its last attempt began. The first two are null together, if a router of an earlier
   * version wrote the row. The last is null then, too, and if no attempt began.
   */
  body_ms: bigint | null;
  admitted_ms: bigint | null;
  picked_ms: bigint | null;
  /** How long it waited for a worker with room. Null: it did not wait. */
  waited_ms: bigint | null;
  /** The attempts that failed, as in ledger/failed-attempts.ts. Null: none is known. */
  failed_attempts: string | null;
  /** The path, without parameters. Null, as `streamed`: a router of an earlier version wrote the row. */
  endpoint: string | null;
  /** 1 or 0. */
  streamed: bigint | null;
  /** The limit of completion tokens that the request set. Null: it set none, or none is known. */
  max_tokens: bigint | null;
}

/** What was in the usage rows that were deleted: enough to check the transfers they explained. */
export interface ForgottenUsageRow {
  organization: OrganizationId;
  /** Rows up to this number are deleted. */
  seq: bigint;
  /** When the latest of them arrived. */
  until: bigint;
  /** The number of the last transfer that charged one of them; 0: none was charged. */
  transfer_seq: bigint;
  /** How many were charged, and the sum in two parts, as `ledger verify` adds up. */
  charges: bigint;
  charged_high: bigint;
  charged_low: bigint;
  /** How many of these charges were reversed, and the sum in two parts. */
  reversals: bigint;
  reversed_high: bigint;
  reversed_low: bigint;
}

export interface KeyRow extends LimitColumns {
  id: KeyId;
  organization: OrganizationId;
  digest: string;
  name: string;
  /** The part of the key that lists show. */
  label: string;
  state: 'active' | 'revoked' | 'deleted';
  member: MemberId | null;
  source: 'api' | 'playground';
  created: bigint;
  expires: bigint | null;
  /**
   * When it was revoked or deleted. Null: it is active, ended before this was recorded, or was
   * deleted with its organization or as a key of the playground.
   */
  revoked: bigint | null;
  /**
   * The member who ended it. Null: a management token, an operator, or the first proof of the
   * address of an account did.
   */
  revoked_by: MemberId | null;
  last_used: bigint | null;
  /** The most that the key may spend in a calendar month (UTC); null: no cap. */
  monthly_cap: bigint | null;
  /** The most that the key may spend in a day (UTC); null: no cap. */
  daily_cap: bigint | null;
  /** The ids of the models that the key may call, separated by spaces; null: all models. */
  allowed_models: string | null;
}

/** What was spent in a month, and how much of it in the newest day of it. */
export interface SpentColumns {
  /** The calendar month (UTC) of `spent`: year * 12 + month - 1. */
  month: bigint;
  spent: bigint;
  /** When the first operation of the newest day (UTC) was submitted, ms since the epoch. */
  day_from: bigint;
  /** What had been spent in the month before that. The rest of `spent` was spent in that day. */
  before_day: bigint;
}

/** What a key has spent, and what it holds now. */
export interface MeterRow extends SpentColumns {
  key: KeyId;
  organization: OrganizationId;
  held: bigint;
  open: bigint;
}

/**
 * The caps of a member, and what all keys that the member created have spent together. Only members
 * with a cap have a row. What the keys hold is the sum of the holds with this `member`.
 */
export interface MemberCapRow extends SpentColumns {
  member: MemberId;
  organization: OrganizationId;
  /** The most in a calendar month (UTC), and in a day (UTC); null: no cap. */
  monthly_cap: bigint | null;
  daily_cap: bigint | null;
}

/**
 * What an organization or a key requested within the last minute. Only used on PostgreSQL, where
 * several routers count together.
 */
export interface WindowRow {
  subject: OrganizationId | KeyId;
  organization: OrganizationId;
  counts: string;
  slot: bigint;
}

/** The price agreed with an organization for a model, in place of the list price. */
export interface RateRow {
  organization: OrganizationId;
  model: string;
  price: PriceId;
  created: bigint;
}

/** A background job for money (MONEY 26). */
export interface JobRow {
  id: string;
  kind: string;
  /** The organization or person that it is for. */
  subject: string;
  idempotency_key: string;
  /** JSON. */
  payload: string;
  state: 'waiting' | 'running' | 'done' | 'failed';
  /** How often it was started. */
  attempts: bigint;
  /** The earliest time to run it. */
  run_at: bigint;
  /** The router that is running it. */
  leased_by: IncarnationId | null;
  /** When the attempt that is running began. Null: not running, or a router of an earlier version. */
  leased_at: bigint | null;
  last_error: string | null;
  /** The last attempts that have ended (`router/jobs/attempt-log.ts`). */
  attempt_log: string | null;
  created: bigint;
  ended: bigint | null;
}

/** The events that payment providers reported, each once. */
export interface PaymentEventRow {
  provider: string;
  event: string;
  transfer: TransferId | null;
  created: bigint;
}
