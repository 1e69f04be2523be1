/** The columns of the CSV of requests. What only requests of the other kind have is empty. */
import type { RefusalEntry } from '../../../shared/api/refusals.ts';
import type { UsageEntry } from '../../../shared/api/usage.ts';
import { CLIENT_LEFT } from '../../ledger/terms.ts';
import { isoInstant } from '../api.ts';
import type { RequestOfEitherKind } from './rows.ts';

type Cell = string | number | null;

export const CSV_COLUMNS: Readonly<Record<string, (row: RequestOfEitherKind) => Cell>> = {
  created: ({ entry }) => entry.created,
  ended: ({ at }) => isoInstant(at),
  outcome: outcomeOf,
  status: ({ entry }) => entry.status,
  code: (row) => (row.kind === 'refused' ? row.entry.code : row.entry.error),
  message: ofRefused(({ message }) => message),
  param: ofRefused(({ param }) => param),
  request_id: ({ entry }) => entry.request_id,
  completion_id: ofAdmitted(({ completion_id }) => completion_id),
  endpoint: ofRefused(({ endpoint }) => endpoint),
  model: ({ entry }) => entry.model,
  key_id: ({ entry }) => entry.key_id,
  key_name: ({ entry }) => entry.key_name,
  member_id: ofAdmitted(({ member_id }) => member_id),
  source: ofAdmitted(({ source }) => source),
  region: ({ entry }) => entry.region,
  worker: ofAdmitted(({ worker }) => worker),
  prompt_tokens: ofAdmitted(({ prompt_tokens }) => prompt_tokens),
  cached_tokens: ofAdmitted(({ cached_tokens }) => cached_tokens),
  completion_tokens: ofAdmitted(({ completion_tokens }) => completion_tokens),
  reasoning_tokens: ofAdmitted(({ reasoning_tokens }) => reasoning_tokens),
  cost: ofAdmitted(({ cost }) => cost),
  ttft_ms: ofAdmitted(({ ttft_ms }) => ttft_ms),
  duration_ms: ofAdmitted(({ duration_ms }) => duration_ms),
  finish_reason: ofAdmitted(({ finish_reason }) => finish_reason),
};

function ofAdmitted(cell: (entry: UsageEntry) => Cell): (row: RequestOfEitherKind) => Cell {
  return (row) => (row.kind === 'admitted' ? cell(row.entry) : null);
}

function ofRefused(cell: (entry: RefusalEntry) => Cell): (row: RequestOfEitherKind) => Cell {
  return (row) => (row.kind === 'refused' ? cell(row.entry) : null);
}

function outcomeOf({ kind, entry }: RequestOfEitherKind): string {
  if (kind === 'refused') return 'refused';
  if (entry.status < 300) return 'succeeded';
  return entry.status === CLIENT_LEFT ? 'canceled' : 'failed';
}
