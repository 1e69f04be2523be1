/** Refusals for a limit that is reached, whether the ledger or the router itself found it. */
import { limitInWords } from '../../shared/limit-words.ts';
import { Refusal } from '../../shared/refusals.ts';
import type { Limits, ReserveAnswer, Standings } from '../ledger/terms.ts';

type Limited = Extract<ReserveAnswer, { limited: string }>;

const LIMITED = {
  requests: 'Too many requests a minute',
  tokens: 'Too many tokens a minute',
  concurrency: 'Too many requests at once',
  waived:
    'Too many requests were read by an engine and then abandoned, or not covered by the credit',
} as const;

const CURES = {
  requests: 'slow down, then retry.',
  tokens: 'slow down, then retry.',
  concurrency: 'wait for one to end, then retry.',
  waived: 'wait, then retry.',
} as const;

const UNKNOWN: Standings = { requests: null, tokens: null };

type Reached = Omit<Limited, 'standings'> &
  Readonly<{
    standings?: Standings;
    /** The limits of the organization and the key that may have been reached. */
    limits: Pick<Limits, 'organization' | 'key'>;
  }>;

/**
 * A refusal that names the limit, and tells what the limits of a minute have left, as far as both
 * are known.
 */
export class RateLimited extends Refusal {
  readonly retryAfterMs: number;
  readonly standings: Standings;

  constructor({ limited, retryAfterMs, standings = UNKNOWN, limits }: Reached) {
    super('rate_limited', {
      message: `${nameOf(limited, standings, limits) ?? LIMITED[limited]}: ${CURES[limited]}`,
      retryAfterS: Math.ceil(retryAfterMs / 1000),
    });
    this.retryAfterMs = Math.ceil(retryAfterMs);
    this.standings = standings;
  }
}

/** Whose limit was reached, and its value. Null when that is not known. */
function nameOf(
  limited: Limited['limited'],
  standings: Standings,
  { organization, key }: Reached['limits'],
): string | null {
  if (limited === 'waived') return null;
  if (limited === 'concurrency') {
    const [all, own] = [organization.concurrentRequests, key.concurrentRequests];
    // With two limits, nobody has told which is reached.
    if (all !== null && own !== null) return null;
    if (own !== null) return limitInWords('key', limited, own);
    return all === null ? null : limitInWords('organization', limited, all);
  }
  // The standing is that of the limit that leaves less.
  const most = standings[limited]?.limit;
  if (most === undefined) return null;
  const measure = limited === 'requests' ? 'requestsPerMinute' : 'tokensPerMinute';
  // Of two equal limits, the organization's is reached first: it counts the key's requests, too.
  const isOfAll = organization[measure] === most;
  return limitInWords(isOfAll ? 'organization' : 'key', limited, most);
}
