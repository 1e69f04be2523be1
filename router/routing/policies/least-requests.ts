/** Picks the worker with the fewest requests in flight relative to its slots. */
import { anyOf, least, type Policy } from './policy.ts';

export const leastRequests: Policy = (_query, candidates, random) =>
  anyOf(
    least(candidates, ({ inFlight, slots }) => inFlight / slots),
    random,
  );
