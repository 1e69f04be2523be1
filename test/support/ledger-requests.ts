/**
 * What a router tells the ledger about a request. A test gives what matters to it, and the rest is
 * that of a plain request.
 */
import { UNLIMITED } from '../../router/ledger/rules/limits.ts';
import type { Claim, Reservation, Usage } from '../../router/ledger/terms.ts';
import type { KeyId, RequestId } from '../../shared/ids.ts';
import { picoUsd } from '../../shared/money.ts';

export type Tokens = Readonly<{
  prompt: number;
  cached?: number;
  completion: number;
  reasoning?: number;
}>;

const NO_KEY = 'key_none' as KeyId;

/** A hold without limits that does not grow. */
export function reservationOf(
  given: Pick<Reservation, 'request' | 'organization' | 'amount' | 'price'> & Partial<Reservation>,
): Reservation {
  return { key: NO_KEY, epoch: 0n, slice: picoUsd(0n), limits: UNLIMITED, tokens: 0, ...given };
}

/** The usage of a request that was answered in full. */
export function usageOf(
  given: Pick<Usage, 'request' | 'organization' | 'price' | 'created'> & Partial<Usage>,
  { prompt, cached = 0, completion, reasoning = 0 }: Tokens,
): Usage {
  return {
    key: NO_KEY,
    member: null,
    source: 'api',
    completionId: `chatcmpl-${given.request}`,
    model: 'lab/model',
    region: 'global',
    endpoint: '/v1/chat/completions',
    streamed: true,
    maxTokens: null,
    agent: null,
    worker: null,
    promptTokens: prompt,
    cachedTokens: cached,
    cachedSource: 'reported',
    completionTokens: completion,
    reasoningTokens: reasoning,
    ttftMs: 12,
    durationMs: 800,
    times: null,
    finishReason: 'stop',
    status: 200,
    error: null,
    ...given,
  };
}

/** The claim of a request, of which a quarter have one. */
export function claimOf(request: RequestId): Claim | null {
  return /[0-7]$/.test(request) ? { digest: `claim of ${request}`, body: 'body' } : null;
}
