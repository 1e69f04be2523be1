/** May this request run? Its organization's credit is held before anything is sent to a worker. */
import { limits } from '../../shared/limits.ts';
import { charge, picoUsd, ZERO } from '../../shared/money.ts';
import { Refusal } from '../../shared/refusals.ts';
import { Hold } from '../ledger/hold.ts';
import { type Ledger, StoreUnavailable } from '../ledger/terms.ts';
import type { Ask } from './arrive.ts';
import type { Caller } from './authenticate.ts';
import type { Call } from './call.ts';
import type { WaivedWork } from './waived-work.ts';

export type AdmitParts = Readonly<{ ledger: Ledger; waived: WaivedWork }>;

/** The completion tokens that are held at first: all of a small request, a slice of a large one (MONEY 7). */
export function firstSlice(ask: Ask): { tokens: number; whole: boolean } {
  const wanted = ask.maxTokens ?? ask.model.entry.max_output_length;
  const whole = wanted <= limits.wholeHoldTokensMax;
  return { tokens: whole ? wanted : limits.sliceTokens, whole };
}

/** `stale`: what is known of the key is out of date, so it has to be looked up again. */
export async function admit(
  parts: AdmitParts,
  call: Call,
  caller: Caller,
  ask: Ask,
): Promise<Hold | Refusal | 'stale'> {
  const { organization, key, epoch } = caller;
  const retryAfterS = parts.waived.retryAfterS(organization);
  if (retryAfterS !== null) {
    return new Refusal('rate_limited', {
      retryAfterS,
      message: 'Too many requests were abandoned just before their first token.',
    });
  }
  const { price } = ask.model;
  const slice = firstSlice(ask);
  const amount = charge(price.price, {
    prompt: ask.promptTokensEstimate,
    cached: 0,
    completion: slice.tokens,
  });
  try {
    const answer = await parts.ledger.reserve({
      request: call.id,
      organization,
      key,
      epoch,
      amount,
      slice: slice.whole ? ZERO : picoUsd(price.price.completion * BigInt(slice.tokens)),
      price: price.id,
    });
    switch (answer) {
      case 'held':
        return new Hold(parts.ledger, { request: call.id, organization, price, amount });
      case 'insufficient':
        return new Refusal('insufficient_credit');
      case 'suspended':
        return new Refusal('invalid_api_key', { message: 'The organization is suspended.' });
      case 'stale':
        return 'stale';
    }
  } catch (error) {
    if (error instanceof StoreUnavailable) {
      return new Refusal('store_unavailable', { retryAfterS: 1 });
    }
    throw error;
  }
}
