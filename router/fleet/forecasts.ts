/**
 * The forecasts of all workers of one router, and what a policy picks by. It knows neither HTTP nor links:
 *
 *   const outlook = forecasts.outlook(ask, workers);          // what each would take for this prompt
 *   const { worker } = policy(outlook.question, outlook.prospects, random);
 *   const flight = forecasts.dispatched(ask, worker.forecast); // at once: the next decision sees it
 *   forecasts.firstToken(flight);
 *   forecasts.ended(flight, { promptTokens, cachedTokens });   // or lost(flight)
 *
 * and `worker.forecast.report(load)` for what its agent says, `echo` for what other routers do there.
 */
import type { Clock } from '../../shared/clock.ts';
import type { Random } from '../../shared/random.ts';
import { unreachable } from '../../shared/unreachable.ts';
import type { Echo } from '../../shared/wire/messages.ts';
import { type Flight, Forecast } from './forecast.ts';
import { PrefixIndex, WORKERS_MAX } from './prefix-index.ts';
import { ModelForecast } from './prefill.ts';
import { type Prompt, predictedTokens, unpackChunks, wholeChunks } from './prompt.ts';

/** Beyond these, a model that is not in the catalog any more makes place. */
const MODELS_MAX = 4_096;
/** More prompt tokens than any model takes. */
const TOKENS_MAX = 16_777_216;
/** The chunk that tells sessions apart, and not their siblings: the end of the first 4,096 characters. */
const LOT_CHUNK = 4;

/** A prompt that asks for a worker. */
export type PromptAsk = Readonly<{
  model: string;
  prompt: Prompt;
  /** Tokens of the prompt, estimated. */
  promptTokens: number;
}>;

/** A worker that could be asked. */
export type Able = Readonly<{
  id: string;
  forecast: Forecast;
  /** Requests of this router that it has, or is about to be sent. */
  inFlight: number;
  waiting: number;
  slots: number;
  kvUse: number;
  /** There and back, on its link. */
  rttSeconds: number;
}>;

/** What a worker would take for one prompt: a policy's candidate. */
export type Prospect<W> = Readonly<{
  worker: W;
  id: string;
  inFlight: number;
  waiting: number;
  slots: number;
  kvUse: number;
  cachedTokens: number;
  rttSeconds: number;
  queueSeconds: number;
  prefillSeconds: number;
  decodeSeconds: number;
  kvAfter: number;
  queuedTokens: number;
  contextTokens: number;
  stored: number;
}>;

export type Question = Readonly<{
  promptTokens: number;
  /** What a second of prefill costs, with all that wait behind it. */
  pressure: number;
  /** Whether any worker has had any of the prompt. */
  matched: boolean;
  /** The same for prompts that begin alike. */
  lot: number;
  /** Decisions before this one. */
  turn: number;
}>;

export class Forecasts {
  readonly index: PrefixIndex;
  readonly #clock: Clock;
  /** By worker, oldest first; kept beyond its session, as a link that breaks does not empty a cache. */
  readonly #workers = new Map<string, Forecast>();
  readonly #live = new Set<Forecast>();
  readonly #models = new Map<string, ModelForecast>();
  /** What other routers have under way, by worker, router and stream. */
  readonly #foreign = new Map<Forecast, Map<string, Flight>>();
  #turn = 0;

  constructor(parts: Readonly<{ clock: Clock; random: Random; indexOwnersMax?: number }>) {
    this.#clock = parts.clock;
    this.index = new PrefixIndex(parts.random, parts.indexOwnersMax);
  }

