/**
 * What a router expects of one worker: how many seconds of prefill stand before the next request, how fast it
 * is, what its cache still holds. It is told of every dispatch and of what became of it, and learns from that
 * (DESIGN §12). All times are seconds.
 *
 *   dispatched ─▶ pending ──first token──▶ decoding ──ended, lost─▶ forgotten
 *                    └───────────ended, lost────────────────────────▶┘
 */
import type { WorkerLoad } from '../../shared/wire/messages.ts';
import { CacheLessons } from './cache-lessons.ts';
import { type Flight as BaseFlight, type Dispatch, memoryOf, OUTPUT_TOKENS } from './flight.ts';
import type { ModelForecast } from './prefill.ts';
import type { PrefixIndex } from './prefix-index.ts';
import { Speed } from './speed.ts';

/** Seconds that one token of decoding context adds to a prefill beside it. */
const DECODE_SECONDS = 2e-6;
/**
 * What a head still takes of its work, at least. Forecasts are off by a seventh (one deviation), for tokens are
 * estimated: one that has had its time and is not done takes an eighth of it more in the mean, a later one a twelfth.
 */
const LATE_SHARE = 0.1;
/** A head is overdue at this much of its work, and this much later. */
const OVERDUE_SHARE = 1.5;
const OVERDUE_SECONDS = 0.1;

/** Speed is judged when a worker is done with all, or so often while it is busy, over at least so much work. */
const JUDGE_SECONDS = 10;
const JUDGE_WORK_SECONDS = 0.5;

/** What is reported of other routers is believed up to here. */
export const FOREIGN_MAX = 4_096;
const FOREIGN_SECONDS_MAX = 1_800;

export type Load = Pick<
  WorkerLoad,
  'boot' | 'kvUse' | 'kvTokens' | 'running' | 'waiting' | 'runningUsage' | 'prefixQueryTokens'
>;

export type Flight = BaseFlight<Forecast>;

export class Forecast {
  /** Its number in the index. */
  readonly slot: number;
  readonly #index: PrefixIndex;
  readonly #lessons: CacheLessons;
  readonly #flights = new Set<Flight>();
  readonly #pending: Flight[] = [];
  #work = 0;
  #headAt = 0;
  #context = 0;
  #queuedTokens = 0;
  #foreign = 0;

  readonly #speed = new Speed();
  #busyAt = 0;
  #busyWork = 0;

  #load: Load | null = null;
  /** Nothing was reported since it was last gone. */
  #isUnseen = true;
  #sinceReport = 0;
  /** What the last reports had beyond what is known here: the lesser of two, as one may be late. */
  #unknownWaiting = [0, 0];
  #unknownRunning = [0, 0];

  /** The model of its last request: what is taken for what other routers send. */
  model: ModelForecast;

  constructor(slot: number, index: PrefixIndex, model: ModelForecast) {
    this.slot = slot;
    this.#index = index;
    this.model = model;
    this.#lessons = new CacheLessons(index, slot);
  }

  /** Seconds that it takes for a second of its model's prefill. */
  get speed(): number {
    return this.#speed.value;
  }

  get pending(): number {
    return this.#pending.length;
  }

  /** Requests under way here that other routers sent. */
  get foreign(): number {
    return this.#foreign;
  }

  get inFlight(): number {
    return this.#flights.size;
  }

  has(flight: Flight): boolean {
    return this.#flights.has(flight);
  }

  get queuedTokens(): number {
    return this.#queuedTokens;
  }

  get contextTokens(): number {
    return this.#context;
  }

  /** Chunks it was sent and had not. */
  get stored(): number {
    return this.#index.clock(this.slot);
  }

