/**
 * What a router expects of one worker: its queue of prefills, its speed, its KV memory and its
 * prefix cache, each in a class of its own. This class follows the requests on the worker, and
 * tells each part what it learns from. All times are in seconds.
 *
 *   dispatched ─▶ pending ──first token──▶ decoding ──ended, lost─▶ forgotten
 *                    └───────────ended, lost────────────────────────▶┘
 */
import { InFlight } from '../../shared/in-flight.ts';
import { unreachable } from '../../shared/unreachable.ts';
import type { Echo, WorkerLoad } from '../../shared/wire/messages.ts';
import { EngineCache } from './engine-cache.ts';
import { type Dispatch, type InFlightRequest, OUTPUT_TOKENS } from './in-flight-request.ts';
import { KvMemory } from './kv-memory.ts';
import type { ModelForecast } from './model-forecast.ts';
import { PrefillQueue } from './prefill-queue.ts';
import type { PrefixIndex } from './prefix-index.ts';
import { type Prompt, predictedTokens, unpackChunks } from './prompt.ts';
import { SpeedMeter } from './speed-meter.ts';
import { UnknownRequests } from './unknown-requests.ts';

/** Seconds that each token of decoding context adds to a concurrent prefill. */
const DECODE_SECONDS = 2e-6;
/** The most requests of other routers that are tracked for a worker, and for how long. */
export const FOREIGN_MAX = 4_096;
const FOREIGN_SECONDS_MAX = 1_800;
/** More tokens than the prompt of any model can have. */
const TOKENS_MAX = 16_777_216;

/** The part of a worker's report that its forecast uses. */
export type LoadReport = Pick<
  WorkerLoad,
  | 'boot'
  | 'kvUse'
  | 'kvTokens'
  | 'running'
  | 'waiting'
  | 'runningUsage'
  | 'prefixQueryTokens'
  | 'kvEvents'
>;

type EchoedDispatch = Extract<Echo['events'][number], { at: 'dispatched' }>;

export class Forecast {
  readonly #now: () => number;
  readonly #cache: EngineCache;
  readonly #queue = new PrefillQueue();
  readonly #meter = new SpeedMeter();
  readonly #kv = new KvMemory();
  readonly #unknown = new UnknownRequests();
  readonly #inFlight = new InFlight<InFlightRequest>();
  /** Those of other routers, by router and stream. */
  readonly #foreign = new Map<string, InFlightRequest>();
  #contextTokens = 0;
  /** The model of the worker's last request. Requests of other routers are assumed to be for it. */
  #model: ModelForecast;

  /** `now` returns the time in seconds. */
  constructor(number: number, index: PrefixIndex, model: ModelForecast, now: () => number) {
    this.#now = now;
    this.#cache = new EngineCache(number, index);
    this.#model = model;
  }

  /** The worker's number in the prefix index. */
  get number(): number {
    return this.#cache.number;
  }

  /** Seconds that the worker takes for one second of prefill of a mean worker. */
  get speed(): number {
    return this.#meter.speed.value;
  }

  /** Requests in flight on the worker, those of other routers among them. */
  get inFlight(): number {
    return this.#inFlight.size;
  }

  /** Requests of other routers in flight on the worker. */
  get foreign(): number {
    return this.#foreign.size;
  }

  /** Requests that wait for their first token. */
  get pending(): number {
    return this.#queue.length;
  }

  /** Uncached tokens of the requests that wait for their first token. */
  get queuedTokens(): number {
    return this.#queue.uncachedTokens;
  }

  /** Context tokens of all requests in flight. */
  get contextTokens(): number {
    return this.#contextTokens;
  }

  /** Chunks that the worker was sent and did not have. */
  get stored(): number {
    return this.#cache.stored;
  }

  /** Seconds of prefill queued before a request that comes now. */
  queueSeconds(now: number): number {
    const unknown = this.#unknown.waiting * this.#model.usualPrefillSeconds;
    return this.#queue.seconds(now, this.speed) + unknown;
  }

