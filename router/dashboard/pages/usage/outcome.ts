/** Short texts that say how requests ended. */
import type { UsageEntry } from '../../../../shared/api/usage.ts';
import { shownCount } from '../../format/count.ts';
import { tokenRate } from '../../format/token-rate.ts';
import { chargedAfterLeaving } from './charged.ts';
import { type Explanation, explanationOf } from './explanations.ts';
import { CLIENT_LEFT, type Outcome, outcomeOfStatus } from './outcome-looks.ts';

export type Ended = Readonly<{
  status: number;
  finish_reason: string | null;
  error: string | null;
  /** Whether it was refused before it was admitted. */
  isRefused?: boolean;
}>;

export function refusedAs({ status, code }: Readonly<{ status: number; code: string }>): Ended {
  return { status, finish_reason: null, error: code, isRefused: true };
}

export function outcomeOf(ended: Ended): Readonly<{ outcome: Outcome; text: string }> {
  const { status, finish_reason, error, isRefused = false } = ended;
  const outcome = isRefused ? 'refused' : outcomeOfStatus(status);
  switch (outcome) {
    case 'succeeded':
      return { outcome, text: finishedAs(finish_reason) };
    case 'canceled':
      return { outcome, text: 'Canceled by client' };
    case 'failed':
    case 'refused':
      return { outcome, text: error === null ? String(status) : `${status} ${error}` };
  }
}

const FINISHED: Readonly<Record<string, string>> = {
  stop: 'Completed',
  length: 'Hit token limit',
  tool_calls: 'Completed with tool calls',
};

function finishedAs(reason: string | null): string {
  if (reason === null) return 'Completed';
  return (Object.hasOwn(FINISHED, reason) && FINISHED[reason]) || reason;
}

/** Why a request failed, in words. Null for one that was answered or that its client left. */
export function causeOf({ status, error }: Ended): string | null {
  if (status < 300 || status === CLIENT_LEFT || error === null) return null;
  return explanationOf(error, { awaitsWelcome: false, message: null })?.cause ?? null;
}

const CANCELED: Explanation = {
  cause:
    'The client closed the connection before it had the whole response, so the request was canceled.',
  cure: 'If your program did not mean to, raise the timeouts of its client and of the proxies in between. If it does not stream responses yet, stream them.',
};

const CUT: Explanation = {
  cause:
    'The response was cut when it reached a limit: max_tokens, the longest response or the context of the model, or the end of the credit.',
  cure: 'Raise max_tokens if the response is incomplete. Reasoning tokens count toward it, too.',
};

function cutAt(limit: number): Explanation {
  return {
    ...CUT,
    cause: `The response was cut at ${shownCount(limit)} completion tokens: the limit that the request set with max_tokens.`,
  };
}

function canceledAt(cost: string): Explanation {
  return { ...CANCELED, cause: `${CANCELED.cause} ${chargedAfterLeaving(cost)}` };
}

type Cut = Ended & Readonly<{ max_tokens: number | null; completion_tokens: number; cost: string }>;

/** What cut a response that has no error code. Null when it was complete. */
export function explanationOfCut(request: Cut): Explanation | null {
  const { status, finish_reason, error, max_tokens: limit, completion_tokens, cost } = request;
  if (error !== null) return null;
  if (status === CLIENT_LEFT) return canceledAt(cost);
  if (finish_reason !== 'length') return null;
  return limit !== null && completion_tokens >= limit ? cutAt(limit) : CUT;
}

/** How many tokens of the prompt were cached, and who says so. */
export function cachedText(
  of: Pick<UsageEntry, 'prompt_tokens' | 'cached_tokens' | 'cached_source' | 'ttft_ms'>,
): string {
  const count = shownCount(of.cached_tokens);
  if (of.cached_source === 'predicted') return `${count}, predicted by the router`;
  if (isUncounted(of)) return NOT_REPORTED;
  return of.prompt_tokens === 0 ? count : `${count}, reported by the engine`;
}

export const NOT_REPORTED = 'Not reported';

/**
 * Whether the engine sent a part of the response, and no counts of its tokens: the stream failed
 * before its end. Every prompt has tokens, so that an engine that counted none has reported nothing.
 */
export function isUncounted(of: Pick<UsageEntry, 'prompt_tokens' | 'ttft_ms'>): boolean {
  return of.ttft_ms !== null && of.prompt_tokens === 0;
}

/** When a request ended, as an ISO 8601 instant. `created` is when it arrived. */
export function endedAt({
  created,
  duration_ms,
}: Readonly<{ created: string; duration_ms: number }>): string {
  return new Date(Date.parse(created) + duration_ms).toISOString();
}

type Timed = Readonly<{
  completion_tokens: number;
  ttft_ms: number | null;
  duration_ms: number;
}>;

/** Tokens per second after the first token. Null without one, and where `tokenRate` has no rate. */
export function tokensPerSecond({ completion_tokens, ttft_ms, duration_ms }: Timed): number | null {
  return ttft_ms === null ? null : tokenRate(completion_tokens, duration_ms - ttft_ms);
}
