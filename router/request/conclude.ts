/**
 * The ending of an attempt that is to be paid for: the charge first, then the last bytes, which the router
 * writes from the figures that were charged (MONEY 12).
 */
import type { Clock } from '../../shared/clock.ts';
import { Refusal } from '../../shared/refusals.ts';
import { unreachable } from '../../shared/unreachable.ts';
import type { Hold } from '../ledger/hold.ts';
import type { Ask } from './arrive.ts';
import type { Caller } from './authenticate.ts';
import type { Call } from './call.ts';
import type { Attempt } from './dispatch.ts';
import type { RequestMetrics } from './metrics.ts';
import { refuse } from './refuse.ts';
import type { Counts, Outcome } from './outcome.ts';
import type { Relay } from './relay.ts';
import type { Reply } from './reply.ts';
import {
  billFinished,
  billStopped,
  NOTHING,
  release,
  type SettleParts,
  type Subject,
  settle,
  usageOf,
} from './settle.ts';
import type { WaivedWork } from './waived-work.ts';

export type ConcludeParts = SettleParts & Readonly<{ waived: WaivedWork; metrics: RequestMetrics }>;

/** A request that credit is held for. */
export type Held = Readonly<{ call: Call; caller: Caller; ask: Ask; hold: Hold; reply: Reply }>;

/** Status of a request whose client left, as the usage row and the metrics have it; nobody is sent it. */
const LEFT = 499;
/** A token's text within its SSE event, roughly: for what is waived, never for what is charged. */
const BYTES_PER_TOKEN = 200;

/** An attempt that was finished, or that its client stopped: the charge, then the last bytes. */
export async function conclude(
  parts: ConcludeParts,
  held: Held,
  tried: Readonly<{
    attempt: Attempt;
    relay: Relay;
    outcome: Extract<Outcome, { kind: 'finished' | 'stopped' }>;
  }>,
): Promise<void> {
  const { attempt, relay, outcome } = tried;
  const subject = { ...held, attempt, relay };
  switch (outcome.kind) {
    case 'finished':
      return complete(parts, held, subject, outcome);
    case 'stopped':
      return stopped(parts, held, subject, outcome);
    default:
      return unreachable(outcome);
  }
}

async function complete(
  parts: ConcludeParts,
  { hold, reply }: Held,
  subject: Subject & { attempt: Attempt; relay: Relay },
  { counts, end, answer }: Extract<Outcome, { kind: 'finished' }>,
): Promise<void> {
  const bill = billFinished(parts, subject.attempt, counts, end);
  const reasoning = Math.min(Math.max(0, Math.floor(end.reasoning ?? 0)), counts.completion);
  const usage = usageOf(parts.clock, subject, {
    ...bill,
    reasoningTokens: reasoning,
    finishReason: end.finish,
    status: 200,
    error: null,
  });
  const ended = parts.clock.monotonic();
  const settled = await settle(parts, hold, usage, bill.tokens);
  parts.metrics.settled(parts.clock.monotonic() - ended);
  if (settled === 'unknown' || settled === 'refused') {
    const refusal = new Refusal(
      settled === 'refused' ? 'insufficient_credit' : 'store_unavailable',
    );
    refuse(reply, refusal);
    parts.metrics.refused(usage.model, refusal);
    return await release(parts, hold, freeUsage(parts, subject, refusal));
  }
  parts.metrics.served(usage, subject.attempt.cache.predicted(counts.prompt), subject.relay);
  if (reply.left) return;
  answer.finish({
    finish: end.finish,
    usage: {
      promptTokens: counts.prompt,
      completionTokens: counts.completion,
      cachedTokens: bill.shownCached,
      reasoningTokens: end.reasoning === null ? null : reasoning,
    },
  });
}

async function stopped(
  parts: ConcludeParts,
  { caller, ask, hold, reply }: Held,
  subject: Subject & { attempt: Attempt; relay: Relay },
  { counts, accepted }: Extract<Outcome, { kind: 'stopped' }>,
): Promise<void> {
  if (!reply.left) reply.cut();
  const payable = await coverStopped(hold, counts);
  const tokens = payable ? billStopped(subject.attempt, counts, accepted) : NOTHING;
  if (tokens === NOTHING && accepted) {
    // What was delivered counts, too: an engine that tells no counts before its end would give it away.
    const delivered = Math.ceil(subject.relay.receivedBytes / BYTES_PER_TOKEN);
    parts.waived.add(caller.organization, ask.promptTokensEstimate + delivered);
  }
  const usage = usageOf(parts.clock, subject, {
    tokens,
    cachedSource: 'predicted',
    reasoningTokens: 0,
    finishReason: null,
    status: LEFT,
    error: null,
  });
  parts.metrics.left(usage);
  if (tokens === NOTHING) return await release(parts, hold, usage);
  const settled = await settle(parts, hold, usage, tokens);
  if (settled === 'unknown') await release(parts, hold, usage);
}

/** Whether the hold pays for what a client stopped; its prompt may be more than was estimated. */
async function coverStopped(hold: Hold, { prompt, completion }: Counts): Promise<boolean> {
  if (hold.tokensCovered(prompt) >= completion) return true;
  const covered = await hold.cover(prompt, completion).catch(() => 'gone' as const);
  return covered !== 'gone' && covered >= completion;
}

/** The usage row of a request that costs nothing; without a refusal its client left. */
export function freeUsage(
  parts: Readonly<{ clock: Clock }>,
  subject: Subject,
  refusal: Refusal | null,
) {
  return usageOf(parts.clock, subject, {
    tokens: NOTHING,
    cachedSource: 'reported',
    reasoningTokens: 0,
    finishReason: null,
    status: refusal?.status ?? LEFT,
    error: refusal?.code ?? null,
  });
}
