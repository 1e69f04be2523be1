/**
 * Hot path. One answer: the engine's events become records for the router, within the tokens and
 * bytes that the router has granted. An event that the grant does not cover waits, and the engine
 * is not read meanwhile.
 *
 *   flowing ──finish_reason, then usage──▶ over
 *      ├── cancel ──▶ (counting the prompt) ──▶ over
 *      └── the engine fails ──▶ (failing: liveness check) ──▶ over
 *
 * Exactly one END is written, unless the session is gone.
 */
import type { End } from '../../shared/wire/end.ts';
import type { Grant, Open } from '../../shared/wire/messages.ts';
import { ChunkReader } from './chunk-reader.ts';
import { Counts } from './counts.ts';
import { type Delivered, Delivery, type DeliveryParts } from './delivery.ts';
import type { Dialect, Fields } from './dialects/dialect.ts';
import { EventQueue } from './event-queue.ts';
import { Exchange, type ExchangeEvents } from './exchange.ts';
import type { Finish } from './finish.ts';
import { eventReason, type FailureReason, failureReason, isError } from './refusal.ts';

/** What is reported when a liveness check finds the engine dead, by the reason so far. */
const DEAD = { engine: 'engine_died', busy: 'engine' } as const;

/** How long the agent waits for an engine's response when it stops a request. */
const STOP_MS_MAX = 1_000;
/** The router waits one second in all for the last counts of a cancelled attempt. */
const LAST_COUNT_MS_MAX = 800;

/** `id` is the id of the request at the engine. */
export type StreamParts = DeliveryParts &
  Readonly<{
    /** The context of the engine, if it is shorter than the catalog's. */
    shorterContext: number | null;
    /** The header for the engine, if the request is traced. */
    traceparent: string | undefined;
    /** Called once, with the END that was written, or with null when the session is gone. */
    onOver(end: End | null, counts: Counts): void;
  }>;

type Ending = Readonly<{ cut: boolean; stopSequence: string | null }>;

type Phase = 'flowing' | 'counting' | 'failing' | 'over';

export class EngineStream implements ExchangeEvents {
  readonly #parts: StreamParts;
  readonly #counts = new Counts();
  readonly #delivery: Delivery;
  readonly #exchange = new Exchange(this);
  readonly #queue = new EventQueue();
  readonly #reader: ChunkReader;
  #phase: Phase = 'flowing';
  #accepted = false;
  /** The request body, until the engine has reported the length of the prompt. */
  #body: Fields | null = null;
  #linkFull = false;
  /** Whether the exchange has ended. The events in the queue are then the last. */
  #ended = false;
  /** The end of the answer, which waits for the deltas before it. */
  #ending: { completion: number; end: End } | null = null;

  constructor(parts: StreamParts) {
    this.#parts = parts;
    this.#delivery = new Delivery(parts, this.#counts);
    this.#reader = new ChunkReader(parts.engine.eventForms);
  }

