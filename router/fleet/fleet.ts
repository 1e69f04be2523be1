/** All workers that are linked to this router, and which of them may take a request. */
import type { Clock } from '../../shared/clock.ts';
import type { AgentId } from '../../shared/ids.ts';
import type { Log } from '../../shared/log.ts';
import type { Random } from '../../shared/random.ts';
import type { Region } from '../../shared/region.ts';
import type { Echo, Load, WorkerLoad } from '../../shared/wire/messages.ts';
import { Forecasts, type PromptQuery } from '../routing/forecasts.ts';
import type { InFlightRequest } from '../routing/in-flight-request.ts';
import { type PromptHistory, RepeatedPrompts } from '../routing/repeated-prompts.ts';
import { Breaker, BREAKER_STATES, type BreakerState } from './breaker.ts';
import type { HostEvent } from './host-event.ts';
import { PHASES, type Phase } from './phases.ts';
import type { Session, SessionEvents } from './session.ts';
import { Worker, workerId } from './worker.ts';

/** A slot on a worker, reserved for a request. */
export type SlotReservation = Readonly<{
  worker: Worker;
  flight: InFlightRequest;
  /** Leading entries of the prompt that the worker was sent before, as far as is known. */
  sent: number;
  /**
   * What is known of this whole prompt on the worker. Only for engines without a salt, where it
   * decides what may be charged as cached.
   */
  history: PromptHistory | null;
}>;
/** The most workers whose breakers are kept. */
const BREAKERS_MAX = 4_096;

export class Fleet implements SessionEvents {
  #onRoom: () => void = () => {};
  #onHostEvent: (event: HostEvent) => void = () => {};
  readonly #log: Log;
  readonly #clock: Clock;
  readonly #sessions = new Map<string, Session>();
  readonly #workers = new Map<string, Worker>();
  /** The same workers by their sessions, so that a load report costs nothing for those of others. */
  readonly #workersOf = new Map<Session, Set<Worker>>();
  readonly forecasts: Forecasts;
  readonly #repeated = new RepeatedPrompts();

  /** Breakers outlive sessions: a worker that fails and reconnects is still a failing worker. */
  readonly #breakers = new Map<string, Breaker>();
  readonly #transitions = Object.fromEntries(BREAKER_STATES.map((state) => [state, 0])) as Record<
    BreakerState,
    number
  >;

  constructor(parts: Readonly<{ log: Log; clock: Clock; random: Random }>) {
    this.#log = parts.log;
    this.#clock = parts.clock;
    this.forecasts = new Forecasts(parts);
  }

  get workers(): Iterable<Worker> {
    return this.#workers.values();
  }

  /** How often breakers have changed to each state. */
  get breakerTransitions(): Readonly<Record<BreakerState, number>> {
    return this.#transitions;
  }

  get sessions(): Iterable<Session> {
    return this.#sessions.values();
  }

  sessionOf(agent: string): Session | undefined {
    return this.#sessions.get(agent);
  }

  /** Adds a session. It replaces an older session of the same agent, whose workers are removed. */
  join(session: Session): void {
    const old = this.#sessions.get(session.agent);
    if (old) this.gone(old);
    this.#sessions.set(session.agent, session);
    const { agent, region, protocol, version, boot } = session;
    this.#log.info({ agent, region, protocol }, 'agent joined');
    const event = { agent, worker: '', detail: version };
    this.#onHostEvent({ ...event, action: 'agent.started', once: [boot] });
    this.#onHostEvent({ ...event, action: 'agent.joined', once: null });
  }

  /** Sets the callback for what happens to agents and their workers. */
  onHostEvent(run: (event: HostEvent) => void): void {
    this.#onHostEvent = run;
  }

  /** Sets the callback for when a worker may have gained room, or is gone. */
  onRoom(run: () => void): void {
    this.#onRoom = run;
  }

  /** Reserves a slot and records the request in the forecast, so the next decision sees it. */
  reserve(worker: Worker, promptQuery: PromptQuery): SlotReservation {
    worker.take();
    const { prompt } = promptQuery;
    const { salted, boot } = worker.load;
    return {
      worker,
      sent: this.forecasts.index.sent(prompt, worker.forecast.number),
      history: salted ? null : this.#repeated.lookUp(`${worker.id} ${boot}`, prompt),
      flight: this.forecasts.dispatched(promptQuery, worker.forecast),
    };
  }

  /** Releases a slot reservation for which nothing was sent. */
  release({ worker, flight }: SlotReservation): void {
    worker.forecast.lost(flight);
    worker.free();
  }

  /**
   * The ready workers that serve a model to a listener of this region (docs/regions.md), and whose
   * breaker lets requests through.
   */
  serving(model: string, region: Region): Worker[] {
    const found: Worker[] = [];
    for (const worker of this.#workers.values()) {
      if (
        worker.isServing &&
        (region === 'global' || worker.region === region) &&
        worker.models.has(model)
      ) {
        found.push(worker);
      }
    }
    return found;
  }

