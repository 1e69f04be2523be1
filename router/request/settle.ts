/**
 * Ends a request in the ledger, exactly once: a charge for what was used, or nothing. The charge is durable
 * before the answer is completed (MONEY 12); one whose outcome stays unknown is taken back (MONEY 14).
 */
import { type Clock, sleep } from '../../shared/clock.ts';
import { limits } from '../../shared/limits.ts';
import type { Log } from '../../shared/log.ts';
import type { BilledTokens } from '../../shared/money.ts';
import type { Finished } from '../../shared/wire/messages.ts';
import type { Hold } from '../ledger/hold.ts';
import { type SettleAnswer, StoreUnavailable, type Usage } from '../ledger/terms.ts';
import type { Ask } from './arrive.ts';
import type { Caller } from './authenticate.ts';
import { type Call, completionId } from './call.ts';
import type { Attempt } from './dispatch.ts';
import type { Counts } from './outcome.ts';
import type { Relay } from './relay.ts';

export type SettleParts = Readonly<{
  clock: Clock;
  log: Log;
  /** An agent reported what cannot be. */
  alarm: (what: 'cached_clamped') => void;
}>;

const RETRY_MS = 200;
/** Nothing is admitted until one of these is kept, so a store that is back is found soon. */
const RETRY_MS_MAX = 1_000;
/** What is damaged is repaired by hand, if at all. */
const FAULT_RETRY_MS = 60_000;

/** Everything about a request that its usage row keeps, but how it ended. */
export type Subject = Readonly<{
  call: Call;
  caller: Caller;
  ask: Ask;
  hold: Hold;
  attempt: Attempt | null;
  relay: Relay | null;
}>;

/** The ending of a usage row. */
type Ended = Readonly<{
  tokens: BilledTokens;
  cachedSource: 'reported' | 'predicted';
  reasoningTokens: number;
  finishReason: string | null;
  status: number;
  error: string | null;
}>;

export const NOTHING: BilledTokens = { prompt: 0, cached: 0, completion: 0 };

export function usageOf(clock: Clock, subject: Subject, ended: Ended): Usage {
  const { call, caller, ask, hold, attempt, relay } = subject;
  const firstByteAt = relay?.heard.firstByteAt ?? null;
  return {
    request: call.id,
    organization: caller.organization,
    key: caller.key,
    member: caller.member,
    source: caller.source,
    completionId: completionId(call, ask),
    model: ask.model.entry.id,
    region: call.region,
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
    finishReason: ended.finishReason,
    status: ended.status,
    error: ended.error,
    created: call.created,
  };
}

/** The tokens a finished answer is billed for: as reported, within what the router can bound (MONEY 18). */
export function billFinished(
  parts: SettleParts,
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
    // Ended by us at the end of the credit: only the engine's last chunk would have said (MONEY 16).
    const cached = attempt.cache.predicted(prompt);
    return {
      tokens: { prompt, cached, completion },
      cachedSource: 'predicted',
      shownCached: cached,
    };
  }
  const reported = Math.max(0, Math.floor(end.cached));
  const cached = Math.min(reported, prompt, attempt.cache.most(prompt));
  if (cached !== end.cached) parts.alarm('cached_clamped');
  return { tokens: { prompt, cached, completion }, cachedSource: 'reported', shownCached: cached };
}

/** The tokens of an answer that was ended here, at its last count (MONEY 15). */
export function billStopped(attempt: Attempt, counts: Counts): BilledTokens {
  const cached = attempt.cache.predicted(counts.prompt);
  return { prompt: counts.prompt, cached, completion: counts.completion };
}

/**
 * Charges. While the store does not answer it is asked again under the same id, up to ten seconds; then
 * `unknown`, and the caller cuts the answer and gives the request to `release`.
 */
export async function settle(
  parts: SettleParts,
  hold: Hold,
  usage: Usage,
  tokens: BilledTokens,
): Promise<SettleAnswer | 'unknown'> {
  const deadline = parts.clock.monotonic() + limits.settleMsMax;
  for (;;) {
    const left = deadline - parts.clock.monotonic();
    const answer = await within(parts.clock, left, hold.settle(usage, tokens));
    if (answer !== 'unavailable') return answer;
    if (parts.clock.monotonic() + RETRY_MS >= deadline) return 'unknown';
    await sleep(parts.clock, RETRY_MS);
  }
}

async function within(
  clock: Clock,
  ms: number,
  settling: Promise<SettleAnswer>,
): Promise<SettleAnswer | 'unknown' | 'unavailable'> {
  const late = Promise.withResolvers<'unknown'>();
  const timer = clock.after(Math.max(0, ms), () => late.resolve('unknown'));
  const answered = settling.catch((error: unknown) => {
    if (error instanceof StoreUnavailable) return 'unavailable' as const;
    throw error;
  });
  try {
    return await Promise.race([answered, late.promise]);
  } finally {
    timer.cancel();
  }
}

/**
 * Ends a request free of charge, with what was done for it all the same. It goes on trying for as long as the store is
 * away; where the store is there and cannot do it, that is logged, and tried again now and then with nobody waiting: a
 * charge may have to be reversed.
 */
export async function release(
  parts: SettleParts,
  hold: Hold,
  usage: Usage,
  waivedTokens: number,
): Promise<void> {
  for (let pause = RETRY_MS; ; pause = Math.min(pause * 2, RETRY_MS_MAX)) {
    try {
      return await hold.void(usage, waivedTokens);
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) {
        return releaseLater(parts, hold, { usage, waivedTokens, error });
      }
      parts.log.warn({ request: usage.request }, 'the ledger cannot be reached: hold kept for now');
      await sleep(parts.clock, pause);
    }
  }
}

function releaseLater(
  parts: SettleParts,
  hold: Hold,
  of: Readonly<{ usage: Usage; waivedTokens: number; error: unknown }>,
): void {
  const { usage, waivedTokens, error } = of;
  const fields = { request: usage.request, error: String(error) };
  parts.log.error(fields, 'a request could not be voided: tried again later');
  parts.clock.after(FAULT_RETRY_MS, () => {
    hold
      .void(usage, waivedTokens)
      .catch((again: unknown) => releaseLater(parts, hold, { ...of, error: again }));
  });
}
