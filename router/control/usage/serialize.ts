/** Formats the usage of single requests for the API. */
import type {
  OperatorUsageDetail,
  RequestTimeline,
  UsageDetail,
  UsageEntry,
} from '../../../shared/api/usage.ts';
import { formatUsd } from '../../../shared/money.ts';
import { workerId } from '../../fleet/worker.ts';
import { isoInstant } from '../api.ts';
import type { NamedUsage, UsageWithPrice } from './procedures.ts';

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

/** A request with what only operators may see. */
export function shownToOperator(found: UsageWithPrice): OperatorUsageDetail {
  const { organization, agent } = found.usage;
  return { ...shownDetail(found), organization_id: organization, agent_id: agent };
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
    endpoint: usage.endpoint,
    streamed: usage.streamed,
    max_tokens: usage.maxTokens,
    cached_savings: formatUsd(isCharged ? BigInt(usage.cachedTokens) * cheaper : 0n),
    transfer_id: usage.transfer,
    timeline: timelineOf(usage),
    lines: isCharged
      ? [
          line('prompt', usage.promptTokens - usage.cachedTokens, price.prompt),
          line('cached', usage.cachedTokens, price.cached),
          line('completion', usage.completionTokens, price.completion),
        ]
      : [],
  };
}

function timelineOf({ times }: NamedUsage): RequestTimeline | null {
  if (times === null) return null;
  return {
    body_ms: times.bodyMs,
    admitted_ms: times.admittedMs,
    picked_ms: times.pickedMs,
    waited_ms: times.waitedMs,
    failed_attempts: times.failedAttempts.map(({ error, afterMs, durationMs }) => ({
      code: error,
      after_ms: afterMs,
      duration_ms: durationMs,
    })),
  };
}
