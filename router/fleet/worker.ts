/** One engine behind one agent, as the router sees it: models, load and requests in flight. */
import type { Clock } from '../../shared/clock.ts';
import type { AgentId } from '../../shared/ids.ts';
import type { Region } from '../../shared/region.ts';
import type { RefusedReason, WorkerLoad } from '../../shared/wire/messages.ts';
import type { Forecast } from '../routing/forecast.ts';
import type { Breaker } from './breaker.ts';
import { Fullness } from './fullness.ts';
import { nextPhase, type Phase } from './phases.ts';
import type { Session } from './session.ts';
import type { StreamOwner } from './stream.ts';

export function workerId(agent: AgentId, name: string): string {
  return `${agent}/${name}`;
}

/** When a worker was ready last, in ms of the wall clock, and what it served then. */
export type LastReady = Readonly<{ at: number; models: ReadonlySet<string> }>;

export class Worker implements StreamOwner {
  readonly id: string;
  readonly session: Session;
  readonly agent: AgentId;
  readonly region: Region;
  readonly name: string;
  /** Predicts the worker's prefill queue, speed and cache. */
  readonly forecast: Forecast;
  readonly breaker: Breaker;
  #load: WorkerLoad;
  #phase: Phase = 'joining';
  #models: ReadonlySet<string>;
  #lastReady: LastReady | null = null;
  /** Requests of this router in flight on the worker. */
  inFlight = 0;
  /** Completion tokens that the worker has sent to this router. */
  completionTokens = 0;
  /** Whether the agent has refused a request. Then the router sends none until the next report. */
  #refused = false;
  /**
   * Whether the agent has not reported yet that the worker drains. Until it does, its reports may be
   * older than the drain, so their phase is ignored.
   */
  #isDrainUnreported = false;
  readonly #clock: Clock;
  readonly #onRoom: () => void;
  readonly #fullness = new Fullness();

  constructor(
    session: Session,
    parts: Readonly<{ forecast: Forecast; breaker: Breaker; clock: Clock; onRoom: () => void }>,
    load: WorkerLoad,
  ) {
    this.id = workerId(session.agent, load.worker);
    this.session = session;
    this.forecast = parts.forecast;
    this.breaker = parts.breaker;
    this.#clock = parts.clock;
    this.#onRoom = parts.onRoom;
    this.agent = session.agent;
    this.region = session.region;
    this.name = load.worker;
    this.#load = load;
    this.#models = new Set(load.models);
    this.report(load);
  }

  /** Reserves a slot until `free` is called. */
  take(): void {
    this.inFlight += 1;
  }

  free(): void {
    this.inFlight -= 1;
    this.#onRoom();
  }

  get load(): WorkerLoad {
    return this.#load;
  }

  get phase(): Phase {
    return this.#phase;
  }

  get models(): ReadonlySet<string> {
    return this.#models;
  }

  /** Null while the worker is ready, and until it is ready for the first time. */
  get lastReady(): LastReady | null {
    return this.#lastReady;
  }

  /**
   * How many requests the worker may be given at once. Fewer than its agent accepts while its
   * breaker is not closed.
   */
  get slots(): number {
    return Math.ceil(this.#load.slots * this.breaker.share);
  }

  get waiting(): number {
    return this.#load.waiting;
  }

  /** Whether the worker takes requests: it is ready, and its breaker lets requests through. */
  get isServing(): boolean {
    return this.#phase === 'ready' && this.breaker.share > 0;
  }

  /** Whether the worker has room for another request, as far as this router knows. */
  get hasRoom(): boolean {
    if (this.#refused || this.session.isClogged || this.inFlight >= this.slots) return false;
    const fullness = this.#fullness;
    return !fullness.hasLimit || fullness.hasRoom(this.inFlight, this.#clock.monotonic());
  }

  get kvUse(): number {
    return this.#load.kvUse;
  }

  get rttSeconds(): number {
    return this.session.rttMs / 1000;
  }

  report(load: WorkerLoad): void {
    if (load.phase === 'ready') this.forecast.report(load);
    if (load.boot !== this.#load.boot) this.#fullness.clear();
    const isListChanged = load.models.join() !== this.#load.models.join();
    this.#load = load;
    this.#refused = false;
    if (load.phase === 'draining') this.#isDrainUnreported = false;
    // The phase comes first: a worker that stops being ready keeps what it served until then.
    if (!this.#isDrainUnreported) this.become(load.phase);
    if (isListChanged) this.#models = new Set(load.models);
  }

  /** Handles a refusal. Other routers may have filled the worker, or the worker is draining. */
  refused(reason: RefusedReason): void {
    this.#refused = true;
    if (reason === 'draining') this.become('draining');
  }

  /**
   * This router drains the worker, until `undrain` or until its agent ends the drain. What an agent
   * says of a drain needs no such care, because its next report is never older than that.
   */
  drain(): void {
    if (this.#phase !== 'draining') this.#isDrainUnreported = true;
    this.become('draining');
  }

  /** The worker gets requests again as soon as its agent reports that it is ready. */
  undrain(): void {
    this.#isDrainUnreported = false;
    if (this.#phase === 'draining') this.become('joining');
  }

  /**
   * Records that the engine is full. The refused request is still counted in `inFlight`, so the
   * engine takes one fewer.
   */
  filled(): void {
    this.#fullness.filled(Math.max(0, this.inFlight - 1), this.#clock.monotonic());
  }

  become(phase: Phase): void {
    const before = this.#phase;
    this.#phase = nextPhase(before, phase);
    if (this.#phase === before) return;
    if (before === 'ready') this.#lastReady = { at: this.#clock.now(), models: this.#models };
    if (this.#phase !== 'ready') return;
    this.#lastReady = null;
    this.breaker.revived();
  }
}
