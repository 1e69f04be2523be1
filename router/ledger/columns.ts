/**
 * The columns of the tables that the ledger's batches read and write, each with its type.
 * Statements always name them: a column that a later version adds must not change what a statement
 * returns.
 */
import type {
  AccountRow,
  HoldRow,
  MemberCapRow,
  MeterRow,
  TransferRow,
  UsageRow,
} from '../store/schema/ledger.ts';
import type { IdempotencyKeyRow } from '../store/schema/payments.ts';

export type Columns<Row> = Readonly<Record<keyof Row & string, 'int8' | 'text'>>;

export const ACCOUNTS: Columns<AccountRow> = {
  id: 'text',
  balance: 'int8',
  held: 'int8',
  reserve: 'int8',
  open: 'int8',
  floor: 'int8',
  auth_epoch: 'int8',
  transfer_seq: 'int8',
  usage_seq: 'int8',
  capped_members: 'int8',
};

export const HOLDS: Columns<HoldRow> = {
  request: 'text',
  organization: 'text',
  key: 'text',
  price: 'text',
  incarnation: 'text',
  amount: 'int8',
  slice: 'int8',
  tokens: 'int8',
  created: 'int8',
  member: 'text',
};

export const METERS: Columns<MeterRow> = {
  key: 'text',
  organization: 'text',
  month: 'int8',
  spent: 'int8',
  held: 'int8',
  open: 'int8',
  day_from: 'int8',
  before_day: 'int8',
};

export const MEMBER_CAPS: Columns<MemberCapRow> = {
  member: 'text',
  organization: 'text',
  monthly_cap: 'int8',
  daily_cap: 'int8',
  month: 'int8',
  spent: 'int8',
  day_from: 'int8',
  before_day: 'int8',
};

export const TRANSFERS: Columns<TransferRow> = {
  id: 'text',
  organization: 'text',
  seq: 'int8',
  debit: 'text',
  credit: 'text',
  amount: 'int8',
  kind: 'text',
  reference: 'text',
  reason: 'text',
  created: 'int8',
};

export const USAGE: Columns<UsageRow> = {
  request: 'text',
  organization: 'text',
  seq: 'int8',
  key: 'text',
  member: 'text',
  source: 'text',
  completion_id: 'text',
  model: 'text',
  region: 'text',
  agent: 'text',
  worker: 'text',
  price: 'text',
  prompt_tokens: 'int8',
  cached_tokens: 'int8',
  cached_source: 'text',
  completion_tokens: 'int8',
  reasoning_tokens: 'int8',
  ttft_ms: 'int8',
  duration_ms: 'int8',
  finish_reason: 'text',
  status: 'int8',
  error: 'text',
  cost: 'int8',
  outcome: 'text',
  transfer: 'text',
  created: 'int8',
  body_ms: 'int8',
  admitted_ms: 'int8',
  picked_ms: 'int8',
  waited_ms: 'int8',
  failed_attempts: 'text',
  endpoint: 'text',
  streamed: 'int8',
  max_tokens: 'int8',
};

export const CLAIMS: Columns<IdempotencyKeyRow> = {
  digest: 'text',
  request: 'text',
  answer: 'text',
  created: 'int8',
};

export function namesOf<Row>(columns: Columns<Row>): (keyof Row & string)[] {
  return Object.keys(columns) as (keyof Row & string)[];
}

/** The columns as a statement names them, qualified by a table or its alias. */
export function columnsOf<Row>(of: string, columns: Columns<Row>): string {
  return namesOf(columns)
    .map((name) => `${of}.${name}`)
    .join(', ');
}