  /** The forecast of a worker that is there. Null: there are too many. */
  join(id: string): Forecast | null {
    let forecast = this.#workers.get(id);
    if (!forecast) {
      const slot = this.#workers.size < WORKERS_MAX ? this.#workers.size : this.#makePlace();
      if (slot === null) return null;
      this.index.forget(slot);
      forecast = new Forecast(slot, this.index, this.#model(''));
      this.#workers.set(id, forecast);
    }
    this.#live.add(forecast);
    return forecast;
  }

  /** The worker is gone, and all it had under way. */
  leave(forecast: Forecast): void {
    forecast.gone();
    this.#foreign.delete(forecast);
    this.#live.delete(forecast);
  }

  // Hot path: once for each request.
  outlook<W extends Able>(
    ask: PromptAsk,
    workers: readonly W[],
  ): { question: Question; prospects: Prospect<W>[] } {
    const now = this.#now();
    const model = this.#model(ask.model);
    const promptTokens = model.tokens(ask.promptTokens);
    const { prompt } = ask;
    this.index.match(prompt);
    let busy = 0;
    let matched = false;
    const prospects = workers.map((worker): Prospect<W> => {
      const { forecast } = worker;
      const depth = this.index.depth(forecast.slot);
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
        queueSeconds: forecast.wait(now),
        prefillSeconds: forecast.speed * model.seconds(cachedTokens, promptTokens),
        decodeSeconds: forecast.decode,
        kvAfter: forecast.kvAfter(promptTokens - cachedTokens),
        queuedTokens: forecast.queuedTokens,
        contextTokens: forecast.contextTokens,
        stored: forecast.stored,
      };
    });
    const pressure = model.pressure(busy / Math.max(1, workers.length), now);
    this.#turn += 1;
    const lot = prompt.chunks[2 * Math.min(LOT_CHUNK, wholeChunks(prompt))] as number;
    return { question: { promptTokens, pressure, matched, lot, turn: this.#turn }, prospects };
  }

  dispatched(ask: PromptAsk, forecast: Forecast): Flight {
    const model = this.#model(ask.model);
    const promptTokens = model.tokens(ask.promptTokens);
    // Again, as others may have been asked in between.
    this.index.match(ask.prompt);
    const depth = this.index.depth(forecast.slot);
    model.workers.add(forecast);
    return forecast.dispatched(this.#now(), {
      model,
      prompt: ask.prompt,
      estimated: ask.promptTokens,
      promptTokens,
      depth,
      cachedTokens: predictedTokens(ask.prompt, depth, promptTokens),
      foreign: false,
    }) as Flight;
  }

  firstToken(flight: Flight): void {
    flight.forecast.firstToken(this.#now(), flight, flight.model.workers);
  }

  ended(
    flight: Flight,
    counted: Readonly<{ promptTokens: number; cachedTokens: number | null }>,
  ): void {
    flight.forecast.ended(this.#now(), flight, counted.promptTokens, counted.cachedTokens);
  }

  lost(flight: Flight): void {
    flight.forecast.lost(this.#now(), flight);
  }

  /** What another router has under way on a worker. What does not fit together is passed over. */
  echo(forecast: Forecast, events: Echo['events']): void {
    let known = this.#foreign.get(forecast);
    if (!known) {
      known = new Map();
      this.#foreign.set(forecast, known);
    }
    const now = this.#now();
    forecast.expire(now);
    for (const event of events) {
      const key = `${event.from} ${event.stream}`;
      const flight = known.get(key);
      switch (event.at) {
        case 'dispatched': {
          if (flight) break;
          const begun = this.#echoed(forecast, event);
          if (begun) known.set(key, begun);
          break;
        }
        case 'first_token':
          if (flight) this.firstToken(flight);
          break;
        case 'over':
          if (flight) this.lost(flight);
          known.delete(key);
          break;
        default:
          unreachable(event);
      }
    }
    // What was forgotten as too old is not kept by its name.
    if (known.size > forecast.foreign) {
      for (const [key, flight] of known) if (!forecast.has(flight)) known.delete(key);
    }
  }

  #echoed(
    forecast: Forecast,
    event: Extract<Echo['events'][number], { at: 'dispatched' }>,
  ): Flight | null {
    const prompt = unpackChunks(event.chunks);
    const promptTokens = Math.min(event.promptTokens, TOKENS_MAX);
    this.index.missed(forecast.slot);
    this.index.match(prompt);
    return forecast.dispatched(this.#now(), {
      model: forecast.model,
      prompt,
      estimated: promptTokens,
      promptTokens,
      depth: this.index.depth(forecast.slot),
      cachedTokens: promptTokens - Math.min(event.uncachedTokens, promptTokens),
      foreign: true,
    });
  }

  #now(): number {
    return this.#clock.monotonic() / 1000;
  }

  #model(id: string): ModelForecast {
    let model = this.#models.get(id);
    if (!model) {
      if (this.#models.size >= MODELS_MAX) this.#models.clear();
      model = new ModelForecast();
      this.#models.set(id, model);
    }
    return model;
  }

  /** An agent names its engines itself: what it names is bounded, and what has gone first is forgotten. */
  #makePlace(): number | null {
    for (const [id, forecast] of this.#workers) {
      if (this.#live.has(forecast)) continue;
      this.#workers.delete(id);
      for (const model of this.#models.values()) model.workers.delete(forecast);
      return forecast.slot;
    }
    return null;
  }
}
