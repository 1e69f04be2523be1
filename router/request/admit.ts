/** Admission: reserves a hold on the organization's credit before anything is sent to a worker. */
import { limits as bounds } from '../../shared/limits.ts';
import { charge, picoUsd, ZERO } from '../../shared/money.ts';
import { isRefusal, Refusal } from '../../shared/refusals.ts';
import { unreachable } from '../../shared/unreachable.ts';
import { Hold } from '../ledger/hold.ts';
import { type Claim, type Ledger, type ReserveAnswer, StoreUnavailable } from '../ledger/terms.ts';
import type { ParsedRequest } from './arrive.ts';
import type { Caller } from './authenticate.ts';
import type { Call } from './call.ts';
import { CapReached } from './cap-reached.ts';
import { neverAllowed, RateLimited } from './limited.ts';
import { suspended } from './live.ts';
import type { RequestMetrics } from './metrics.ts';
import { rateHeaders } from './rate-headers.ts';
import type { RecentRefusals } from './recent-refusals.ts';
import { repeatRefusal } from './repeats/claim.ts';

export type AdmitParts = Readonly<{
  ledger: Ledger;
  recent: RecentRefusals;
  metrics: Pick<RequestMetrics, 'reserved'>;
}>;

/** Completion tokens to hold at first: all of a small request, a slice of a large one (MONEY 7). */
export function firstSlice(parsed: ParsedRequest): { tokens: number; whole: boolean } {
  const wanted = parsed.answerTokensMax;
  const whole = wanted <= bounds.wholeHoldTokensMax;
  return { tokens: whole ? wanted : bounds.sliceTokens, whole };
}

/** An admitted request: its hold, and the rate limit headers of its response. */
export type Admitted = Readonly<{ hold: Hold; headers: Readonly<Record<string, string>> }>;

/** A request that asks for admission. `claim` is null when it has no Idempotency-Key. */
export type Asking = Readonly<{ call: Call; parsed: ParsedRequest; claim: Claim | null }>;

/**
 * Applies rate limits and caps, and reserves the hold. Returns `stale` when the cached key is out
 * of date and must be looked up again.
 */
export async function admit(
  parts: AdmitParts,
  caller: Caller,
  asking: Asking,
): Promise<Admitted | Refusal | 'stale'> {
  const answer = await holdCredit(parts, caller, asking);
  if (isRefusal(answer)) parts.metrics.reserved(answer.code);
  else parts.metrics.reserved(answer === 'stale' ? 'stale' : 'held');
  return answer;
}

async function holdCredit(
  parts: AdmitParts,
  caller: Caller,
  { call, parsed, claim }: Asking,
): Promise<Admitted | Refusal | 'stale'> {
  const { organization, key, member, epoch, limits } = caller;
  const { price, amount, slice } = firstHold(caller, parsed);
  try {
    const answer = await parts.ledger.reserve({
      request: call.id,
      organization,
      key,
      member,
      epoch,
      amount,
      slice,
      price: price.id,
      limits,
      tokens: parsed.promptTokensEstimate,
      claim,
    });
    parts.recent.note(caller, answer, parsed.raw.length);
    if (typeof answer !== 'object') return refusalOf(answer);
    if ('charged' in answer) return repeatRefusal(answer, claim);
    if ('limited' in answer) {
      return neverAllowed(answer, parsed.promptTokensEstimate) ?? new RateLimited(answer);
    }
    if ('capped' in answer) return new CapReached(answer.capped);
    const { monthlyCap, dailyCap } = limits;
    const held = {
      request: call.id,
      organization,
      member,
      price,
      amount,
      monthlyCap,
      dailyCap,
      claim,
    };
    const headers = rateHeaders(answer.held, parsed.api, call.created);
    return { hold: new Hold(parts.ledger, held), headers };
  } catch (error) {
    if (error instanceof StoreUnavailable) {
      return new Refusal('store_unavailable', { retryAfterS: 1 });
    }
    throw error;
  }
}

/** The price version for this caller, and the cost of the estimated prompt and the first slice. */
function firstHold(caller: Caller, parsed: ParsedRequest) {
  const price = caller.rates.get(parsed.model.entry.id) ?? parsed.model.price;
  const { tokens, whole } = firstSlice(parsed);
  return {
    price,
    amount: charge(price.price, {
      prompt: parsed.promptTokensEstimate,
      cached: 0,
      completion: tokens,
    }),
    slice: whole ? ZERO : picoUsd(price.price.completion * BigInt(tokens)),
  };
}

function refusalOf(answer: Extract<ReserveAnswer, string>): Refusal | 'stale' {
  switch (answer) {
    case 'insufficient':
      return new Refusal('insufficient_credit');
    case 'suspended':
      return suspended();
    case 'stale':
      return answer;
    default:
      return unreachable(answer);
  }
}
