/**
 * The store's tables. Every whole number is an int8 and a bigint here, every instant is ms since the epoch,
 * every id is text: the same on SQLite and on PostgreSQL.
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
} from '../../shared/ids.ts';
import type { Region } from '../../shared/wire/messages.ts';

export interface OrganizationRow {
  id: OrganizationId;
  name: string;
  region: Region;
  status: 'active' | 'suspended';
  billing: 'prepaid' | 'invoiced';
  created: bigint;
}

/** Narrow, and no index on what changes: every settlement of the organization writes it (MONEY 24). */
export interface AccountRow {
  id: OrganizationId;
  balance: bigint;
  /** The sum of the open holds. */
  held: bigint;
  /** The sum of the open holds' slices (MONEY 8). */
  reserve: bigint;
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
interface PriceRow {
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

export interface KeyRow {
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
}

export interface PersonRow {
  id: PersonId;
  email: string;
  name: string;
  password_hash: string;
  /** 1 for an operator of the platform, else 0. */
  operator: bigint;
  created: bigint;
}

export interface MemberRow {
  id: MemberId;
  organization: OrganizationId;
  person: PersonId;
  role: 'org-admin' | 'billing-admin' | 'developer' | 'viewer';
  created: bigint;
}

export interface OperatorTokenRow {
  id: string;
  digest: string;
  person: PersonId;
  name: string;
  created: bigint;
}

export interface AgentRow {
  id: AgentId;
  name: string;
  region: Region;
  public_key: string | null;
  state: 'enrolling' | 'enrolled' | 'revoked';
  created: bigint;
  last_seen: bigint | null;
}

export interface JoinTokenRow {
  digest: string;
  agent: AgentId;
  expires: bigint;
  used: bigint | null;
  used_by_key: string | null;
}

/** A life of a router process; `beat` counts up, and DEAD_BEAT says that a peer has declared it dead. */
export interface IncarnationRow {
  id: IncarnationId;
  beat: bigint;
  url: string | null;
  /** Its listeners' regions, separated by commas. */
  regions: string;
  started: bigint;
}

export interface Schema {
  organizations: OrganizationRow;
  accounts: AccountRow;
  holds: HoldRow;
  transfers: TransferRow;
  prices: PriceRow;
  usage: UsageRow;
  keys: KeyRow;
  people: PersonRow;
  members: MemberRow;
  operator_tokens: OperatorTokenRow;
  agents: AgentRow;
  join_tokens: JoinTokenRow;
  incarnations: IncarnationRow;
}
