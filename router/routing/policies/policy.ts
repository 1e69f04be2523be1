/**
 * Policies pick the worker for a request. Each is one pure function in one file, and all pass the
 * same property tests.
 */
import type { Random } from '../../../shared/random.ts';

/** What a policy knows of the request. */
export type RoutingQuery = Readonly<{
  promptTokens: number;
  /**
   * By how much a second of prefill delays the service, in seconds: 1 for the request itself, and
   * more the more requests of the model wait behind it.
   */
  pressure: number;
  /** Whether any worker, candidate or not, has been sent a part of the prompt. */
  matched: boolean;
  /** A number that is equal for prompts with the same beginning. */
  affinityHash: number;
  /** The number of this decision. */
  turn: number;
}>;

/** A worker, with the cost of this request on it. */
export type Candidate = Readonly<{
  id: string;
  /** Requests in flight on the worker, as far as this router knows. */
  inFlight: number;
  /** Requests queued in its engine, as last reported. */
  waiting: number;
  slots: number;
  /** Share of KV memory in use: as last reported, 0 to 1, and as expected with this request. */
  kvUse: number;
  kvAfter: number;
  /** Leading tokens of the prompt that the worker is expected to have in its cache. */
  cachedTokens: number;
  rttSeconds: number;
  /** Seconds of prefill that are queued before this request. */
  queueSeconds: number;
  /** Seconds of prefill for the uncached tokens of this request. */
  prefillSeconds: number;
  /** Seconds by which decoding on the worker slows the prefill down. */
  decodeSeconds: number;
  /** Uncached tokens of all requests that wait for their first token. */
  queuedTokens: number;
  /** Context tokens of all requests in flight. */
  contextTokens: number;
  /** Prompt chunks that the worker has stored: those it was sent and did not have. */
  stored: number;
}>;

/** Picks one of the candidates; there is always at least one. Pure apart from `random`. */
export type Policy = <C extends Candidate>(
  query: RoutingQuery,
  candidates: readonly C[],
  random: Random,
) => C;

/** The items whose cost is the least, or within `margin` of the least. */
export function least<C>(candidates: readonly C[], cost: (one: C) => number, margin = 0): C[] {
  const costs = candidates.map(cost);
  let bound = Number.POSITIVE_INFINITY;
  for (const one of costs) bound = Math.min(bound, one);
  bound += margin;
  return candidates.filter((_, at) => (costs[at] as number) <= bound);
}

/** Picks one item at random: with a fixed choice, a burst would go to a single worker. */
export function anyOf<C>(candidates: readonly C[], random: Random): C {
  return candidates[candidates.length === 1 ? 0 : random.below(candidates.length)] as C;
}
