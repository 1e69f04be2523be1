/** The ledger's tables: organizations and their accounts, holds, transfers, usage, prices, keys, limits, payments, jobs. */
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
import type { Region } from '../../../shared/wire/messages.ts';

/** What an operator, or for a key its organization, has set; null: nothing was. */
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
  /** How far an invoiced organization's account may go below zero: its `floor` with the other sign. */
  credit_limit: bigint;
  created: bigint;
  /** Its keys are dead and its people gone; its ledger stays. */
  deleted: bigint | null;
  /** Who opened it for themselves; null: an operator did. */
  founder: PersonId | null;
  /** Below this balance its people are written to; null: never. */
  low_balance_threshold: bigint | null;
  /** When they last were; null: not since the balance was above. */
  low_balance_noted: bigint | null;
}

/** Narrow, and no index on what changes: every settlement of the organization writes it (MONEY 24). */
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
  /** The last sequence number given to a transfer, and to a usage row: they are gapless from 1. */
  transfer_seq: bigint;
  usage_seq: bigint;
}

/** Only open holds stand here. */
export interface HoldRow {
  request: RequestId;
  organization: OrganizationId;
  key: KeyId;
  price: PriceId;
  incarnation: IncarnationId;
  amount: bigint;
  slice: bigint;
  /** What was counted at admission against the limit of tokens per minute. */
  tokens: bigint;
  created: bigint;
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
  /** What it answers to: the request, the payment, the operator's reference. */
  reference: string;
  /** Why, where a person decided it. */
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

/** How a request ended. The primary key is also the tombstone: the first terminal state wins (MONEY 13). */
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
  /** The charge, also where a later transfer reversed it; null when nothing was charged. */
  transfer: TransferId | null;
  created: bigint;
}

/** What was in the usage rows that are kept no longer: enough to check the transfers they explained. */
export interface ForgottenUsageRow {
  organization: OrganizationId;
  /** Its rows up to this number are gone. */
  seq: bigint;
  /** The latest arrival among them. */
  until: bigint;
  /** The number of the last transfer that charged one of them; 0: none was charged. */
  transfer_seq: bigint;
  /** How many were charged, and the sum in two halves, as `ledger verify` adds up. */
  charges: bigint;
  charged_high: bigint;
  charged_low: bigint;
  /** How many of these charges were given back, and the sum. */
  reversals: bigint;
  reversed_high: bigint;
  reversed_low: bigint;
}

export interface KeyRow extends LimitColumns {
  id: KeyId;
  organization: OrganizationId;
  digest: string;
  name: string;
  /** What lists show of the key itself. */
  label: string;
  state: 'active' | 'revoked' | 'deleted';
  member: MemberId | null;
  source: 'api' | 'playground';
  created: bigint;
  expires: bigint | null;
  last_used: bigint | null;
  /** What the key may spend in a calendar month (UTC); null: as much as its organization has. */
  monthly_cap: bigint | null;
}

/** What a key that has a cap or a limit of concurrency spends in a month and holds now. */
export interface MeterRow {
  key: KeyId;
  organization: OrganizationId;
  /** The calendar month (UTC) of `spent`: year * 12 + month - 1. */
  month: bigint;
  spent: bigint;
  held: bigint;
  open: bigint;
}

/** What an organization or a key asked for within the last minute, where several routers count together. */
export interface WindowRow {
  subject: OrganizationId | KeyId;
  organization: OrganizationId;
  counts: string;
  slot: bigint;
}

/** The price that was agreed with an organization for a model, in place of the list price. */
export interface RateRow {
  organization: OrganizationId;
  model: string;
  price: PriceId;
  created: bigint;
}

/** Money work that is done apart from what caused it (MONEY 26). */
export interface JobRow {
  id: string;
  kind: string;
  /** Whose it is. */
  subject: string;
  idempotency_key: string;
  /** JSON. */
  payload: string;
  state: 'waiting' | 'running' | 'done' | 'failed';
  /** How often it was begun. */
  attempts: bigint;
  /** Not before this. */
  run_at: bigint;
  /** The router that runs it, while it runs. */
  leased_by: IncarnationId | null;
  last_error: string | null;
  created: bigint;
  ended: bigint | null;
}

/** What a payment provider has told us, each event once. */
export interface PaymentEventRow {
  provider: string;
  event: string;
  transfer: TransferId | null;
  created: bigint;
}
