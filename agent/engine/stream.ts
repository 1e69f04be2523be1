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
import type { Clock } from '../../shared/clock.ts';
import type { End, Grant, Open } from '../../shared/wire/messages.ts';
import type { Records } from '../outbox.ts';
import { type EngineChoice, isEmpty, parseChunk } from './chunk.ts';
import { Counts } from './counts.ts';
import { type Delta, Deltas } from './deltas.ts';
import type { Dialect, Fields } from './dialects/dialect.ts';
import type { Engine } from './engine.ts';
import { EventQueue } from './event-queue.ts';
import { Exchange, type ExchangeEvents } from './exchange.ts';
import { type Finish, finishOf } from './finish.ts';
import { Outflow } from './outflow.ts';
import { reasoningSupportOf } from './reasoning-support.ts';
import { eventReason, type FailureReason, failureReason, isError } from './refusal.ts';

/** The reason to report, by the reason so far, when the engine turns out to be dead. */
const DEAD = { engine: 'engine_died', busy: 'engine' } as const;

/** How long the agent waits for an engine's response when it stops a request. */
const STOP_MS_MAX = 1_000;

/** Receives the measurements of a running stream. */
export interface Meter {
  /** A chunk of the answer came at `now` (monotonic ms). */
  chunk(now: number): void;
}

export type StreamParts = Readonly<{
  stream: number;
  grant: Grant;
  /** Whether each chunk of the engine is sent at once. */
  streamed: boolean;
  isChat: boolean;
  /** Whether reasoning text is withheld from the client. */
  strip: boolean;
  engine: Engine;
  /** The id of the request at the engine. */
  id: string;
  /** Whether the model may think, so that the answer shows where its reasoning appears. */
  thinks: boolean;
  records: Records;
  clock: Clock;
  meter: Meter;
  /** Called once, with the END that was written, or with null when the session is gone. */
  onOver(end: End | null, counts: Counts): void;
}>;

type Phase = 'flowing' | 'counting' | 'failing' | 'over';

export class EngineStream implements ExchangeEvents {
  readonly #parts: StreamParts;
  readonly #deltas: Deltas;
  readonly #outflow: Outflow;
  readonly #exchange = new Exchange(this);
  readonly #counts = new Counts();
  #phase: Phase = 'flowing';
  #grant: Grant;
  #accepted = false;
  /** Whether the first chunk was released. */
  #begun = false;
  /** Whether content came without counts. The grant then covers the whole answer. */
  #blind = false;
  readonly #queue = new EventQueue();
  /** A choice that waits because its count exceeds the grant. */
  #withheld: { choice: EngineChoice | null } | null = null;
  #finish: Finish | null = null;
  /** Whether usage came with the finish chunk or after it. Earlier counts are not complete. */
  #counted = false;
  #ending: { completion: number; end: End } | null = null;
  #ended = false;
  #linkFull = false;
  /** The completion count of the part of the answer that was released. */
  #released = 0;
  /** The request body, kept until the engine has reported the length of the prompt. */
  #body: Fields = {};

  constructor(parts: StreamParts) {
    this.#parts = parts;
    this.#deltas = new Deltas(parts);
    this.#grant = parts.grant;
    const { stream, streamed, grant } = parts;
    this.#outflow = new Outflow(parts.records, { stream, window: grant.bytes, gathers: !streamed });
  }

  start(endpoint: Open['endpoint'], body: Fields): void {
    this.#body = body;
    const { engine, id } = this.#parts;
    const request = engine.client.completionRequest(endpoint, id, body);
    this.#exchange.start(engine.client.inference, request);
  }

  grant(grant: Grant): void {
    this.#grant = grant;
    this.#outflow.grow(grant.bytes);
    this.#pump();
  }

