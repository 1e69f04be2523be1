/**
 * Hot path. Delivers the choices of one answer to the router, as far as the granted tokens cover
 * them. A choice that they do not cover is withheld until the grant grows.
 */
import type { Clock } from '../../shared/clock.ts';
import type { Grant } from '../../shared/wire/messages.ts';
import type { Records } from '../outbox.ts';
import { type EngineChoice, endsAnswer, isEmpty } from './chunk.ts';
import type { Counts } from './counts.ts';
import { type Delta, Deltas, type DeltasParts } from './deltas.ts';
import type { Engine } from './engine.ts';
import { type Finish, finishOf, stopSequenceOf } from './finish.ts';
import { DeltasWithLogprobs } from './logprobs.ts';
import { Outflow } from './outflow.ts';
import { reasoningSupportOf } from './reasoning-support.ts';

/** Receives the measurements of a running stream. */
export interface Meter {
  /** A chunk of the answer came at `now` (monotonic ms). */
  chunk(now: number): void;
}

export type DeliveryParts = DeltasParts &
  Readonly<{
    stream: number;
    grant: Grant;
    /** Whether each chunk of the engine is sent at once. */
    streamed: boolean;
    engine: Engine;
    /** Whether the model may think, so that the answer shows where its reasoning appears. */
    thinks: boolean;
    /** The client's stop sequences. */
    stops: readonly unknown[];
    /**
     * How many alternatives to each token are requested (`top_logprobs`). Null when no log
     * probabilities are requested.
     */
    topLogprobs: number | null;
    records: Records;
    clock: Clock;
    meter: Meter;
  }>;

/**
 * `delivered`: also when the choice had nothing to send. `used up`: the grant is final and does not
 * cover the choice, so the answer ends before it. `invalid`: the choice cannot be passed on.
 */
export type Delivered = 'delivered' | 'withheld' | 'used up' | 'invalid';

export class Delivery {
  readonly #parts: DeliveryParts;
  readonly #counts: Counts;
  readonly #deltas: Deltas;
  readonly #outflow: Outflow;
  #grant: Grant;
  #withheld: { choice: EngineChoice | null } | null = null;
  /**
   * How the counts of this answer come, as its first chunk shows: with each chunk, or only at the
   * end. In the latter case the grant covers the whole answer.
   */
  #usage: 'unknown' | 'running' | 'at the end' = 'unknown';
  #finish: Finish | null = null;
  #stopSequence: string | null = null;
  #released = 0;

  /** `counts` always include the usage that came with the choice or before it. */
  constructor(parts: DeliveryParts, counts: Counts) {
    this.#parts = parts;
    this.#counts = counts;
    const { topLogprobs } = parts;
    this.#deltas =
      topLogprobs === null ? new Deltas(parts) : new DeltasWithLogprobs(parts, topLogprobs);
    this.#grant = parts.grant;
    const { stream, streamed, grant } = parts;
    this.#outflow = new Outflow(parts.records, { stream, window: grant.bytes, gathers: !streamed });
  }

  /** Whether part of the answer waits for a grant. Nothing more may be passed in until then. */
  get blocked(): boolean {
    return this.#withheld !== null || this.#outflow.blocked;
  }

  /** Whether the first chunk was released. */
  get begun(): boolean {
    return this.#usage !== 'unknown';
  }

  /** Whether a record was sent. */
  get sent(): boolean {
    return this.#outflow.begun;
  }

  get finish(): Finish | null {
    return this.#finish;
  }

  /** The stop sequence that ended the answer, if the engine reported it. */
  get stopSequence(): string | null {
    return this.#stopSequence;
  }

  /** The completion count of the part of the answer that was released. */
  get released(): number {
    return this.#released;
  }

  /** The completion count of the engine, as far as it is granted. */
  get granted(): number {
    return Math.min(this.#counts.completion, this.#grant.tokens);
  }

  grow(grant: Grant): void {
    this.#grant = grant;
    this.#outflow.grow(grant.bytes);
  }

  /** Delivers a choice, or withholds it. A null choice has only counts. */
  deliver(choice: EngineChoice | null): Delivered {
    const comesLate = this.#usage === 'at the end' && endsAnswer(choice);
    if (this.#counts.completion > this.#grant.tokens && !comesLate) return this.#withhold(choice);
    if (choice === null || this.#finish !== null) return 'delivered';
    return this.#release(choice);
  }

  /** Delivers as much of what waits as the grant covers now. */
  resume(): Delivered {
    this.flush();
    const withheld = this.#withheld;
    if (withheld === null || this.#outflow.blocked) return 'delivered';
    this.#withheld = null;
    return this.deliver(withheld.choice);
  }

  /** Sends the deltas that were merged or wait, as far as the byte window allows. */
  flush(): void {
    this.#outflow.flush(this.#counts.prompt);
  }

  /** Drops a choice that waits, because the stream is over. */
  drop(): void {
    this.#withheld = null;
  }

  #withhold(choice: EngineChoice | null): Delivered {
    if (this.#grant.final) return 'used up';
    this.#withheld = { choice };
    // Notifies the router that the answer waits. One chunk may raise the count from less than half
    // of the grant, where the router does not extend it yet, to more than all of it.
    this.#outflow.wait(this.#counts.prompt, this.#released);
    return 'withheld';
  }

  #release(choice: EngineChoice): Delivered {
    const { prompt, completion, reported } = this.#counts;
    // A role alone shows neither that a token was generated nor whether counts will come.
    if (!this.begun && !reported && isEmpty(choice)) return 'delivered';
    const now = this.#parts.clock.monotonic();
    this.#observe(choice, now);
    const deltas = this.#deltas.of(choice);
    if (deltas === null) return 'invalid';
    if (typeof choice.finish_reason === 'string') {
      this.#finish = finishOf(choice.finish_reason, this.#deltas.calledTool);
      if (this.#finish === 'stop') {
        this.#stopSequence = stopSequenceOf(choice, this.#parts.stops);
      }
      return this.#releaseLast(deltas, now);
    }
    this.#released = completion;
    if (deltas.length > 0) this.#outflow.send(prompt, completion, deltas, now);
    else if (reported || !this.sent) this.#outflow.reportSometimes(prompt, completion, now);
    return 'delivered';
  }

  #releaseLast(deltas: readonly Delta[], now: number): Delivered {
    if (this.#finish === null) return 'invalid';
    if (deltas.length === 0) return 'delivered';
    this.#released = this.granted;
    this.#outflow.send(this.#counts.prompt, this.#released, deltas, now);
    return 'delivered';
  }

  /** Measures a chunk, and learns from it what the engine can do. */
  #observe(choice: EngineChoice, now: number): void {
    const { meter, engine, thinks } = this.#parts;
    meter.chunk(now);
    engine.liveness.wrote(now);
    const { reported } = this.#counts;
    if (!this.begun) {
      this.#usage = reported ? 'running' : 'at the end';
      if (reported) engine.learn({ runningUsage: true });
    } else if (!reported && engine.profile.runningUsage) engine.learn({ runningUsage: false });
    if (thinks && engine.profile.reasoning === 'unknown') {
      const reasoning = reasoningSupportOf(choice);
      if (reasoning !== 'unknown') engine.learn({ reasoning });
    }
  }
}
