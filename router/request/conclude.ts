/**
 * Ends a request as `who-pays.ts` decides: first the charge, then the last bytes, which the router
 * writes from the charged figures (MONEY 12).
 */
import type { OrganizationId } from '../../shared/ids.ts';
import type { PicoUsd } from '../../shared/money.ts';
import { Refusal } from '../../shared/refusals.ts';
import { DELTA_OVERHEAD_BYTES } from '../../shared/wire/deltas.ts';
import type { Hold } from '../ledger/hold.ts';
import { CLIENT_LEFT, type Usage } from '../ledger/terms.ts';
import type { Attempt } from './attempt.ts';
import {
  type AttemptedRequest,
  type BillParts,
  billFinished,
  billStopped,
  NOTHING,
  usageOf,
} from './bill.ts';
import type { RequestLabels, RequestMetrics } from './metrics.ts';
import type { Counts, Ending, Outcome } from './outcome.ts';
import { type RefuseParts, refuseCounted } from './refuse.ts';
import type { Relay } from './relay.ts';
import type { RequestLog } from './request-log.ts';
import type { PredictedTokens } from './request-series.ts';
import { release, type SettleParts, settle } from './settle.ts';
import { type Cause, whoPays } from './who-pays.ts';

/** What the end of every admitted request needs. */
export type EndParts = SettleParts &
  Readonly<{
    requestLog: RequestLog;
    metrics: RequestMetrics;
    /** Called when a request was refused for lack of credit. */
    onExhausted: (organization: OrganizationId) => void;
  }>;

export type ConcludeParts = EndParts & BillParts & Pick<RefuseParts, 'dashboard'>;

/** A request whose last attempt has ended. */
type Tried = AttemptedRequest & Readonly<{ attempt: Attempt; relay: Relay }>;

/** A rough cost of a token in bytes, used for waived work and never for charges. */
const BYTES_PER_TOKEN = DELTA_OVERHEAD_BYTES;

/** A request that is not charged. `refusal` is null when the client left. */
type Uncharged = Ending & Readonly<{ refusal: Refusal | null }>;

/** Ends a request whose attempt finished or was stopped: the charge, then the last bytes. */
export async function conclude(
  parts: ConcludeParts,
  request: Tried,
  outcome: Extract<Outcome, { kind: 'finished' | 'stopped' }>,
): Promise<void> {
  const uncharged = await (outcome.kind === 'finished'
    ? complete(parts, request, outcome)
    : stopped(parts, request, outcome));
  if (uncharged) await endFree(parts, request, uncharged);
}

/** Ends a request for which no worker has an answer. */
export async function concludeUnanswered(
  parts: ConcludeParts,
  request: AttemptedRequest,
  ending: Uncharged,
): Promise<void> {
  const labels = labelsOf(request);
  if (ending.refusal) {
    refuseCounted(parts, request.reply, ending.refusal, {
      labels,
      organization: request.caller.organization,
    });
  } else {
    parts.metrics.leftUnserved(labels);
  }
  await endFree(parts, request, ending);
}

/** Ends a request without a charge. */
export async function endFree(
  parts: EndParts,
  request: AttemptedRequest,
  { cause, progress, counts, refusal }: Uncharged,
): Promise<void> {
  const pays = whoPays(cause, progress);
  if (pays !== 'free' && pays !== 'waived') throw new Error(`${cause}, ${progress}: is not free`);
  const waived = pays === 'waived' ? workOf(request, counts) : 0;
  const usage = freeUsage(parts, request, refusal);
  report(parts, request, usage, null);
  await release(parts, request.hold, usage, waived);
  // The hold covered the request, but not the prompt as its engine counts it, or not the whole answer.
  if (refusal?.code === 'insufficient_credit') parts.onExhausted(request.hold.organization);
}

/** Reports the end of a request. `cost`: null if it is not charged. */
function report(
  { requestLog, metrics }: EndParts,
  request: AttemptedRequest,
  usage: Usage,
  cost: PicoUsd | null,
): void {
  requestLog.ended(request, usage, cost);
  request.trace.ended(usage);
  metrics.concluded(labelsOf(request), usage, cost);
}

/**
 * Tokens of work that an engine has done. An engine that reports counts only at its end is taken to
 * have generated what was delivered.
 */
function workOf({ parsed, relay }: AttemptedRequest, { prompt, completion }: Counts): number {
  const delivered = Math.ceil((relay?.heard.bytes ?? 0) / BYTES_PER_TOKEN);
  return (prompt || parsed.promptTokensEstimate) + Math.max(completion, delivered);
}

const UNSETTLED = {
  refused: ['settle_refused', 'insufficient_credit'],
  repeated: ['answered_before', 'already_answered'],
  unknown: ['settle_unknown', 'store_unavailable'],
} as const;