  /** Seconds of prefill before one that comes now. */
  wait(now: number): number {
    const unknown = Math.min(...this.#unknownWaiting) * this.model.usualWork;
    const head = this.#pending[0];
    if (!head) return unknown;
    const elapsed = now - this.#headAt;
    let { work } = head;
    let rest = this.#work;
    if (elapsed > OVERDUE_SHARE * work + OVERDUE_SECONDS) {
      // It should have been here: it found nothing in the cache, so it takes its whole prefill.
      const whole = Math.max(work, this.speed * head.model.seconds(0, head.promptTokens));
      rest += whole - work;
      work = whole;
    }
    return Math.max(0, rest - Math.min(elapsed, (1 - LATE_SHARE) * work)) + unknown;
  }

  /** Seconds that what decodes here costs a prefill. */
  get decode(): number {
    const unknown = Math.min(...this.#unknownRunning) * this.model.usualContext;
    return DECODE_SECONDS * (this.#context + unknown);
  }

  /** Share of its KV memory in use once it has a prompt with so many uncached tokens. */
  kvAfter(uncachedTokens: number): number {
    if (!this.#load) return 0;
    const { kvUse, kvTokens } = this.#load;
    if (kvTokens === null) return kvUse;
    return kvUse + (this.#sinceReport + uncachedTokens + OUTPUT_TOKENS) / kvTokens;
  }

  /** Recorded at once, so that the next decision of a burst sees it. */
  dispatched(now: number, to: Dispatch): Flight | null {
    if (to.foreign && this.#foreign >= FOREIGN_MAX) return null;
    const { model, prompt, promptTokens, cachedTokens } = to;
    const clock = this.stored;
    const head = this.#pending[0];
    const flight: Flight = {
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
    // What is no whole chunk, and what the answer adds.
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
    // What one agent says that others sent it teaches nothing about the other agents' workers.
    if (to.foreign) this.#foreign += 1;
    else model.dispatched(flight.work, promptTokens);
    return flight;
  }

  /** `pool`: all workers of the model, who learn from it a little. */
  firstToken(now: number, flight: Flight, pool: Iterable<Forecast>): void {
    if (!this.#leavePending(now, flight)) return;
    this.#busyWork += flight.work;
    const idle = this.#pending.length === 0;
    if (flight.alone && idle && !flight.foreign) {
      flight.aloneSeconds = (now - flight.at) / this.#speed.relative;
    }
    if (this.#busyWork > JUDGE_WORK_SECONDS && (idle || now - this.#busyAt > JUDGE_SECONDS)) {
      // The others learn from what this router sent itself: echoes are one agent's word.
      const others = flight.foreign ? [] : [...pool].map((one) => one.#speed);
      this.#speed.judge((now - this.#busyAt) / this.#busyWork, others);
      this.#busyAt = now;
      this.#busyWork = 0;
    } else if (idle) {
      this.#busyWork = 0;
    }
  }

  /** The answer is whole; `cachedTokens` null: the engine did not say. */
  ended(now: number, flight: Flight, promptTokens: number, cachedTokens: number | null): void {
    if (!this.#leave(now, flight)) return;
    const { model, aloneSeconds } = flight;
    model.counted(flight.estimated, promptTokens);
    if (
      aloneSeconds !== null &&
      model.observe(flight, { promptTokens, cachedTokens }, aloneSeconds)
    ) {
      for (const one of model.workers) one.#speed.fade();
    }
    if (cachedTokens !== null && promptTokens > 0) {
      this.#lessons.learn(flight, promptTokens, cachedTokens);
    }
  }

  /** It came to nothing here: failed, refused, cancelled, or its worker is gone. */
  lost(now: number, flight: Flight): void {
    this.#leave(now, flight);
  }

  report(load: Load): void {
    this.#noteEngine(load);
    // A capacity is taken from what the engine says of itself once; then answers tell what it keeps.
    const { kvTokens } = load;
    if (kvTokens !== null && kvTokens !== this.#load?.kvTokens) this.#lessons.told(kvTokens);
    this.#load = load;
    this.#sinceReport = 0;
    const waiting = Math.max(0, load.waiting - this.#pending.length);
    const running = Math.max(0, load.running + load.waiting - this.#flights.size);
    this.#unknownWaiting = [this.#unknownWaiting[1] as number, waiting];
    this.#unknownRunning = [this.#unknownRunning[1] as number, running];
  }

  /**
   * Engines count from their start. One that has looked up nothing when it is first seen has in its cache only
   * what it is sent from here on.
   */
  #noteEngine({ boot, prefixQueryTokens, runningUsage }: Load): void {
    const last = this.#load;
    const anew = last && (boot !== last.boot || prefixQueryTokens < last.prefixQueryTokens);
    if (anew) {
      // What is under way now may have been sent to the new one.
      let clock = this.stored;
      for (const flight of this.#flights) clock = Math.min(clock, flight.clock);
      this.#index.began(this.slot, clock);
      this.#lessons.restarted();
    }
    // Without running usage it counts nothing at all.
    const isEmpty = prefixQueryTokens === 0 && runningUsage && this.#foreign === 0;
    if (isEmpty && (anew || this.#isUnseen)) this.#index.knowsAll(this.slot);
    else if (anew) this.#index.missed(this.slot);
    this.#isUnseen = false;
  }

  /** The worker is gone: nothing is under way there. What it keeps its engine's boot tells when it is back. */
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
    // Meanwhile other routers may send it what is not seen here.
    this.#index.missed(this.slot);
  }

  /** Forgets what other routers began so long ago that its end must have been lost. */
  expire(now: number): void {
    if (this.#foreign === 0) return;
    for (const flight of this.#flights) {
      if (flight.foreign && now - flight.at > FOREIGN_SECONDS_MAX) this.#leave(now, flight);
    }
  }

  #leavePending(now: number, flight: Flight): boolean {
    const at = this.#pending.indexOf(flight);
    if (at < 0) return false;
    this.#pending.splice(at, 1);
    this.#queuedTokens -= flight.promptTokens - flight.cachedTokens;
    this.#work = this.#pending.length === 0 ? 0 : this.#work - flight.work;
    if (at === 0) this.#headAt = now;
    return true;
  }

  #leave(now: number, flight: Flight): boolean {
    if (!this.#flights.delete(flight)) return false;
    this.#leavePending(now, flight);
    this.#context -= flight.promptTokens + OUTPUT_TOKENS;
    if (flight.foreign) this.#foreign -= 1;
    return true;
  }
}
