/**
 * The product's routers: its own forecasts, prefix index and policies, unchanged, in virtual time.
 * This file calls them as the stages of the request path do, and passes on the echoes that agents
 * send between routers.
 */
import { type EligibleWorker, Forecasts } from '../../../../router/routing/forecasts.ts';
import type { InFlightRequest } from '../../../../router/routing/in-flight-request.ts';
import type { Policy } from '../../../../router/routing/policies/policy.ts';
import { packChunks } from '../../../../router/routing/prompt.ts';
import type { Clock } from '../../../../shared/clock.ts';
import type { Random } from '../../../../shared/random.ts';
import type { Echo } from '../../../../shared/wire/messages.ts';
import type { Job } from '../model/job.ts';
import type { Timeline } from '../model/timeline.ts';
import type { Worker } from '../model/worker.ts';
import type { Talk } from '../plan.ts';
import { BLOCK_TOKENS } from '../trace/trace.ts';
import { promptOf } from './prompt.ts';
import { LOAD_INTERVAL_S, type Router } from './router.ts';

/** The delay from one router through an agent to another router. */
export const ECHO_LAG_MS = 20;
const MODEL = 'model';
/** Unlimited, because the study is about the engine's own queue: nothing waits in the router. */
const SLOTS = 1_000_000;

type Parts = Readonly<{
  fleet: readonly Worker[];
  timeline: Timeline;
  random: Random;
  /** A clock of real time. */
  stopwatch: Pick<Clock, 'monotonic'>;
}>;
type Known = EligibleWorker & { inFlight: number; waiting: number; kvUse: number };
type Underway = Readonly<{ flight: InFlightRequest; worker: Known }>;
type Tell = (worker: number, event: Echo['events'][number]) => void;

export function productRouters(
  options: Readonly<{ policy: Policy; kvEvents: boolean; routers: number; talk: Talk }>,
  parts: Parts,
): readonly Router[] {
  const all: ProductRouter[] = [];
  for (let number = 0; number < options.routers; number++) {
    const tell: Tell = (worker, event) => {
      if (options.talk === 'silent' || options.routers === 1) return;
      parts.timeline.at(parts.timeline.nowS + ECHO_LAG_MS / 1000, () => {
        for (const router of all) if (router.number !== number) router.hear(worker, event);
      });
    };
    const { policy, kvEvents } = options;
    all.push(new ProductRouter({ ...parts, policy, kvEvents, number, tell }));
  }
  return all;
}

class ProductRouter implements Router {
  readonly number: number;
  readonly loadIntervalS = LOAD_INTERVAL_S;
  readonly #parts: Parts & Readonly<{ policy: Policy; kvEvents: boolean; tell: Tell }>;
  readonly #forecasts: Forecasts;
  readonly #workers: Known[];
  readonly #underway = new Map<Job, Underway>();
  readonly #decisionsMs: number[] = [];

  constructor(
    parts: Parts & Readonly<{ policy: Policy; kvEvents: boolean; number: number; tell: Tell }>,
  ) {
    this.number = parts.number;
    this.#parts = parts;
    this.#forecasts = new Forecasts({ clock: parts.timeline.clock(), random: parts.random });
    this.#workers = parts.fleet.map((_, at) => {
      const id = `worker-${at}`;
      const forecast = this.#forecasts.join(id);
      if (!forecast) throw new Error('more workers than a router takes');
      return { id, forecast, inFlight: 0, waiting: 0, slots: SLOTS, kvUse: 0, rttSeconds: 0 };
    });
  }

  dispatch(job: Job): number {
    const { stopwatch, policy, random, tell } = this.#parts;
    const prompt = promptOf(job.ask);
    const promptTokens = Math.max(1, Math.round(job.ask.inputTokens * job.ask.tokenError));
    const request = { model: MODEL, prompt, promptTokens };
    const began = stopwatch.monotonic();
    const { query, candidates } = this.#forecasts.estimate(request, this.#workers);
    const { worker } = policy(query, candidates, random);
    const flight = this.#forecasts.dispatched(request, worker.forecast);
    this.#decisionsMs.push(stopwatch.monotonic() - began);
    job.expectedShare = flight.cachedTokens / flight.promptTokens;
    worker.inFlight++;
    this.#underway.set(job, { flight, worker });
    const at = this.#workers.indexOf(worker);
    tell(at, {
      at: 'dispatched',
      ...this.#name(job),
      chunks: packChunks(prompt),
      promptTokens: flight.promptTokens,
      uncachedTokens: flight.promptTokens - flight.cachedTokens,
    });
    return at;
  }

  firstToken(job: Job): void {
    const { flight, worker } = this.#of(job);
    worker.forecast.firstToken(flight);
    this.#parts.tell(job.worker, { at: 'first_token', ...this.#name(job) });
  }

  ended(job: Job): void {
    const { flight, worker } = this.#of(job);
    worker.forecast.ended(flight, {
      promptTokens: job.ask.inputTokens,
      cachedTokens: job.hitBlocks * BLOCK_TOKENS,
    });
    this.#underway.delete(job);
    worker.inFlight--;
    this.#parts.tell(job.worker, { at: 'over', ...this.#name(job) });
  }

  /** Receives another router's event. */
  hear(worker: number, event: Echo['events'][number]): void {
    this.#workers[worker]?.forecast.echo([event]);
  }

  readLoads(): void {
    const { fleet, timeline, kvEvents } = this.#parts;
    for (const [at, { pool, running, waiting, evictions }] of fleet.entries()) {
      const able = this.#workers[at] as Known;
      able.waiting = waiting.length;
      able.kvUse = 1 - pool.available / pool.size;
      able.forecast.report({
        boot: 'first',
        kvUse: able.kvUse,
        kvTokens: pool.size * BLOCK_TOKENS,
        running: running.length,
        waiting: waiting.length,
        runningUsage: true,
        prefixQueryTokens: 0,
        ...(kvEvents && { kvEvents: evictions.report(1000 * timeline.nowS) }),
      });
    }
  }

  indexBytes(): number {
    return this.#forecasts.index.bytes;
  }

  decisionsMs(): readonly number[] {
    return this.#decisionsMs;
  }

  #of(job: Job): Underway {
    const underway = this.#underway.get(job);
    if (!underway) throw new Error('hears of a job that is not its own');
    return underway;
  }

  #name(job: Job): { from: string; stream: number } {
    return { from: `router-${this.number}`, stream: job.number + 1 };
  }
}
