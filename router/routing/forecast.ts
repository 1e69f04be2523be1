/**
 * What a router expects of one worker: the seconds of prefill queued before the next request, the
 * worker's speed, and the contents of its cache. It learns from each dispatch and its outcome. All
 * times are in seconds.
 *
 *   dispatched ─▶ pending ──first token──▶ decoding ──ended, lost─▶ forgotten
 *                    └───────────ended, lost────────────────────────▶┘
 */
import type { WorkerLoad } from '../../shared/wire/messages.ts';
import { CacheCapacityEstimator } from './cache-capacity.ts';
import {
  type InFlightRequest as BaseFlight,
  type Dispatch,
  memoryOf,
  OUTPUT_TOKENS,
} from './in-flight-request.ts';
import type { ModelForecast } from './prefill.ts';
import type { PrefixIndex } from './prefix-index.ts';
import { Speed } from './speed.ts';

/** Seconds that each token of decoding context adds to a concurrent prefill. */
const DECODE_SECONDS = 2e-6;
/**
 * The first pending request is assumed to need at least this share of its work still. Forecasts
 * have a standard deviation of a seventh, because token counts are estimated: a request that is not
 * done when its time is up takes an eighth of its work longer on average, a later one a twelfth.
 */
const LATE_SHARE = 0.1;
/** The first pending request is overdue after this multiple of its work plus these seconds. */
const OVERDUE_SHARE = 1.5;
const OVERDUE_SECONDS = 0.1;

/**
 * A worker's speed is measured when it has nothing pending, or this often while it is busy, and
 * only over at least this much work.
 */
const JUDGE_SECONDS = 10;
const JUDGE_WORK_SECONDS = 0.5;

/** The most requests of other routers that are tracked for a worker, and for how long. */
export const FOREIGN_MAX = 4_096;
const FOREIGN_SECONDS_MAX = 1_800;

export type Load = Pick<
  WorkerLoad,
  'boot' | 'kvUse' | 'kvTokens' | 'running' | 'waiting' | 'runningUsage' | 'prefixQueryTokens'
>;

export type InFlightRequest = BaseFlight<Forecast>;

export class Forecast {
  /** The worker's number in the prefix index. */
  readonly slot: number;
  readonly #index: PrefixIndex;
  readonly #cacheCapacity: CacheCapacityEstimator;
  readonly #flights = new Set<InFlightRequest>();
  readonly #pending: InFlightRequest[] = [];
  #work = 0;
  #headAt = 0;
  #context = 0;
  #queuedTokens = 0;
  #foreign = 0;

  readonly #speed = new Speed();
  #busyAt = 0;
  #busyWork = 0;

  #load: Load | null = null;
  /** Whether no report has come since the worker joined. */
  #isUnseen = true;
  #sinceReport = 0;
  /**
   * Requests in the last two reports that this router does not know. The smaller number counts,
   * because a report may be out of date.
   */
  #unknownWaiting = [0, 0];
  #unknownRunning = [0, 0];

  /** The model of the worker's last request. Requests of other routers are assumed to be for it. */
  model: ModelForecast;

  constructor(slot: number, index: PrefixIndex, model: ModelForecast) {
    this.slot = slot;
    this.#index = index;
    this.model = model;
    this.#cacheCapacity = new CacheCapacityEstimator(index, slot);
  }

  /** Seconds that the worker takes for one second of prefill of a mean worker. */
  get speed(): number {
    return this.#speed.value;
  }

  get pending(): number {
    return this.#pending.length;
  }

  /** Requests of other routers in flight on the worker. */
  get foreign(): number {
    return this.#foreign;
  }

  get inFlight(): number {
    return this.#flights.size;
  }

  has(flight: InFlightRequest): boolean {
    return this.#flights.has(flight);
  }

  get queuedTokens(): number {
    return this.#queuedTokens;
  }

  get contextTokens(): number {
    return this.#context;
  }

  /** Chunks that the worker was sent and did not have. */
  get stored(): number {
    return this.#index.clock(this.slot);
  }

