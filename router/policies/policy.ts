/** Ways to pick a worker: one pure function a file, all of one shape, all under one suite of laws. */
import type { Random } from '../../shared/random.ts';

/** The request, as a policy may see it. */
export type Question = Readonly<{
  promptTokens: number;
  /** What a second of prefill costs, with all that wait behind it: 1 where nobody waits. */
  pressure: number;
  /** Whether any worker, picked from or not, has had any of the prompt. */
  matched: boolean;
  /** The same for prompts that begin alike. */
  lot: number;
  /** Decisions before this one. */
  turn: number;
}>;

/** A worker, and what it would take for this request. */
export type Candidate = Readonly<{
  id: string;
  /** Requests under way on it, as far as this router knows. */
  inFlight: number;
  /** Requests waiting in its engine, as it last reported. */
  waiting: number;
  slots: number;
  /** 0 to 1, as last reported; and with this request. */
  kvUse: number;
  kvAfter: number;
  /** Leading tokens of the prompt that it should have in its cache. */
  cachedTokens: number;
  rttSeconds: number;
  /** Prefill that stands before this request. */
  queueSeconds: number;
  /** The request's own prefill, without what is cached. */
  prefillSeconds: number;
  /** What decodes there slows a prefill down by. */
  decodeSeconds: number;
  /** Uncached tokens that wait for their prefill. */
  queuedTokens: number;
  /** Context of all that is under way. */
  contextTokens: number;
  /** Chunks it was sent and had not. */
  stored: number;
}>;

/** Picks one of the candidates, which are never empty. Pure but for `random`. */
export type Policy = <C extends Candidate>(
  question: Question,
  candidates: readonly C[],
  random: Random,
) => C;

/** Those for which `cost` is least, or within `margin` of that. */
export function least<C>(candidates: readonly C[], cost: (one: C) => number, margin = 0): C[] {
  const costs = candidates.map(cost);
  let bound = Number.POSITIVE_INFINITY;
  for (const one of costs) bound = Math.min(bound, one);
  bound += margin;
  return candidates.filter((_, at) => (costs[at] as number) <= bound);
}

/** Equal ones by lot: otherwise a burst would herd onto the first. */
export function anyOf<C>(candidates: readonly C[], random: Random): C {
  return candidates[candidates.length === 1 ? 0 : random.below(candidates.length)] as C;
}