  start(endpoint: Open['endpoint'], body: Fields): void {
    this.#body = body;
    const { engine } = this.#parts;
    const request = engine.client.completionRequest(endpoint, this.#parts, body);
    this.#exchange.start(engine.client.inference, request);
  }

  grant(grant: Grant): void {
    this.#delivery.grow(grant);
    this.#pump();
  }

  /** Pauses reading while the link's send buffer is full (`full` is true), and resumes it after. */
  hold(full: boolean): void {
    this.#linkFull = full;
    if (full) this.#exchange.pause();
    else if (this.#phase === 'flowing' && !this.#delivery.blocked) this.#exchange.resume();
  }

  /** Stops the engine, because the client has left, and ends the stream with the last counts. */
  cancel(): void {
    if (this.#phase !== 'flowing') return;
    this.#halt();
    const { countPrompt } = this.#parts.engine.profile.dialect;
    const body = this.#body;
    // Once a record was sent, the router has the prompt's count, or knows that there is none.
    if (!this.#accepted || body === null || this.#delivery.sent || countPrompt === null) {
      return this.#cancelled();
    }
    this.#phase = 'counting';
    void this.#countPrompt(countPrompt, body);
  }

  async #countPrompt(
    countPrompt: NonNullable<Dialect['countPrompt']>,
    body: Fields,
  ): Promise<void> {
    const prompt = await countPrompt(this.#parts.engine.client, body, LAST_COUNT_MS_MAX);
    if (this.#phase !== 'counting') return;
    this.#counts.prompt = prompt;
    this.#cancelled();
  }

  /** Stops the engine without writing an END, because the session is gone. */
  abort(): void {
    if (this.#phase === 'over') return;
    this.#halt();
    this.#over(null);
  }

  accepted(): void {
    this.#accepted = true;
  }

  event(data: string): void {
    if (this.#phase !== 'flowing') return;
    if (!this.#delivery.blocked) this.#step(data);
    else if (!this.#queue.add(data)) this.#fail('engine');
    if (this.#delivery.blocked) this.#exchange.pause();
  }

  ended(): void {
    if (this.#phase !== 'flowing') return;
    this.#ended = true;
    if (!this.#delivery.blocked) this.#conclude();
  }

  failed(status: number | null, text: string): void {
    if (this.#phase !== 'flowing') return;
    if (status === null) this.#parts.engine.suspect();
    this.#fail(failureReason(status, text));
  }

  /** Processes what waited, as far as the grant allows, and then reads the engine again. */
  #pump(): void {
    if (this.#phase !== 'flowing') return;
    this.#follow(this.#delivery.resume());
    if (this.#isWaiting) return;
    if (this.#ending) return this.#close(this.#ending);
    this.#queue.drain(
      () => this.#isWaiting,
      (data) => this.#step(data),
    );
    if (this.#isWaiting) return;
    if (this.#ended) this.#conclude();
    else if (!this.#linkFull) this.#exchange.resume();
  }

  /** Whether nothing can be processed now. */
  get #isWaiting(): boolean {
    return this.#phase !== 'flowing' || this.#delivery.blocked;
  }

  #step(data: string): void {
    if (data === '[DONE]') return this.#conclude();
    const chunk = this.#reader.read(data);
    if (!chunk) return this.#fail('engine');
    if (isError(chunk)) return this.#fail(this.#delivery.begun ? 'engine' : eventReason(chunk));
    const choice = chunk.choices?.[0] ?? null;
    const usage = this.#parts.engine.profile.dialect.usageOf(chunk);
    if (usage) {
      if (!this.#counts.read(usage, choice)) return this.#fail('engine');
      this.#body = null;
    }
    this.#follow(this.#delivery.deliver(choice));
  }

  /** Ends the answer if a choice could not be delivered. */
  #follow(delivered: Delivered): void {
    if (delivered === 'invalid') this.#fail('engine');
    else if (delivered === 'used up') this.#cutShort();
  }

  /** Ends the answer, because the engine has sent its last event. */
  #conclude(): void {
    const { finish, granted, stopSequence } = this.#delivery;
    if (finish === null || !this.#counts.complete) {
      this.#parts.engine.suspect();
      return this.#fail('engine');
    }
    this.#end(finish, granted, { cut: false, stopSequence });
  }

  /** Ends the answer, because the final grant is used up. The released part is the whole answer. */
  #cutShort(): void {
    this.#halt();
    this.#end('length', this.#delivery.released, { cut: true, stopSequence: null });
  }

  #end(finish: Finish, completion: number, { cut, stopSequence }: Ending): void {
    const { engine } = this.#parts;
    const { prompt, reasoning, cachedReported } = this.#counts;
    if (cachedReported) engine.learn({ reportsCached: true });
    const cached = this.#counts.cachedTokens(engine.profile.reportsCached);
    engine.load.prefixCache.answered(prompt, cached ?? 0);
    const stop = stopSequence === null ? {} : { stopSequence };
    const end: End = { outcome: 'finished', finish, cut, cached, reasoning, ...stop };
    this.#delivery.flush();
    const ending = { completion, end };
    if (this.#delivery.blocked) this.#ending = ending;
    else this.#close(ending);
  }

  #close({ completion, end }: { completion: number; end: End }): void {
    this.#exchange.release(this.#parts.clock);
    this.#write(completion, end);
  }

  /**
   * Stops the engine. Uses its abort endpoint if it has one, because the engine may miss a closed
   * connection.
   */
  #halt(): void {
    const { engine, id } = this.#parts;
    const { abortPath: path } = engine.profile.dialect;
    if (path === null || this.#exchange.over) return this.#exchange.abort();
    const query = { path, timeoutMs: STOP_MS_MAX, body: JSON.stringify({ rid: id }) };
    void engine.client.query(query).then(() => this.#exchange.abort());
  }

  #fail(reason: FailureReason): void {
    this.#halt();
    if (reason !== 'engine' && reason !== 'busy') {
      const { shorterContext } = this.#parts;
      const isShorter = reason === 'context_length' && shorterContext !== null;
      const more = isShorter ? { contextLength: shorterContext } : {};
      return this.#write(this.#delivery.released, { outcome: 'failed', reason, ...more });
    }
    this.#phase = 'failing';
    void this.#findCause(reason);
  }

  /**
   * Checks whether the engine has died, and ends the stream with the reason. A dead engine may also
   * answer 503. In that case the reason is `engine`: the engine is not full, and this request did
   * not break it.
   */
  async #findCause(reported: 'engine' | 'busy'): Promise<void> {
    const isDead = await this.#parts.engine.liveness.isDead();
    // The stream may have been aborted meanwhile.
    if (this.#phase !== 'failing') return;
    if (isDead) this.#parts.engine.suspect();
    const reason = isDead ? DEAD[reported] : reported;
    this.#write(this.#delivery.released, { outcome: 'failed', reason });
  }

  #cancelled(): void {
    this.#write(this.#delivery.granted, { outcome: 'cancelled', accepted: this.#accepted });
  }

  #write(completion: number, end: End): void {
    this.#parts.records.end(this.#parts.stream, this.#counts.prompt, completion, end);
    this.#over(end);
  }

  #over(end: End | null): void {
    this.#phase = 'over';
    this.#queue.clear();
    this.#delivery.drop();
    this.#body = null;
    this.#parts.onOver(end, this.#counts);
  }
}
