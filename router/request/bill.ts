/** What a request is charged, and its usage row. */
import type { Clock } from '../../shared/clock.ts';
import type { BilledTokens } from '../../shared/money.ts';
import type { Finished } from '../../shared/wire/end.ts';
import type { RequestTimes, Usage } from '../ledger/terms.ts';
import type { AdmittedRequest } from './admitted-request.ts';
import type { Attempt } from './attempt.ts';
import { completionId } from './call.ts';
import type { Counts } from './outcome.ts';
import type { Relay } from './relay.ts';
import { INFERENCE_PATHS } from './routes.ts';

export type BillParts = Readonly<{
  /** Called when an agent reported impossible counts. */
  alarm: (what: 'cached_clamped') => void;
}>;

/** A request with its last attempt. Both are null when no attempt was made. */
export type AttemptedRequest = AdmittedRequest &
  Readonly<{ attempt: Attempt | null; relay: Relay | null }>;

/** The part of a usage row that says how the request ended. */
type Ended = Readonly<{
  tokens: BilledTokens;
  cachedSource: 'reported' | 'predicted';
  reasoningTokens: number;
  finishReason: string | null;
  status: number;
  error: string | null;
}>;

export const NOTHING: BilledTokens = { prompt: 0, cached: 0, completion: 0 };

export function usageOf(clock: Clock, request: AttemptedRequest, ended: Ended): Usage {
  const { call, caller, parsed, hold, attempt, relay } = request;
  const firstByteAt = isTokenSent(request, ended) ? (relay?.heard.firstByteAt ?? null) : null;
  return {
    request: call.id,
    organization: caller.organization,
    key: caller.key,
    member: caller.member,
    source: caller.source,
    completionId: completionId(call, parsed),
    model: parsed.model.entry.id,
    region: call.region,
    endpoint: INFERENCE_PATHS[parsed.api],
    streamed: parsed.streamed,
    maxTokens: parsed.maxTokens,
    agent: attempt?.worker.agent ?? null,
    worker: attempt?.worker.name ?? null,
    price: hold.price.id,
    promptTokens: ended.tokens.prompt,
    cachedTokens: ended.tokens.cached,
    cachedSource: ended.cachedSource,
    completionTokens: ended.tokens.completion,
    reasoningTokens: ended.reasoningTokens,
    ttftMs: firstByteAt === null ? null : Math.round(firstByteAt - call.arrived),
    durationMs: Math.round(clock.monotonic() - call.arrived),
    times: timesOf(request),
    finishReason: ended.finishReason,
    status: ended.status,
    error: ended.error,
    created: call.created,
  };
}

/** Without a stream, the client of a request that failed or was canceled got no token. */
function isTokenSent({ parsed }: AttemptedRequest, { status }: Ended): boolean {
  return parsed.streamed || status < 300;
}

function timesOf({ call, tries }: AdmittedRequest): RequestTimes {
  const { bodyAt, admittedAt, pickedAt, waitedMs, failed } = tries;
  return {
    bodyMs: Math.round(bodyAt - call.arrived),
    admittedMs: Math.round(admittedAt - call.arrived),
    pickedMs: pickedAt === null ? null : Math.round(pickedAt - call.arrived),
    waitedMs: waitedMs === 0 ? null : Math.round(waitedMs),
    failedAttempts: failed,
  };
}

/** The tokens to charge for a finished answer: as reported, within our bounds (MONEY 18). */
export function billFinished(
  parts: BillParts,
  attempt: Attempt,
  counts: Counts,
  end: Finished,
): { tokens: BilledTokens; cachedSource: 'reported' | 'predicted'; shownCached: number | null } {
  const { prompt, completion } = counts;
  if (end.cached === null) {
    if (!end.cut) {
      return {
        tokens: { prompt, cached: 0, completion },
        cachedSource: 'reported',
        shownCached: null,
      };
    }
    // The router ended the answer when the credit ran out. Only the engine's last chunk would have
    // reported the cached tokens (MONEY 16).
    const cached = attempt.cache.predicted(prompt);
    return {
      tokens: { prompt, cached, completion },
      cachedSource: 'predicted',
      shownCached: cached,
    };
  }
  const { cache } = attempt;
  const possible = within(end.cached, Math.min(prompt, cache.possible(prompt)));
  if (possible !== end.cached) parts.alarm('cached_clamped');
  const cached = Math.min(possible, cache.most(prompt));
  return { tokens: { prompt, cached, completion }, cachedSource: 'reported', shownCached: cached };
}

function within(reported: number, most: number): number {
  return Math.min(Math.max(0, Math.floor(reported)), most);
}

/** The tokens to charge for an answer that was stopped, at its last count (MONEY 15). */
export function billStopped(attempt: Attempt, counts: Counts): BilledTokens {
  const cached = attempt.cache.predicted(counts.prompt);
  return { prompt: counts.prompt, cached, completion: counts.completion };
}