/** Charges a finished answer and writes its last bytes. Returns null when it is charged. */
async function complete(
  parts: ConcludeParts,
  request: Tried,
  outcome: Extract<Outcome, { kind: 'finished' }>,
): Promise<Uncharged | null> {
  const { hold, reply, attempt, relay } = request;
  const { counts, end, answer } = outcome;
  const pays = whoPays(outcome.cause, outcome.progress);
  if (pays !== 'full') throw new Error(`${outcome.cause}: is not charged in full`);
  const bill = billFinished(parts, attempt, counts, end);
  const reasoning = Math.min(Math.max(0, Math.floor(end.reasoning ?? 0)), counts.completion);
  const usage = usageOf(parts.clock, request, {
    ...bill,
    reasoningTokens: reasoning,
    finishReason: end.finish,
    status: 200,
    error: null,
  });
  const ended = parts.clock.monotonic();
  const settled = await settle(parts, hold, usage, bill.tokens);
  parts.metrics.settled(parts.clock.monotonic() - ended);
  if (typeof settled === 'string') {
    const [cause, code] = UNSETTLED[settled];
    const refusal = new Refusal(code);
    refuseCounted(parts, reply, refusal, {
      labels: labelsOf(request),
      organization: request.caller.organization,
    });
    return { ...outcome, cause, refusal };
  }
  report(parts, request, usage, settled.cost);
  parts.metrics.served(labelsOf(request), usage, predictedOf(request, counts.prompt), relay);
  if (reply.disconnected) return null;
  answer.finish({
    finish: end.finish,
    stopSequence: end.stopSequence?.toWellFormed() ?? null,
    completed: Math.floor(parts.clock.now() / 1000),
    usage: {
      promptTokens: counts.prompt,
      completionTokens: counts.completion,
      cachedTokens: bill.shownCached,
      reasoningTokens: end.reasoning === null ? null : reasoning,
      cost: request.parsed.includeCost ? settled.cost : null,
    },
  });
  return null;
}

/** Ends an answer that was stopped, and charges its last count. Returns null when it is charged. */
async function stopped(
  parts: ConcludeParts,
  request: Tried,
  outcome: Extract<Outcome, { kind: 'stopped' }>,
): Promise<Uncharged | null> {
  const { hold, reply, attempt } = request;
  if (!reply.disconnected) reply.abort();
  const { progress, counts, refusal } = outcome;
  const cause = await causeOf(hold, outcome);
  if (whoPays(cause, progress) !== 'last_count') {
    parts.metrics.left(labelsOf(request), freeUsage(parts, request, refusal));
    return { cause, progress, counts, refusal };
  }
  const tokens = billStopped(attempt, counts);
  const usage = usageOf(parts.clock, request, {
    ...UNFINISHED,
    tokens,
    cachedSource: 'predicted',
    ...endOf(refusal),
  });
  parts.metrics.left(labelsOf(request), usage);
  const settled = await settle(parts, hold, usage, tokens);
  if (typeof settled === 'string') return { ...outcome, cause: UNSETTLED[settled][0] };
  report(parts, request, usage, settled.cost);
  return null;
}

/**
 * Returns why the request ends. The hold may not cover the counted prompt: then it is extended
 * first, and the cause changes if that fails.
 */
async function causeOf(hold: Hold, { cause, progress, counts }: Ending): Promise<Cause> {
  const { prompt, completion } = counts;
  const isCharged = whoPays(cause, progress) === 'last_count';
  if (!isCharged || hold.tokensCovered(prompt) >= completion) return cause;
  const covered = await hold.cover(prompt, completion).catch(() => 'unknown' as const);
  if (covered === 'unknown') return 'store_away';
  if (covered === 'gone') return 'hold_lost';
  return covered >= completion ? cause : 'credit_short';
}

function labelsOf({ call, parsed }: AttemptedRequest): RequestLabels {
  return { region: call.region, model: parsed.model.entry.id, streamed: parsed.streamed };
}

/** What was predicted to be cached, in tokens as the engine counted the prompt. */
function predictedOf({ tries: { picked } }: AttemptedRequest, counted: number): PredictedTokens {
  if (picked === null) return { best: 0, chosen: 0 };
  const { prompt, cached, cachedBest } = picked;
  const scale = counted / prompt;
  return { best: Math.round(scale * cachedBest), chosen: Math.round(scale * cached) };
}

/** The usage row of a request that is not charged. */
function freeUsage({ clock }: SettleParts, request: AttemptedRequest, refusal: Refusal | null) {
  return usageOf(clock, request, {
    ...UNFINISHED,
    tokens: NOTHING,
    cachedSource: 'reported',
    ...endOf(refusal),
  });
}

const UNFINISHED = { reasoningTokens: 0, finishReason: null } as const;

/** Without a refusal, the client left. */
function endOf(refusal: Refusal | null) {
  return { status: refusal?.status ?? CLIENT_LEFT, error: refusal?.code ?? null };
}
