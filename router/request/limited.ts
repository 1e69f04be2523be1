/** Refusals for a limit that is reached, whether the ledger or the router itself found it. */
import type { Maximum } from '../../shared/bounds/budget.ts';
import { LIMITED_TO, Refusal } from '../../shared/refusals.ts';
import type { LimitedBy, Standings } from '../ledger/terms.ts';

const WAIVED =
  'Too many requests were read by an engine and then abandoned, or not covered by the credit: ' +
  'wait, then retry.';

const MEASURES = {
  requests: { one: 'request', unit: 'per minute', cure: 'slow down' },
  tokens: { one: 'token', unit: 'per minute', cure: 'slow down' },
  concurrency: { one: 'request', unit: 'at once', cure: 'wait for one to end' },
} as const;

const WHOLE = new Intl.NumberFormat('en-US');
const UNKNOWN: Standings = { requests: null, tokens: null };

/** `standings`: absent if they are not known. */
type Reached = LimitedBy & Readonly<{ retryAfterMs: number; standings?: Standings }>;

/** A refusal that names the limit, and tells what the limits of a minute have left, if known. */
export class RateLimited extends Refusal {
  readonly retryAfterMs: number;
  readonly standings: Standings;

  constructor(reached: Reached) {
    const { retryAfterMs, standings = UNKNOWN } = reached;
    const retryAfterS = Math.ceil(retryAfterMs / 1000);
    super('rate_limited', { message: messageOf(reached), retryAfterS });
    this.retryAfterMs = Math.ceil(retryAfterMs);
    this.standings = standings;
  }
}

/**
 * The refusal of a request whose estimate is above the limit of a minute, so that it would be
 * refused at any time. Null if it may pass later.
 */
export function neverAllowed(by: LimitedBy, tokens: number): Refusal | null {
  if (by.limited !== 'tokens' || tokens <= by.reached.most) return null;
  const { of, most } = by.reached;
  const limit = `${LIMITED_TO[of]} ${WHOLE.format(most)} tokens per minute`;
  const message = `${limit}, and this request alone is estimated at ${WHOLE.format(tokens)} by its size: send a shorter prompt.`;
  return new Refusal('token_limit_exceeded', { message });
}

/**
 * The refusal of a body for which there is no room. An organization that has used up its own part
 * has reached a limit, which must not count as unavailability of the service.
 */
export function bodiesFull(exceeded: Maximum | null): Refusal {
  if (exceeded !== 'peer') {
    const busy = 'The router is receiving too many requests at the moment: retry.';
    return new Refusal('overloaded', { message: busy, retryAfterS: 1 });
  }
  const message =
    'The requests of your organization that are in progress are too many or too large together: ' +
    'retry when one has ended.';
  return new Refusal('rate_limited', { message, retryAfterS: 1 });
}

/** The refusal of a request whose organization has the most in the full queue of the model. */
export function crowdsQueue(retryAfterS: number): Refusal {
  const message =
    'Too many requests of your organization wait for this model already: retry when some have ended.';
  return new Refusal('rate_limited', { message, retryAfterS });
}

/** Such as `This API key is limited to 1 request per minute: slow down, then retry.` */
function messageOf(by: LimitedBy): string {
  if (by.limited === 'waived') return WAIVED;
  const { of, most } = by.reached;
  const { one, unit, cure } = MEASURES[by.limited];
  const what = `${WHOLE.format(most)} ${one}${most === 1 ? '' : 's'} ${unit}`;
  return `${LIMITED_TO[of]} ${what}: ${cure}, then retry.`;
}