  /** An agent drains one of its workers, or all of them when `name` is null. */
  drain(session: Session, name: string | null): void {
    for (const worker of this.#workersOf.get(session) ?? []) {
      if (name === null || worker.name === name) worker.become('draining');
    }
    if (name !== null) return;
    const { agent, boot } = session;
    const once = [boot, 'stopping'] as const;
    this.#onHostEvent({ agent, worker: '', action: 'agent.stopping', detail: '', once });
  }

  /**
   * An operator drains a worker: this router sends it no new requests, and notifies its agent.
   * Returns false when there is no such worker.
   */
  drainWorker(id: string): boolean {
    const worker = this.#workers.get(id);
    if (!worker) return false;
    worker.drain();
    worker.session.send({ type: 'drain', worker: worker.name });
    return true;
  }

  /**
   * An operator ends the drain of a worker, whichever router it was drained at. The agent of a worker
   * that does not drain is sent nothing: an agent that is older than `undo` would drain it.
   */
  undrainWorker(id: string): void {
    const worker = this.#workers.get(id);
    if (worker?.phase !== 'draining') return;
    worker.undrain();
    worker.session.send({ type: 'drain', worker: worker.name, undo: true });
  }

  load(session: Session, load: Load): void {
    if (this.#sessions.get(session.agent) !== session) return;
    const named = new Set<string>();
    for (const report of load.workers) {
      const id = workerId(session.agent, report.worker);
      named.add(id);
      const worker = this.#workers.get(id);
      if (worker?.session === session) {
        if (report.boot !== worker.load.boot) this.#engineStarted(session, report);
        worker.report(report);
      } else {
        this.#add(session, id, report);
      }
    }
    for (const worker of this.#workersOf.get(session) ?? []) {
      if (!named.has(worker.id)) this.#remove(worker);
    }
    this.#onRoom();
  }

  /** Records requests that other routers have in flight on a worker of this agent. */
  echo(session: Session, { worker: name, events }: Echo): void {
    const worker = this.#workers.get(workerId(session.agent, name));
    if (worker?.session !== session) return;
    worker.forecast.echo(session.echoLimiter.within(events));
  }

  gone(session: Session): void {
    if (this.#sessions.get(session.agent) === session) {
      this.#sessions.delete(session.agent);
      this.#log.info({ agent: session.agent }, 'agent left');
      const { agent, ending } = session;
      this.#onHostEvent({ agent, worker: '', action: 'agent.left', detail: ending, once: null });
    }
    for (const worker of this.#workersOf.get(session) ?? []) this.#remove(worker);
    this.#workersOf.delete(session);
    this.#onRoom();
  }

  countByPhase(): Record<Phase, number> {
    const counts = Object.fromEntries(PHASES.map((phase) => [phase, 0])) as Record<Phase, number>;
    for (const worker of this.#workers.values()) counts[worker.phase] += 1;
    return counts;
  }

  #add(session: Session, id: string, load: WorkerLoad): void {
    const forecast = this.forecasts.join(id);
    // There are more workers than one router can track.
    if (!forecast)
      return this.#log.warn(
        { agent: session.agent, worker: id },
        'worker was ignored: this router already tracks the maximum number of workers',
      );
    this.#engineStarted(session, load);
    const breaker = this.#breakerOf(id, session.agent, load.worker);
    const parts = { forecast, breaker, clock: this.#clock, onRoom: () => this.#onRoom() };
    const worker = new Worker(session, parts, load);
    this.#workers.set(id, worker);
    const own = this.#workersOf.get(session) ?? new Set();
    this.#workersOf.set(session, own.add(worker));
  }

  #remove(worker: Worker): void {
    worker.become('gone');
    this.forecasts.leave(worker.forecast);
    this.#workers.delete(worker.id);
    this.#workersOf.get(worker.session)?.delete(worker);
  }

  /** An engine that was not found yet has no boot id. */
  #engineStarted({ agent, boot }: Session, { worker, engine, boot: start }: WorkerLoad): void {
    if (start === '') return;
    const once = [boot, worker, start] as const;
    this.#onHostEvent({ agent, worker, action: 'worker.found', detail: engine, once });
  }

  #breakerOf(id: string, agent: AgentId, name: string): Breaker {
    const known = this.#breakers.get(id);
    if (known) return known;
    let isOpen = false;
    const breaker = new Breaker((state) => {
      this.#transitions[state] += 1;
      // Probes that fail meanwhile, and failures before it has closed, are the same opening.
      if (state === 'closed' || (state === 'open' && !isOpen)) {
        isOpen = state === 'open';
        const action = isOpen ? 'worker.breaker-opened' : 'worker.breaker-closed';
        this.#onHostEvent({ agent, worker: name, action, detail: '', once: null });
      }
      const level = state === 'open' ? 'warn' : 'info';
      this.#log[level]({ worker: id, state }, 'breaker changed state');
      this.#onRoom();
    });
    this.#breakers.set(id, breaker);
    forgetOldest(this.#breakers);
    return breaker;
  }
}

/** Agents choose the names of their engines, so the number kept is bounded. The oldest go first. */
function forgetOldest(known: Map<string, unknown>): void {
  for (const oldest of known.keys()) {
    if (known.size <= BREAKERS_MAX) break;
    known.delete(oldest);
  }
}
