/**
 * Picks the worker with the least expected time to first token, in seconds: the round trip, the
 * worker's queue, the prefill of the uncached part of this prompt (weighted by `pressure`), what
 * decodes beside it, and the wait for KV memory.
 *
 * Among workers whose times are about equal, a prompt that no worker knows goes to the worker with
 * the fewest requests in flight. A prompt that begins like earlier prompts goes to a worker that a
 * hash of its beginning selects among them, so that the prefix is cached in one place.
 */
import { anyOf, type Candidate, least, type Policy, type RoutingQuery } from './policy.ts';
import { rendezvous } from './rendezvous.ts';

/** Times that differ by at most this much are treated as equal: forecasts are not more exact. */
const EQUAL_SECONDS = 0.02;
/** Above this share of KV memory, requests wait for memory: `KV_SECONDS` per memory of excess. */
const KV_FREE_OF_CARE = 0.9;
const KV_SECONDS = 10;

function seconds({ pressure }: RoutingQuery, worker: Candidate): number {
  return (
    worker.rttSeconds +
    worker.queueSeconds +
    pressure * worker.prefillSeconds +
    worker.decodeSeconds +
    KV_SECONDS * Math.max(0, worker.kvAfter - KV_FREE_OF_CARE)
  );
}

export const leastTtft: Policy = (query, candidates, random) => {
  const best = least(candidates, (worker) => seconds(query, worker), EQUAL_SECONDS);
  if (query.matched) return rendezvous(query.affinityHash, best);
  return anyOf(
    least(best, ({ inFlight }) => inFlight),
    random,
  );
};
