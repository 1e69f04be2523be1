/**
 * The forecasts of all workers of one router, and the data by which a policy picks. It knows
 * neither HTTP nor links:
 *
 *   const { query, candidates } = forecasts.estimate(request, workers); // the cost on each worker
 *   const { worker } = policy(query, candidates, random);
 *   const flight = forecasts.dispatched(request, worker.forecast); // at once: the next decision sees it
 *   worker.forecast.firstToken(flight);
 *   worker.forecast.ended(flight, { promptTokens, cachedTokens });   // or lost(flight)
 *
 * `worker.forecast.report(load)` records a report of the worker's agent, and
 * `worker.forecast.echo(events)` records requests of other routers.
 */
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../shared/clock.ts';
import type { Random } from '../../shared/random.ts';
import { Forecast } from './forecast.ts';
import type { InFlightRequest } from './in-flight-request.ts';
import { ModelForecast } from './model-forecast.ts';
import type { Candidate, RoutingQuery } from './policies/policy.ts';
import { PrefixIndex, WORKERS_MAX } from './prefix-index.ts';
import { type Prompt, predictedTokens, wholeChunks } from './prompt.ts';

/** The most models that are tracked: those that were requested most recently. */
const MODELS_MAX = 4_096;
/**
 * The affinity hash is the prompt's hash at this chunk, the end of its first 4,096 characters. It
 * differs between sessions, and is the same for the requests of one session.
 */
const AFFINITY_CHUNK = 4;

/** A prompt that needs a worker. */
export type PromptQuery = Readonly<{
  model: string;
  prompt: Prompt;
  /** Estimated tokens of the prompt. */
  promptTokens: number;
}>;

/** A worker that could take the request. */
export type EligibleWorker = Readonly<{
  id: string;
  forecast: Forecast;
  /** Requests of this router in flight on the worker, or about to be sent to it. */
  inFlight: number;
  waiting: number;
  slots: number;
  kvUse: number;
  /** Round trip on its link. */
  rttSeconds: number;
}>;

/** A candidate for a policy, with the worker that it stands for. */
export type WorkerCandidate<W> = Candidate & Readonly<{ worker: W }>;

export class Forecasts {
  readonly index: PrefixIndex;
  readonly #now: () => number;
  /** By worker id, oldest first. Forecasts outlive sessions: a lost link does not empty a cache. */
  readonly #workers = new Map<string, Forecast>();
  readonly #live = new Set<Forecast>();
  readonly #models = new LRUCache<string, ModelForecast>({ max: MODELS_MAX });
  #turn = 0;

  constructor(parts: Readonly<{ clock: Clock; random: Random; indexOwnersMax?: number }>) {
    this.#now = () => parts.clock.monotonic() / 1000;
    this.index = new PrefixIndex(parts.random, parts.indexOwnersMax);
  }

  /** Returns the forecast of a worker that joins. Null when `WORKERS_MAX` workers are present. */
  join(id: string): Forecast | null {
    let forecast = this.#workers.get(id);
    if (!forecast) {
      const number = this.#workers.size < WORKERS_MAX ? this.#workers.size : this.#freeNumber();
      if (number === null) return null;
      this.index.forget(number);
      forecast = new Forecast(number, this.index, this.#model(''), this.#now);
      this.#workers.set(id, forecast);
    }
    this.#live.add(forecast);
    return forecast;
  }

  /** Removes a worker and everything in flight on it. Its cache and speed are remembered. */
  leave(forecast: Forecast): void {
    forecast.gone();
    this.#live.delete(forecast);
  }

  // Hot path: called for each request.
  estimate<W extends EligibleWorker>(
    request: PromptQuery,
    workers: readonly W[],
  ): { query: RoutingQuery; candidates: WorkerCandidate<W>[] } {
    const now = this.#now();
    const model = this.#model(request.model);
    const promptTokens = model.tokens(request.promptTokens);
    const { prompt } = request;
    this.index.match(prompt);
    let busy = 0;
    let matched = false;
    const candidates = workers.map((worker): WorkerCandidate<W> => {
      const { forecast } = worker;
      const depth = this.index.depth(forecast.number);
      const cachedTokens = predictedTokens(prompt, depth, promptTokens);
      if (forecast.pending > 0) busy += 1;
      if (depth > 1) matched = true;
      return {
        worker,
        id: worker.id,
        inFlight: worker.inFlight + forecast.foreign,
        waiting: worker.waiting,
        slots: worker.slots,
        kvUse: worker.kvUse,
        cachedTokens,
        rttSeconds: worker.rttSeconds,
        queueSeconds: forecast.queueSeconds(now),
        prefillSeconds: forecast.speed * model.seconds(cachedTokens, promptTokens),
        decodeSeconds: forecast.decodeSeconds,
        kvAfter: forecast.kvAfter(promptTokens - cachedTokens),
        queuedTokens: forecast.queuedTokens,
        contextTokens: forecast.contextTokens,
        stored: forecast.stored,
      };
    });
    const pressure = model.pressure(busy / Math.max(1, workers.length), now);
    this.#turn += 1;
    const affinityHash = prompt.chunks[2 * Math.min(AFFINITY_CHUNK, wholeChunks(prompt))] as number;
    return {
      query: { promptTokens, pressure, matched, affinityHash, turn: this.#turn },
      candidates,
    };
  }

  dispatched({ model, prompt, promptTokens }: PromptQuery, forecast: Forecast): InFlightRequest {
    return forecast.dispatched(this.#model(model), prompt, promptTokens);
  }

  #model(id: string): ModelForecast {
    let model = this.#models.get(id);
    if (!model) {
      model = new ModelForecast();
      this.#models.set(id, model);
    }
    return model;
  }

  /**
   * Frees the number of the oldest worker that is gone, because agents choose the names of their
   * engines and could use up all numbers. Null when no worker is gone.
   */
  #freeNumber(): number | null {
    for (const [id, forecast] of this.#workers) {
      if (this.#live.has(forecast)) continue;
      this.#workers.delete(id);
      for (const model of this.#models.values()) forecast.leavePool(model);
      return forecast.number;
    }
    return null;
  }
}
