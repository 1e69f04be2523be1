/**
 * Picks a worker that serves the model to this listener, has room, has not failed this request, and
 * has log probabilities if the request asks for them. If those that can take it have no room,
 * returns why (`NoRoom`). If no worker of the model can take it, returns a refusal.
 */
import type { Log } from '../../shared/log.ts';
import type { Random } from '../../shared/random.ts';
import { Refusal } from '../../shared/refusals.ts';
import type { WorkerLoad } from '../../shared/wire/messages.ts';
import type { Fleet } from '../fleet/fleet.ts';
import type { Worker } from '../fleet/worker.ts';
import type { Candidate, Policy } from '../routing/policies/policy.ts';
import type { ParsedRequest } from './arrive.ts';
import type { Call } from './call.ts';
import type { NoRoom } from './waiting-room.ts';

export type PickParts = Readonly<{ fleet: Fleet; policy: Policy; random: Random; log: Log }>;

/** Tokens of the prompt, and how many of them were predicted to be cached. */
export type PickedTokens = Readonly<{
  prompt: number;
  /** On the worker that was picked, and on that with the most of those that have room. */
  cached: number;
  cachedBest: number;
}>;

export type Picked = Readonly<{ worker: Worker; tokens: PickedTokens }>;

export function pick(
  { fleet, policy, random, log }: PickParts,
  call: Call,
  parsed: ParsedRequest,
  failed: ReadonlySet<string>,
): Picked | Refusal | NoRoom {
  const serving = fleet.serving(parsed.model.entry.id, call.region);
  const isAble = ({ id, load }: Worker) =>
    !failed.has(id) && (parsed.topLogprobs === null || hasLogprobs(load));
  const able = failed.size === 0 && parsed.topLogprobs === null ? serving : serving.filter(isAble);
  if (able.length === 0) return new Refusal('no_worker', { retryAfterS: 5 });
  const free = able.filter(({ hasRoom }) => hasRoom);
  if (free.length === 0) {
    return able !== serving && serving.some(({ hasRoom }) => hasRoom) ? 'full_for_it' : 'full';
  }
  const { query, candidates } = fleet.forecasts.estimate(parsed.promptQuery, free);
  const { worker, cachedTokens } = policy(query, candidates, random);
  let cachedBest = cachedTokens;
  for (const one of candidates) cachedBest = Math.max(cachedBest, one.cachedTokens);
  if (log.isLevelEnabled('debug')) {
    const { promptTokens } = query;
    log.debug(
      { request: call.id, worker: worker.id, promptTokens, candidates: candidates.map(shown) },
      'picked a worker',
    );
  }
  return { worker, tokens: { prompt: query.promptTokens, cached: cachedTokens, cachedBest } };
}

/** An engine without running usage may generate more tokens than are granted. */
function hasLogprobs({ reportsLogprobs, runningUsage }: WorkerLoad): boolean {
  return reportsLogprobs === true && runningUsage;
}

/** What a log line says of a candidate. Times are in seconds. */
function shown(candidate: Candidate) {
  const { id, inFlight, waiting, cachedTokens, queueSeconds, prefillSeconds } = candidate;
  return { id, inFlight, waiting, cachedTokens, queueSeconds, prefillSeconds };
}
