/**
 * The least expected time to first token (DESIGN §12): what waits there, what this prompt needs beyond what is
 * cached, and what slows it down, all in seconds. Where that is as good as equal, a prompt that nobody knows goes
 * where the fewest are, and one that begins like others to where they go, so that their cache is in one place.
 */
import { anyOf, type Candidate, least, type Policy, type Question } from './policy.ts';
import { rendezvous } from './rendezvous.ts';

/** Within this, forecasts do not tell workers apart. */
const EQUAL_SECONDS = 0.02;
/** Above this, requests wait for memory: so many seconds for all of it. */
const KV_FREE_OF_CARE = 0.9;
const KV_SECONDS = 10;

function seconds({ pressure }: Question, worker: Candidate): number {
  return (
    worker.rttSeconds +
    worker.queueSeconds +
    pressure * worker.prefillSeconds +
    worker.decodeSeconds +
    KV_SECONDS * Math.max(0, worker.kvAfter - KV_FREE_OF_CARE)
  );
}

export const leastTtft: Policy = (question, candidates, random) => {
  const best = least(candidates, (worker) => seconds(question, worker), EQUAL_SECONDS);
  if (question.matched) return rendezvous(question.lot, best);
  return anyOf(
    least(best, ({ inFlight }) => inFlight),
    random,
  );
};