  /** Seconds of prefill queued before a request that comes now. */
  wait(now: number): number {
    const unknown = Math.min(...this.#unknownWaiting) * this.model.usualWork;
    const head = this.#pending[0];
    if (!head) return unknown;
    const elapsed = now - this.#headAt;
    let { work } = head;
    let rest = this.#work;
    if (elapsed > OVERDUE_SHARE * work + OVERDUE_SECONDS) {
      // The request is overdue, so it is assumed to have missed the cache and to need its whole
      // prefill.
      const whole = Math.max(work, this.speed * head.model.seconds(0, head.promptTokens));
      rest += whole - work;
      work = whole;
    }
    return Math.max(0, rest - Math.min(elapsed, (1 - LATE_SHARE) * work)) + unknown;
  }

  /** Seconds that decoding on the worker adds to a prefill. */
  get decode(): number {
    const unknown = Math.min(...this.#unknownRunning) * this.model.usualContext;
    return DECODE_SECONDS * (this.#context + unknown);
  }

  /** Share of KV memory in use after a prompt with this many uncached tokens. 0 if not reported. */
  kvAfter(uncachedTokens: number): number {
    if (!this.#load) return 0;
    const { kvUse, kvTokens } = this.#load;
    if (kvTokens === null) return kvUse;
    return kvUse + (this.#sinceReport + uncachedTokens + OUTPUT_TOKENS) / kvTokens;
  }

  /**
   * Records a dispatch at once, so that the next decision of a burst sees it. Returns null when the
   * request is of another router and too many of those are tracked.
   */
  dispatched(now: number, to: Dispatch): InFlightRequest | null {
    if (to.foreign && this.#foreign >= FOREIGN_MAX) return null;
    const { model, prompt, promptTokens, cachedTokens } = to;
    const clock = this.stored;
    const head = this.#pending[0];
    const flight: InFlightRequest = {
      ...to,
      forecast: this,
      work: this.speed * model.seconds(cachedTokens, promptTokens),
      at: now,
      clock,
      safeAge: head ? clock - head.clock : 0,
      ages: this.#index.touch(prompt, this.slot, to.depth),
      alone: head === undefined,
      aloneSeconds: null,
    };
    // For the tail of the prompt, and for the answer.
    this.#index.advance(this.slot, 1);
    this.model = model;
    if (!head) {
      this.#headAt = now;
      this.#busyAt = now;
      this.#busyWork = 0;
    } else head.alone = false;
    this.#pending.push(flight);
    this.#flights.add(flight);
    this.#work += flight.work;
    this.#queuedTokens += promptTokens - cachedTokens;
    this.#context += promptTokens + OUTPUT_TOKENS;
    this.#sinceReport += memoryOf(flight);
    // An echo is the report of one agent, so the workers of other agents do not learn from it.
    if (to.foreign) {
      this.#foreign += 1;
    } else {
      model.speeds.add(this.#speed);
      model.dispatched(flight.work, promptTokens);
    }
    return flight;
  }

  /** Stops the other workers of a model from learning from this one. */
  leavePool(model: ModelForecast): void {
    model.speeds.delete(this.#speed);
  }

  firstToken(now: number, flight: InFlightRequest): void {
    if (!this.#leavePending(now, flight)) return;
    this.#busyWork += flight.work;
    const idle = this.#pending.length === 0;
    if (flight.alone && idle && !flight.foreign) {
      flight.aloneSeconds = (now - flight.at) / this.#speed.relative;
    }
    if (this.#busyWork > JUDGE_WORK_SECONDS && (idle || now - this.#busyAt > JUDGE_SECONDS)) {
      // Other workers learn only from this router's requests: an echo is the report of one agent.
      const others = flight.foreign ? [] : [...flight.model.speeds];
      this.#speed.update((now - this.#busyAt) / this.#busyWork, others);
      this.#busyAt = now;
      this.#busyWork = 0;
    } else if (idle) {
      this.#busyWork = 0;
    }
  }

  /** Learns from a complete answer. `cachedTokens` is null when the engine did not report it. */
  ended(
    now: number,
    flight: InFlightRequest,
    promptTokens: number,
    cachedTokens: number | null,
  ): void {
    if (!this.#leave(now, flight)) return;
    const { model, aloneSeconds } = flight;
    model.counted(flight.estimated, promptTokens);
    if (
      aloneSeconds !== null &&
      model.observe(flight, { promptTokens, cachedTokens }, aloneSeconds)
    ) {
      for (const speed of model.speeds) speed.decay();
    }
    if (cachedTokens !== null && promptTokens > 0) {
      this.#cacheCapacity.learn(flight, promptTokens, cachedTokens);
    }
  }

  /** Forgets an attempt that failed, was refused or cancelled, or whose worker is gone. */
  lost(now: number, flight: InFlightRequest): void {
    this.#leave(now, flight);
  }

  report(load: Load): void {
    this.#noteEngine(load);
    // The capacity is set when the engine's own figure changes; after that, answers adjust it.
    const { kvTokens } = load;
    if (kvTokens !== null && kvTokens !== this.#load?.kvTokens) this.#cacheCapacity.told(kvTokens);
    this.#load = load;
    this.#sinceReport = 0;
    const waiting = Math.max(0, load.waiting - this.#pending.length);
    const running = Math.max(0, load.running + load.waiting - this.#flights.size);
    this.#unknownWaiting = [this.#unknownWaiting[1] as number, waiting];
    this.#unknownRunning = [this.#unknownRunning[1] as number, running];
  }

  /**
   * Detects a restart of the engine. Engines count prefix cache queries from their start. If the
   * count is 0 when an engine is first seen, its cache will hold only what it is sent from then on.
   */
  #noteEngine({ boot, prefixQueryTokens, runningUsage }: Load): void {
    const last = this.#load;
    const anew = last && (boot !== last.boot || prefixQueryTokens < last.prefixQueryTokens);
    if (anew) {
      // Requests in flight may have been sent to the restarted engine, so they count as sent after
      // the restart.
      let clock = this.stored;
      for (const flight of this.#flights) clock = Math.min(clock, flight.clock);
      this.#index.began(this.slot, clock);
      this.#cacheCapacity.restarted();
    }
    // An engine without running usage counts nothing.
    const isEmpty = prefixQueryTokens === 0 && runningUsage && this.#foreign === 0;
    if (isEmpty && (anew || this.#isUnseen)) this.#index.knowsAll(this.slot);
    else if (anew) this.#index.missed(this.slot);
    this.#isUnseen = false;
  }

  /**
   * Forgets everything in flight, because the worker is gone. When it returns, the boot id of its
   * engine shows whether its cache is still there.
   */
  gone(): void {
    this.#flights.clear();
    this.#pending.length = 0;
    this.#work = 0;
    this.#context = 0;
    this.#queuedTokens = 0;
    this.#foreign = 0;
    this.#sinceReport = 0;
    this.#unknownWaiting = [0, 0];
    this.#unknownRunning = [0, 0];
    this.#isUnseen = true;
    // Other routers may send it prompts in the meantime.
    this.#index.missed(this.slot);
  }

  /** Forgets requests of other routers that are so old that their end is assumed to be lost. */
  expire(now: number): void {
    if (this.#foreign === 0) return;
    for (const flight of this.#flights) {
      if (flight.foreign && now - flight.at > FOREIGN_SECONDS_MAX) this.#leave(now, flight);
    }
  }

  #leavePending(now: number, flight: InFlightRequest): boolean {
    const at = this.#pending.indexOf(flight);
    if (at < 0) return false;
    this.#pending.splice(at, 1);
    this.#queuedTokens -= flight.promptTokens - flight.cachedTokens;
    this.#work = this.#pending.length === 0 ? 0 : this.#work - flight.work;
    if (at === 0) this.#headAt = now;
    return true;
  }

  #leave(now: number, flight: InFlightRequest): boolean {
    if (!this.#flights.delete(flight)) return false;
    this.#leavePending(now, flight);
    this.#context -= flight.promptTokens + OUTPUT_TOKENS;
    if (flight.foreign) this.#foreign -= 1;
    return true;
  }
}