  /** Pauses reading while the link's send buffer is full (`full` is true), and resumes it after. */
  hold(full: boolean): void {
    this.#linkFull = full;
    if (full) this.#exchange.pause();
    else if (this.#phase === 'flowing' && !this.#blocked) this.#exchange.resume();
  }

  /** Stops the engine, because the client has left, and ends the stream with the last counts. */
  cancel(): void {
    if (this.#phase !== 'flowing') return;
    this.#halt();
    const { countPrompt } = this.#parts.engine.profile.dialect;
    if (!this.#accepted || this.#counts.seen || this.#outflow.begun || countPrompt === null) {
      return this.#cancelled();
    }
    this.#phase = 'counting';
    void this.#countPrompt(countPrompt);
  }

  async #countPrompt(countPrompt: NonNullable<Dialect['countPrompt']>): Promise<void> {
    const prompt = await countPrompt(this.#parts.engine.client, this.#body);
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
    if (!this.#blocked) this.#step(data);
    else if (!this.#queue.add(data)) this.#fail('engine');
    if (this.#blocked) this.#exchange.pause();
  }

  ended(): void {
    if (this.#phase !== 'flowing') return;
    this.#ended = true;
    if (!this.#blocked) this.#conclude();
  }

  failed(status: number | null, said: string): void {
    if (this.#phase !== 'flowing') return;
    if (status === null) this.#parts.engine.suspect();
    this.#fail(failureReason(status, said));
  }

  get #blocked(): boolean {
    return this.#withheld !== null || this.#outflow.blocked || this.#ending !== null;
  }

  /** Processes what waited, as far as the grant allows, and then reads the engine again. */
  #pump(): void {
    if (this.#phase !== 'flowing') return;
    this.#outflow.flush(this.#counts.prompt);
    if (this.#outflow.blocked) return;
    if (this.#ending) return this.#close(this.#ending);
    if (this.#withheld) {
      const { choice } = this.#withheld;
      this.#withheld = null;
      this.#admit(choice);
    }
    this.#queue.drain(
      () => this.#phase !== 'flowing' || this.#blocked,
      (data) => this.#step(data),
    );
    if (this.#phase !== 'flowing' || this.#blocked) return;
    if (this.#ended) this.#conclude();
    else if (!this.#linkFull) this.#exchange.resume();
  }

  #step(data: string): void {
    if (data === '[DONE]') return this.#conclude();
    const chunk = parseChunk(data);
    if (!chunk) return this.#fail('engine');
    if (isError(chunk)) return this.#fail(this.#begun ? 'engine' : eventReason(chunk));
    const choice = chunk.choices?.[0] ?? null;
    const usage = this.#parts.engine.profile.dialect.usageOf(chunk);
    if (usage) {
      if (!this.#counts.read(usage, choice === null)) return this.#fail('engine');
      if (!choice || typeof choice.finish_reason === 'string') this.#counted = true;
    }
    this.#admit(choice);
  }

  /**
   * Delivers a choice if its tokens are granted. Otherwise the choice waits, or the answer ends
   * before it if the grant is final.
   */
  #admit(choice: EngineChoice | null): void {
    const late = this.#blind && (choice === null || typeof choice.finish_reason === 'string');
    if (this.#counts.completion <= this.#grant.tokens || late) {
      if (choice && this.#finish === null) this.#deliver(choice);
      return;
    }
    if (this.#grant.final) return this.#cutShort();
    this.#withheld = { choice };
    // Notifies the router that the answer waits. One chunk may raise the count from less than half
    // of the grant, where the router does not extend it yet, to more than all of it.
    this.#outflow.wait(this.#counts.prompt, this.#released);
  }

  #deliver(choice: EngineChoice): void {
    const { prompt, completion, seen } = this.#counts;
    // A role alone shows neither that a token was generated nor whether counts will come.
    if (!this.#begun && !seen && isEmpty(choice)) return;
    const { clock, meter, engine } = this.#parts;
    const now = clock.monotonic();
    meter.chunk(now);
    engine.liveness.wrote(now);
    if (!this.#begun) this.#begin(seen);
    else if (this.#blind && !seen) engine.learn({ runningUsage: false });
    if (this.#parts.thinks && engine.profile.reasoning === 'unknown') {
      engine.learn({ reasoning: reasoningSupportOf(choice) });
    }
    const deltas = this.#deltas.of(choice);
    if (deltas === null) return this.#fail('engine');
    if (typeof choice.finish_reason === 'string') {
      return this.#finishing(deltas, choice.finish_reason, now);
    }
    this.#released = completion;
    if (deltas.length > 0) this.#outflow.send(prompt, completion, deltas, now);
    else if (seen || !this.#outflow.begun) this.#outflow.reportSometimes(prompt, completion, now);
  }

  #begin(counted: boolean): void {
    this.#begun = true;
    this.#blind = !counted;
    if (!counted) return;
    this.#body = {};
    this.#parts.engine.learn({ runningUsage: true });
  }

  #finishing(deltas: readonly Delta[], reason: string, now: number): void {
    this.#finish = finishOf(reason, this.#deltas.calledTool);
    if (this.#finish === null) return this.#fail('engine');
    if (deltas.length === 0) return;
    const { prompt, completion } = this.#counts;
    this.#released = Math.min(completion, this.#grant.tokens);
    this.#outflow.send(prompt, this.#released, deltas, now);
  }

  /** Ends the answer, because the engine has sent its last event. */
  #conclude(): void {
    const { completion } = this.#counts;
    if (this.#finish === null || !this.#counted) {
      this.#parts.engine.suspect();
      return this.#fail('engine');
    }
    this.#end(this.#finish, Math.min(completion, this.#grant.tokens));
  }

  /** Ends the answer, because the final grant is used up. The released part is the whole answer. */
  #cutShort(): void {
    this.#halt();
    this.#end('length', this.#released, true);
  }

  #end(finish: Finish, completion: number, cut = false): void {
    const { engine } = this.#parts;
    const { prompt, reasoning, toldCached } = this.#counts;
    if (toldCached) engine.learn({ reportsCached: true });
    const cached = this.#counts.cachedTokens(engine.profile.reportsCached);
    engine.load.prefixCache.answered(prompt, cached ?? 0);
    const end: End = { outcome: 'finished', finish, cut, cached, reasoning };
    this.#outflow.flush(prompt);
    const ending = { completion, end };
    if (this.#outflow.blocked) this.#ending = ending;
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
      return this.#write(this.#released, { outcome: 'failed', reason });
    }
    this.#phase = 'failing';
    void this.#findCause(reason);
  }

  /**
   * Checks whether the engine has died, and ends the stream with the reason. A dead engine may also
   * answer 503. In that case the reason is `engine`: the engine is not full, and this request did
   * not break it.
   */
  async #findCause(said: 'engine' | 'busy'): Promise<void> {
    const isDead = await this.#parts.engine.liveness.isDead();
    // The stream may have been aborted meanwhile.
    if (this.#phase !== 'failing') return;
    if (isDead) this.#parts.engine.suspect();
    const reason = isDead ? DEAD[said] : said;
    this.#write(this.#released, { outcome: 'failed', reason });
  }

  #cancelled(): void {
    const completion = Math.min(this.#counts.completion, this.#grant.tokens);
    this.#write(completion, { outcome: 'cancelled', accepted: this.#accepted });
  }

  #write(completion: number, end: End): void {
    this.#parts.records.end(this.#parts.stream, this.#counts.prompt, completion, end);
    this.#over(end);
  }

  #over(end: End | null): void {
    this.#phase = 'over';
    this.#queue.clear();
    this.#withheld = null;
    this.#body = {};
    this.#parts.onOver(end, this.#counts);
  }
}
