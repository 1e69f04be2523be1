/** The requests that an organization can list: newest first, by sequence number. */
import { type ExpressionBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { KeyId, MemberId, OrganizationId, RequestId, TransferId } from '../../shared/ids.ts';
import { type PicoUsd, picoUsd } from '../../shared/money.ts';
import type { AdmittedStatus } from '../../shared/request-statuses.ts';
import { failedAttemptsOf } from '../ledger/failed-attempts.ts';
import { CLIENT_LEFT, type RequestTimes, type Usage } from '../ledger/terms.ts';
import { milliseconds } from '../store/milliseconds.ts';
import { readProcedure } from '../store/procedure.ts';
import type { Schema } from '../store/schema.ts';
import type { UsageRow } from '../store/schema/ledger.ts';
import { checked, type Page, page, type PageQuery } from './pages.ts';
import { seqSpan } from './usage-span.ts';

export type UsageRecord = Usage &
  Readonly<{
    seq: bigint;
    cost: PicoUsd;
    outcome: 'settled' | 'voided';
    transfer: TransferId | null;
  }>;

/**
 * Filters by time of arrival (ms since the epoch, `until` not included) and by given fields, of each
 * of which a row has one of the values.
 */
export type UsageFilter = PageQuery &
  Readonly<{
    from?: number | undefined;
    until?: number | undefined;
    key?: readonly KeyId[] | undefined;
    model?: readonly string[] | undefined;
    member?: readonly MemberId[] | undefined;
    source?: readonly Usage['source'][] | undefined;
    status?: readonly AdmittedStatus[] | undefined;
    finishReason?: readonly string[] | undefined;
    error?: readonly string[] | undefined;
  }>;

/** Rows that one page scans. A filtered page may have fewer than its limit, and more follow. */
const LOOKED_AT_MAX = 10_000n;

export const listUsage = readProcedure<UsageFilter, Page<UsageRecord>>(
  'listUsage',
  async (db, ask) => {
    const { organization, before, limit, from, until } = ask;
    const span = await seqSpan(db, organization, { from, until });
    const top = before !== null && before <= span.last ? before - 1n : span.last;
    const low = top - LOOKED_AT_MAX + 1n;
    const bottom = low > span.first ? low : span.first;
    const found = await narrowed(
      db
        .selectFrom('usage')
        .selectAll()
        .where('organization', '=', organization)
        .where('seq', '<=', top)
        .where('seq', '>=', bottom)
        .orderBy('seq', 'desc')
        .limit(checked(limit) + 1),
      ask,
    ).execute();
    const { rows, next } = page(found, limit, usageOf);
    return { rows, next: next ?? (bottom > span.first ? bottom : null) };
  },
);

type UsageSelect = SelectQueryBuilder<Schema, 'usage', UsageRow>;

function narrowed(query: UsageSelect, ask: UsageFilter): UsageSelect {
  const { key, model, member, source, status, finishReason, error, from, until } = ask;
  let narrow = query;
  if (key !== undefined) narrow = narrow.where('key', 'in', key);
  if (model !== undefined) narrow = narrow.where('model', 'in', model);
  if (member !== undefined) narrow = narrow.where('member', 'in', member);
  if (source !== undefined) narrow = narrow.where('source', 'in', source);
  if (finishReason !== undefined) narrow = narrow.where('finish_reason', 'in', finishReason);
  if (error !== undefined) narrow = narrow.where('error', 'in', error);
  if (from !== undefined) narrow = narrow.where('created', '>=', milliseconds(from));
  if (until !== undefined) narrow = narrow.where('created', '<', milliseconds(until));
  if (status === undefined) return narrow;
  return narrow.where((row) => row.or(status.map((one) => hasStatus(row, one))));
}

function hasStatus(row: ExpressionBuilder<Schema, 'usage'>, status: AdmittedStatus) {
  if (status === 'canceled') return row('status', '=', BigInt(CLIENT_LEFT));
  if (status === 'failed') {
    return row.and([row('status', '>=', 400n), row('status', '<>', BigInt(CLIENT_LEFT))]);
  }
  return row(sql<bigint>`status / 100`, '=', BigInt(status.slice(0, 1)));
}

export const findUsage = readProcedure<
  /** `organization`: null for a request of any organization. */
  Readonly<{ organization: OrganizationId | null; request: RequestId }>,
  UsageRecord | null
>('findUsage', async (db, { organization, request }) => {
  const found = db.selectFrom('usage').selectAll().where('request', '=', request);
  const own = organization === null ? found : found.where('organization', '=', organization);
  const row = await own.executeTakeFirst();
  return row ? usageOf(row) : null;
});

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
    endpoint: row.endpoint,
    streamed: row.streamed === null ? null : row.streamed === 1n,
    maxTokens: row.max_tokens === null ? null : Number(row.max_tokens),
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
    times: timesOf(row),
    finishReason: row.finish_reason,
    status: Number(row.status),
    error: row.error,
    created: Number(row.created),
    cost: picoUsd(row.cost),
    outcome: row.outcome,
    transfer: row.transfer,
  };
}

function timesOf(row: UsageRow): RequestTimes | null {
  const { body_ms, admitted_ms, picked_ms, waited_ms, failed_attempts } = row;
  if (body_ms === null || admitted_ms === null) return null;
  return {
    bodyMs: Number(body_ms),
    admittedMs: Number(admitted_ms),
    pickedMs: picked_ms === null ? null : Number(picked_ms),
    waitedMs: waited_ms === null ? null : Number(waited_ms),
    failedAttempts: failedAttemptsOf(failed_attempts),
  };
}