  /** Seconds that decoding on the worker adds to a prefill. */
  get decodeSeconds(): number {
    const unknown = this.#unknown.running * this.#model.usualContextTokens;
    return DECODE_SECONDS * (this.#contextTokens + unknown);
  }

  /** Share of KV memory in use after a prompt with this many uncached tokens. 0 if not reported. */
  kvAfter(uncachedTokens: number): number {
    return this.#kv.useAfter(uncachedTokens);
  }

  /**
   * Records that this router sends a prompt to the worker. `estimated` is the estimate of its
   * tokens. It is recorded when the worker is picked, so that the next decision of a burst sees it.
   */
  dispatched(model: ModelForecast, prompt: Prompt, estimated: number): InFlightRequest {
    const promptTokens = model.tokens(estimated);
    // The prompt is matched again, because other prompts may have been matched since the estimate.
    const depth = this.#cache.depth(prompt);
    const cachedTokens = predictedTokens(prompt, depth, promptTokens);
    const ownDepth = this.#cache.ownDepth(prompt, depth);
    const known = { model, prompt, estimated, promptTokens, depth, cachedTokens, ownDepth };
    const request = this.#add({ ...known, foreign: false });
    model.speeds.add(this.#meter.speed);
    model.dispatched(request.prefillSeconds, promptTokens);
    return request;
  }

  firstToken(request: InFlightRequest): void {
    const now = this.#now();
    if (!this.#queue.remove(now, request)) return;
    if (request.alone && !request.foreign) {
      request.aloneSeconds = (now - request.dispatchedAt) / this.#meter.speed.relative;
    }
    this.#meter.finished(now, request, this.#queue.length === 0);
  }

  /** Learns from a complete answer. `cachedTokens` is null when the engine did not report it. */
  ended(
    request: InFlightRequest,
    counted: Readonly<{ promptTokens: number; cachedTokens: number | null }>,
  ): void {
    if (!this.#leave(request)) return;
    const { promptTokens, cachedTokens } = counted;
    const { model, aloneSeconds } = request;
    model.counted(request.estimated, promptTokens);
    if (aloneSeconds !== null && model.observe(request, counted, aloneSeconds)) {
      for (const speed of model.speeds) speed.decay();
    }
    if (cachedTokens !== null && promptTokens > 0) {
      this.#cache.answered(request, promptTokens, cachedTokens);
    }
  }

  /** Forgets an attempt that failed, was refused or cancelled, or whose worker is gone. */
  lost(request: InFlightRequest): void {
    this.#leave(request);
  }

  /** Records a report of the worker's agent. */
  report(load: LoadReport): void {
    const [now, inFlight] = [this.#now(), this.#inFlight];
    this.#cache.reported(load, { now, inFlight, isShared: this.foreign > 0 });
    this.#kv.report(load);
    this.#unknown.report(load, { pending: this.pending, inFlight: this.inFlight });
  }

  /** Records requests of other routers. Events that do not fit together are ignored. */
  echo(events: Echo['events']): void {
    this.#expireForeign();
    for (const event of events) {
      const key = `${event.from} ${event.stream}`;
      const request = this.#foreign.get(key);
      switch (event.at) {
        case 'dispatched':
          if (!request) this.#echoed(key, event);
          break;
        case 'first_token':
          if (request) this.firstToken(request);
          break;
        case 'over':
          if (request) this.lost(request);
          this.#foreign.delete(key);
          break;
        default:
          unreachable(event);
      }
    }
  }

  /** Forgets everything in flight, because the worker is gone. */
  gone(): void {
    this.#queue.clear();
    this.#kv.clearSent();
    this.#unknown.clear();
    this.#inFlight.clear();
    this.#foreign.clear();
    this.#contextTokens = 0;
    this.#cache.gone();
  }

  /** Stops the other workers of a model from learning from this one. */
  leavePool(model: ModelForecast): void {
    model.speeds.delete(this.#meter.speed);
  }

  /**
   * Records that another router sent a prompt to the worker. Workers of other agents do not learn
   * from it, because an echo is the report of one agent.
   */
  #echoed(key: string, event: EchoedDispatch): void {
    this.#cache.missed();
    if (this.#foreign.size >= FOREIGN_MAX) return;
    const prompt = unpackChunks(event.chunks);
    const depth = this.#cache.depth(prompt);
    const promptTokens = Math.min(event.promptTokens, TOKENS_MAX);
    const request = this.#add({
      model: this.#model,
      prompt,
      estimated: promptTokens,
      promptTokens,
      depth,
      ownDepth: this.#cache.ownDepth(prompt, depth),
      cachedTokens: promptTokens - Math.min(event.uncachedTokens, promptTokens),
      foreign: true,
    });
    this.#foreign.set(key, request);
  }

  /** Forgets requests of other routers that are so old that their end is assumed to be lost. */
  #expireForeign(): void {
    const now = this.#now();
    for (const [key, request] of this.#foreign) {
      if (now - request.dispatchedAt <= FOREIGN_SECONDS_MAX) continue;
      this.lost(request);
      this.#foreign.delete(key);
    }
  }

  #add(dispatch: Dispatch): InFlightRequest {
    const now = this.#now();
    const { model, promptTokens, cachedTokens } = dispatch;
    const { head } = this.#queue;
    const clock = this.#cache.stored;
    const request: InFlightRequest = {
      ...dispatch,
      prefillSeconds: this.speed * model.seconds(cachedTokens, promptTokens),
      dispatchedAt: now,
      clock,
      safeAge: head ? clock - head.clock : 0,
      ages: this.#cache.recordSent(dispatch, now),
      alone: true,
      aloneSeconds: null,
      place: -1,
    };
    if (!head) this.#meter.begin(now);
    this.#queue.add(now, request);
    this.#kv.sent(promptTokens - cachedTokens);
    request.place = this.#inFlight.add(request);
    this.#contextTokens += promptTokens + OUTPUT_TOKENS;
    this.#model = model;
    return request;
  }

  /** Returns false when the request is not in flight any more. */
  #leave(request: InFlightRequest): boolean {
    if (!this.#inFlight.delete(request.place, request)) return false;
    const now = this.#now();
    this.#queue.remove(now, request);
    this.#contextTokens -= request.promptTokens + OUTPUT_TOKENS;
    this.#cache.recordOver(request.prompt, now);
    return true;
  }
}
