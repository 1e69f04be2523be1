import { type UsageEntry, UsagePage } from '../../../shared/api/usage.ts';
import { pageQuery, SequenceCursor } from '../../../shared/api/pages.ts';
import { formatUsd } from '../../../shared/money.ts';
import { workerId } from '../../fleet/worker.ts';
import type { StoreReader } from '../../store/store.ts';
import { type Api, found, isoInstant } from '../api.ts';
import { OrganizationPath } from '../organizations/routes.ts';
import { answerPage } from '../pages.ts';
import { listNamedUsage, type NamedUsage } from './procedures.ts';

export type UsageParts = Readonly<{ store: Pick<StoreReader, 'call'> }>;

export function usageRoutes(api: Api, { store }: UsageParts): void {
  api.get(
    '/organizations/:organization/usage',
    {
      config: { access: { organization: 'read' } },
      schema: {
        summary: 'Single requests, newest first',
        tags: ['usage'],
        params: OrganizationPath,
        querystring: pageQuery(SequenceCursor),
        response: { 200: UsagePage },
      },
    },
    async ({ params: { organization }, query: { limit, after: before = null } }) => {
      const page = await store.call(listNamedUsage, { organization, limit, before });
      return answerPage(found(page, 'organization'), shown);
    },
  );
}

function shown(usage: NamedUsage): UsageEntry {
  const { agent, worker } = usage;
  return {
    request_id: usage.request,
    completion_id: usage.completionId,
    model: usage.model,
    key_id: usage.key,
    key_name: usage.keyName,
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
