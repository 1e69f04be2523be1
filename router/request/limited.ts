/** Refusals for a limit that is reached, whether the ledger or the router itself found it. */
import { Refusal } from '../../shared/refusals.ts';
import type { ReserveAnswer, Standings } from '../ledger/terms.ts';

type Limited = Extract<ReserveAnswer, { limited: string }>;

const LIMITED = {
  requests: 'Too many requests a minute: slow down, then retry.',
  tokens: 'Too many tokens a minute: slow down, then retry.',
  concurrency: 'Too many requests at once: wait for one to end, then retry.',
  waived:
    'Too many requests were read by an engine and then abandoned, or not covered by the credit: wait, then retry.',
} as const;

const UNKNOWN: Standings = { requests: null, tokens: null };

/** A refusal that also tells what the limits of a minute have left, as far as it is known. */
export class RateLimited extends Refusal {
  readonly retryAfterMs: number;
  readonly standings: Standings;

  constructor({ limited, retryAfterMs, standings = UNKNOWN }: Reached) {
    super('rate_limited', {
      message: LIMITED[limited],
      retryAfterS: Math.ceil(retryAfterMs / 1000),
    });
    this.retryAfterMs = Math.ceil(retryAfterMs);
    this.standings = standings;
  }
}

type Reached = Omit<Limited, 'standings'> & Readonly<{ standings?: Standings }>;
