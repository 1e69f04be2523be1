/** The fewest requests under way, as a share of what the worker takes. */
import { anyOf, least, type Policy } from './policy.ts';

export const leastRequests: Policy = (_question, candidates, random) =>
  anyOf(
    least(candidates, ({ inFlight, slots }) => inFlight / slots),
    random,
  );
