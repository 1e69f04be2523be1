/** Usage as the API writes it. */
import type {
  UsageDetail,
  UsageEntry,
  UsageSummary,
  UsageSummaryQuery,
  UsageSums,
} from '../../../shared/api/usage.ts';
import { formatUsd } from '../../../shared/money.ts';
import { workerId } from '../../fleet/worker.ts';
import type { Figures } from '../../ledger/rollups/sums.ts';
import { startOf } from '../../ledger/rollups/time.ts';
import { isoInstant } from '../api.ts';
import type { NamedSummary, NamedUsage, UsageWithPrice } from './procedures.ts';
import type { SummarySpan } from './span.ts';

export function shownEntry(usage: NamedUsage): UsageEntry {
  const { agent, worker } = usage;
  return {
    request_id: usage.request,
    completion_id: usage.completionId,
    model: usage.model,
    key_id: usage.key,
    key_name: usage.keyName,
    member_id: usage.member,
    source: usage.source,
    region: usage.region,
    worker: agent === null || worker === null ? null : workerId(agent, worker),
    prompt_tokens: usage.promptTokens,
    cached_tokens: usage.cachedTokens,
    cached_source: usage.cachedSource,
    completion_tokens: usage.completionTokens,
    reasoning_tokens: usage.reasoningTokens,
    cost: formatUsd(usage.cost),
    ttft_ms: usage.ttftMs,
    duration_ms: usage.durationMs,
    finish_reason: usage.finishReason,
    status: usage.status,
    error: usage.error,
    created: isoInstant(usage.created),
  };
}

export function shownDetail({ usage, memberName, price }: UsageWithPrice): UsageDetail {
  const isCharged = usage.outcome === 'settled' && price !== null;
  const line = (kind: UsageDetail['lines'][number]['kind'], tokens: number, each: bigint) => ({
    kind,
    tokens,
    unit_price: formatUsd(each),
    amount: formatUsd(BigInt(tokens) * each),
  });
  const cheaper = price && price.prompt > price.cached ? price.prompt - price.cached : 0n;
  return {
    ...shownEntry(usage),
    member_name: memberName,
    cached_savings: formatUsd(isCharged ? BigInt(usage.cachedTokens) * cheaper : 0n),
    transfer_id: usage.transfer,
    lines: isCharged
      ? [
          line('prompt', usage.promptTokens - usage.cachedTokens, price.prompt),
          line('cached', usage.cachedTokens, price.cached),
          line('completion', usage.completionTokens, price.completion),
        ]
      : [],
  };
}

export function shownSummary(
  { summary, names }: NamedSummary,
  { bucket, group_by }: UsageSummaryQuery,
  { from, until }: SummarySpan,
): UsageSummary {
  const isGrouped = group_by !== undefined;
  /** Of the store an empty text is none, and null the others; ungrouped there are none. */
  const groupOf = (value: string | null) => ({
    group: value === '' ? null : value,
    other: isGrouped && value === null,
  });
  return {
    start: isoInstant(startOf(bucket, from)),
    end: isoInstant(startOf(bucket, until)),
    bucket,
    group_by: group_by ?? null,
    totals: shownFigures(summary.totals),
    groups: summary.groups.map(({ value, figures }) => ({
      ...groupOf(value),
      name: value === null ? null : (names.get(value) ?? null),
      ...shownFigures(figures),
    })),
    data: summary.cells.map(({ ordinal, value, figures }) => ({
      start: isoInstant(startOf(bucket, ordinal)),
      ...groupOf(value),
      ...shownFigures(figures),
    })),
  };
}

function shownFigures(figures: Figures): UsageSums {
  return {
    requests: figures.requests,
    errors: figures.errors,
    cancelled: figures.cancelled,
    prompt_tokens: figures.promptTokens,
    cached_tokens: figures.cachedTokens,
    completion_tokens: figures.completionTokens,
    reasoning_tokens: figures.reasoningTokens,
    cost: figures.cost,
    cached_savings: figures.saved,
    ttft_ms: figures.ttft,
    duration_ms: figures.duration,
  };
}
