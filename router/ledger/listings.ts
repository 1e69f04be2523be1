/** What an organization reads of its ledger: transfers and usage, newest first, by sequence number. */
import type { KeyId, OrganizationId, TransferId } from '../../shared/ids.ts';
import { type PicoUsd, picoUsd } from '../../shared/money.ts';
import type { Procedure } from '../store/procedure.ts';
import type { TransferRow, UsageRow } from '../store/schema/ledger.ts';
import type { Usage } from './terms.ts';

const ROWS_MAX = 1_000;

export type PageAsk = Readonly<{
  organization: OrganizationId;
  /** `next` of the page before; null for the newest. */
  before: bigint | null;
  limit: number;
}>;

/** `next` is null on the last page. */
export type Page<Row> = Readonly<{ rows: readonly Row[]; next: bigint | null }>;

export type Transfer = Readonly<{
  id: TransferId;
  seq: bigint;
  /** What the customer gained, or lost when it is below zero. */
  change: PicoUsd;
  kind: string;
  reference: string;
  reason: string | null;
  created: number;
}>;

export type UsageRecord = Usage &
  Readonly<{
    seq: bigint;
    cost: PicoUsd;
    outcome: 'settled' | 'voided';
    transfer: TransferId | null;
  }>;

export const listTransfers: Procedure<PageAsk, Page<Transfer>> = {
  name: 'listTransfers',
  access: 'read',
  async run(db, { organization, before, limit }) {
    let query = db
      .selectFrom('transfers')
      .selectAll()
      .where('organization', '=', organization)
      .orderBy('seq', 'desc')
      .limit(checked(limit) + 1);
    if (before !== null) query = query.where('seq', '<', before);
    return page(await query.execute(), limit, transferOf);
  },
};

/** Narrowed to one key, one model, or a span of arrival (ms since the epoch, `until` not included). */
export type UsageAsk = PageAsk &
  Readonly<{
    key?: KeyId | undefined;
    model?: string | undefined;
    from?: number | undefined;
    until?: number | undefined;
  }>;

export const listUsage: Procedure<UsageAsk, Page<UsageRecord>> = {
  name: 'listUsage',
  access: 'read',
  async run(db, { organization, before, limit, key, model, from, until }) {
    let query = db
      .selectFrom('usage')
      .selectAll()
      .where('organization', '=', organization)
      .orderBy('seq', 'desc')
      .limit(checked(limit) + 1);
    if (before !== null) query = query.where('seq', '<', before);
    if (key !== undefined) query = query.where('key', '=', key);
    if (model !== undefined) query = query.where('model', '=', model);
    if (from !== undefined) query = query.where('created', '>=', BigInt(Math.round(from)));
    if (until !== undefined) query = query.where('created', '<', BigInt(Math.round(until)));
    return page(await query.execute(), limit, usageOf);
  },
};

function checked(limit: number): number {
  if (!Number.isInteger(limit) || limit < 1 || limit > ROWS_MAX) {
    throw new Error(`a page has 1 to ${ROWS_MAX} rows, not ${limit}`);
  }
  return limit;
}

function page<Row extends { seq: bigint }, Out>(
  found: readonly Row[],
  limit: number,
  shape: (row: Row) => Out,
): Page<Out> {
  const rows = found.slice(0, limit);
  return { rows: rows.map(shape), next: found.length > limit ? (rows.at(-1)?.seq ?? null) : null };
}

function transferOf(row: TransferRow): Transfer {
  const { id, seq, kind, reference, reason } = row;
  const gained = row.credit.startsWith('customer:');
  const change = picoUsd(gained ? row.amount : -row.amount);
  return { id, seq, change, kind, reference, reason, created: Number(row.created) };
}

function usageOf(row: UsageRow): UsageRecord {
  return {
    request: row.request,
    organization: row.organization,
    seq: row.seq,
    key: row.key,
    member: row.member,
    source: row.source,
    completionId: row.completion_id,
    model: row.model,
    region: row.region,
    agent: row.agent,
    worker: row.worker,
    price: row.price,
    promptTokens: Number(row.prompt_tokens),
    cachedTokens: Number(row.cached_tokens),
    cachedSource: row.cached_source,
    completionTokens: Number(row.completion_tokens),
    reasoningTokens: Number(row.reasoning_tokens),
    ttftMs: row.ttft_ms === null ? null : Number(row.ttft_ms),
    durationMs: Number(row.duration_ms),
    finishReason: row.finish_reason,
    status: Number(row.status),
    error: row.error,
    created: Number(row.created),
    cost: picoUsd(row.cost),
    outcome: row.outcome,
    transfer: row.transfer,
  };
}
