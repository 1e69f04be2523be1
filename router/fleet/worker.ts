/** One engine behind one agent, as the router sees it: what it serves, how busy it is, what it was sent. */
import type { Clock } from '../../shared/clock.ts';
import type { AgentId } from '../../shared/ids.ts';
import type { RefusedReason, Region, WorkerLoad } from '../../shared/wire/messages.ts';
import type { Breaker } from './breaker.ts';
import type { Forecast } from './forecast.ts';
import { Fullness } from './fullness.ts';
import { nextPhase, type Phase } from './phases.ts';
import type { Session } from './session.ts';

export function workerId(agent: AgentId, name: string): string {
  return `${agent}/${name}`;
}

export class Worker {
  readonly id: string;
  readonly session: Session;
  readonly agent: AgentId;
  readonly region: Region;
  readonly name: string;
  /** What is expected of it. */
  readonly forecast: Forecast;
  readonly breaker: Breaker;
  #load: WorkerLoad;
  #phase: Phase = 'joining';
  #models: ReadonlySet<string>;
  /** Requests this router has under way on it. */
  inFlight = 0;
  /** Completion tokens that it has sent to this router. */
  completionTokens = 0;
  /** Its agent has just refused a request: nothing more is sent there until the next report. */
  #refused = false;
  readonly #clock: Clock;
  readonly #fullness = new Fullness();

  constructor(
    session: Session,
    parts: Readonly<{ forecast: Forecast; breaker: Breaker; clock: Clock }>,
    load: WorkerLoad,
  ) {
    this.id = workerId(session.agent, load.worker);
    this.session = session;
    this.forecast = parts.forecast;
    this.breaker = parts.breaker;
    this.#clock = parts.clock;
    this.agent = session.agent;
    this.region = session.region;
    this.name = load.worker;
    this.#load = load;
    this.#models = new Set(load.models);
    this.report(load);
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

  /** As many requests at once as it may be given: fewer than its agent takes while it comes back. */
  get slots(): number {
    return Math.ceil(this.#load.slots * this.breaker.share);
  }

  get waiting(): number {
    return this.#load.waiting;
  }

  /** Whether it takes another request, as far as this router knows. */
  get hasRoom(): boolean {
    if (this.#refused || this.session.isClogged || this.inFlight >= this.slots) return false;
    const fullness = this.#fullness;
    return !fullness.isKnown || fullness.hasRoom(this.inFlight, this.#clock.monotonic());
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
    if (load.models.join() !== this.#load.models.join()) this.#models = new Set(load.models);
    this.#load = load;
    this.#refused = false;
    this.become(load.phase);
  }

  /** Its agent did not take a request: other routers may have filled it, or it is going. */
  refused(reason: RefusedReason): void {
    this.#refused = true;
    if (reason === 'draining') this.become('draining');
  }

  /** Its engine did not take a request, which is still counted as under way: other requests fill it. */
  filled(): void {
    this.#fullness.filled(Math.max(0, this.inFlight - 1), this.#clock.monotonic());
  }

  become(phase: Phase): void {
    const before = this.#phase;
    this.#phase = nextPhase(before, phase);
    if (this.#phase === 'ready' && before !== 'ready') this.breaker.revived();
  }
}
