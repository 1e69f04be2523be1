/**
 * One session with one router, on one WebSocket: the handshake, and then the router's requests.
 *
 *   greeting ──challenge──▶ proving ──welcome──▶ joined ──▶ over
 *
 * A message that does not parse, or that is not allowed in the current phase, ends the session and
 * all its streams.
 */
import type { WebSocket } from 'ws';
import type { z } from 'zod';
import type { Clock } from '../shared/clock.ts';
import { InFlightByNumber } from '../shared/in-flight.ts';
import { fromRouterBounds, limits } from '../shared/limits.ts';
import type { Log } from '../shared/log.ts';
import { unreachable } from '../shared/unreachable.ts';
import { KIND, type Kind, readRecords } from '../shared/wire/frames.ts';
import { MessageBudget, typeOf } from '../shared/wire/message-budget.ts';
import {
  type Challenge,
  CLOSE,
  type Drain,
  type FromAgent,
  FromRouter,
  type GrantMessage,
  type Open,
  proofText,
  type Welcome,
} from '../shared/wire/messages.ts';
import { type ProtocolVersion, versionOf } from '../shared/wire/protocol.ts';
import { Attempt } from './attempt.ts';
import { Counting } from './counting.ts';
import type { Drains } from './drains.ts';
import type { Echoes } from './echoes.ts';
import type { Engine } from './engine/engine.ts';
import type { Identity } from './identity.ts';
import { Heartbeat } from './heartbeat.ts';
import { LoadReporter } from './load.ts';
import type { Metrics } from './metrics.ts';
import { Outbox } from './outbox.ts';
import type { RequestLog } from './request-log.ts';
import type { AttemptTraces } from './traces.ts';
import { Workers } from './workers.ts';

const NEXT = {
  greeting: ['proving', 'over'],
  proving: ['joined', 'over'],
  joined: ['over'],
  over: [],
} as const;
type Phase = keyof typeof NEXT;

/** An acknowledgement is sent when this many body bytes are unacknowledged. */
const ACK_BYTES = 64 * 1024;

export type SessionParts = Readonly<{
  identity: Identity;
  /** A random id of this start of the agent. */
  boot: string;
  version: string;
  join: string | null;
  engines: readonly Engine[];
  clock: Clock;
  /** The shortest time between two messages with records, as exactly as timers are. */
  lingerMs: number;
  log: Log;
  metrics: Metrics;
  requestLog: RequestLog;
  /** Null when tracing is off. */
  traces: AttemptTraces | null;
  echoes: Echoes;
  drains: Drains;
  /** Claims the router for this link. Returns false when another link already serves it. */
  claims(router: string): boolean;
  onJoined(): void;
  onPeers(routers: readonly string[]): void;
  /** Called when the last stream has ended. */
  onIdle(): void;
  /** Called once, when the session is over. */
  onOver(): void;
}>;

export class Session {
  /** What is sent and understood depends on it, and on nothing else of the router's release. */
  readonly protocol: ProtocolVersion;
  readonly #socket: WebSocket;
  readonly #parts: SessionParts;
  readonly #outbox: Outbox;
  readonly #workers: Workers;
  readonly #counting: Counting;
  readonly #budget: MessageBudget;
  readonly #attempts = new InFlightByNumber<Attempt>();
  readonly #undo = new DisposableStack();
  readonly #heartbeat: Heartbeat;
  #reporter: LoadReporter | null = null;
  #phase: Phase = 'greeting';
  /** The router's id, from its `welcome`. */
  #router = '';
  #bodyBytes = 0;
  #acknowledged = 0;

  /** `socket` has just opened. */
  constructor(socket: WebSocket, parts: SessionParts, draining: boolean) {
    // The handshake fails if the router chooses a version that was not offered.
    this.protocol = versionOf(socket.protocol);
    this.#socket = socket;
    this.#parts = parts;
    const { clock, lingerMs } = parts;
    this.#outbox = new Outbox(socket, { clock, lingerMs, onPressure: (full) => this.#hold(full) });
    this.#workers = new Workers(parts.engines, parts.drains, parts.log, draining);
    this.#counting = new Counting(this.#workers, (counted) => this.#send(counted));
    this.#budget = new MessageBudget(clock, fromRouterBounds);
    this.#heartbeat = this.#undo.use(new Heartbeat(socket, clock, () => this.#silent()));
    const late = clock.after(limits.linkHandshakeMsMax, () => {
      if (this.#phase !== 'joined') this.#violation('the handshake took too long');
    });
    this.#undo.defer(() => late.cancel());
    socket.on('message', (data, binary) => {
      // Always true: by default ws delivers each message as one Buffer.
      if (Buffer.isBuffer(data)) this.#receive(data, binary);
    });
    socket.on('close', () => this.#end());
    const { identity, boot, version, join } = parts;
    this.#send({ type: 'hello', version, publicKey: identity.publicKey, boot, join });
  }

  get joined(): boolean {
    return this.#phase === 'joined';
  }

  /** The round trip of the last ping that was answered; null before. */
  get rttMs(): number | null {
    return this.#heartbeat.rttMs;
  }

  /** The number of requests in flight. */
  get running(): number {
    return this.#attempts.size;
  }

  /** Accepts no new requests. Running requests continue. */
  drain(): void {
    this.#workers.leave();
    if (!this.joined) return;
    this.#send({ type: 'drain', worker: null });
    this.#reporter?.changed();
  }

  close(code: number, reason: string): void {
    this.#outbox.flush();
    this.#socket.close(code, reason);
    this.#end();
  }

  #send(message: FromAgent): void {
    this.#socket.send(JSON.stringify(message));
  }

  #become(phase: Phase): void {
    const allowed: readonly Phase[] = NEXT[this.#phase];
    if (!allowed.includes(phase)) throw new Error(`a session went from ${this.#phase} to ${phase}`);
    this.#phase = phase;
  }

  #receive(data: Buffer, binary: boolean): void {
    if (this.#phase === 'over') return;
    try {
      if (!binary) return this.#receiveControl(data);
      if (!this.joined) return this.#violation('a record before the welcome');
      readRecords(data, this.#record);
      this.#acknowledge();
    } catch (error) {
      // Only the error's name is logged, because its message could quote a prompt.
      const fault = error instanceof Error ? error.name : 'unknown';
      this.#violation('a message does not parse', fault);
    }
  }

  #receiveControl(message: Buffer): void {
    const fault = this.#budget.fault(typeOf(message), message);
    if (fault !== null) return this.#violation(fault);
    this.#control(FromRouter.parse(JSON.parse(message.toString('utf8'))));
  }

  #control(message: z.infer<typeof FromRouter>): void {
    if (message.type === 'challenge') return this.#prove(message);
    if (message.type === 'welcome') return this.#welcome(message);
    if (!this.joined) return this.#violation(`${message.type} before the welcome`);
    switch (message.type) {
      case 'peers':
        return this.#parts.onPeers(message.routers);
      case 'open':
        return this.#open(message);
      case 'grant':
        return this.#grant(message);
      case 'cancel':
        return this.#attempts.get(message.stream)?.cancel();
      case 'count':
        return void this.#counting.count(message);
      case 'drain':
        return this.#drained(message);
      default:
        unreachable(message);
    }
  }

  #prove(challenge: z.infer<typeof Challenge>): void {
    if (this.#phase !== 'greeting') return this.#violation('a second challenge');
    const { claims, identity, boot } = this.#parts;
    if (!claims(challenge.router)) {
      return this.close(CLOSE.refused, 'this router is already served by another link');
    }
    this.#become('proving');
    const signature = identity.sign(proofText(challenge, boot, this.protocol));
    this.#send({ type: 'proof', signature });
  }

  #welcome({ models, agent, router }: z.infer<typeof Welcome>): void {
    if (this.#phase === 'greeting') return this.#violation('a welcome before the challenge');
    this.#workers.resolve(models);
    if (this.joined) return this.#reporter?.changed();
    this.#become('joined');
    const { protocol } = this;
    this.#parts.log.info({ agent, router, protocol }, 'agent joined a router');
    this.#parts.onJoined();
    const { clock, engines, echoes, drains } = this.#parts;
    this.#router = router;
    this.#undo.use(
      echoes.join({
        router,
        send: (echo) => this.#send(echo),
        isFull: () => this.#outbox.crowded,
      }),
    );
    const reporter = new LoadReporter(
      clock,
      () => this.#workers.loads(),
      (load) => this.#send(load),
    );
    this.#reporter = this.#undo.use(reporter);
    this.#undo.use(drains.onChange(() => reporter.changed()));
    for (const engine of engines) {
      this.#undo.use(
        engine.onChange(() => {
          this.#workers.resolve(null);
          reporter.changed();
        }),
      );
    }
    reporter.changed();
  }

  #open(open: Open): void {
    if (this.#attempts.get(open.stream) !== null)
      return this.#violation('a stream is opened twice');
    if (open.bodyBytes > limits.bodyBytesMax) return this.#violation('a body is too large');
    const taken = this.#workers.take(open);
    const { clock, metrics, requestLog, traces, echoes } = this.#parts;
    if (typeof taken === 'string') {
      // A router could name any number of models. Only those that are served get a series.
      if (this.#workers.serving(open.worker, open.model)) {
        metrics.requests.refused({ engine: open.worker, model: open.model });
      }
      return this.#send({ type: 'refused', stream: open.stream, reason: taken });
    }
    const { engine, model } = taken;
    const echoed = echoes.dispatched(this.#router, open);
    const labels = { engine: engine.name, model: open.model };
    const meter = metrics.requests.begin(labels, clock.monotonic(), () => echoed.firstToken());
    const attempt = new Attempt({
      open,
      model,
      engine,
      records: this.#outbox,
      clock,
      meter,
      requestLog,
      traces,
      onOver: () => {
        this.#attempts.delete(open.stream);
        echoed.over();
        if (this.#attempts.size === 0) this.#parts.onIdle();
      },
    });
    this.#attempts.add(open.stream, attempt);
    if (this.#outbox.full) attempt.hold(true);
  }

  #grant({ stream, tokens, bytes, final }: z.infer<typeof GrantMessage>): void {
    this.#attempts.get(stream)?.grant({ tokens, bytes, final });
  }

  #drained({ worker, undo = false }: z.infer<typeof Drain>): void {
    const { log, drains } = this.#parts;
    if (worker === null) return log.info({ worker }, 'router started draining');
    log.info({ worker }, undo ? 'router ended the drain of a worker' : 'router drained a worker');
    if (undo) return drains.delete(worker);
    // The names of workers that this agent does not have are ignored.
    if (this.#workers.has(worker)) drains.add(worker);
  }

  readonly #record = (
    stream: number,
    kind: Kind,
    _prompt: number,
    _completion: number,
    bytes: Buffer,
  ): void => {
    if (kind !== KIND.body) return this.#violation('a record of a kind that routers do not send');
    this.#bodyBytes += bytes.length;
    // A stream that is not found has just ended while its body was still arriving.
    const fits = this.#attempts.get(stream)?.piece(bytes) ?? true;
    if (!fits) this.#violation('a body is longer than its declared length');
  };

  #acknowledge(): void {
    if (this.#phase === 'over' || this.#bodyBytes - this.#acknowledged < ACK_BYTES) return;
    this.#acknowledged = this.#bodyBytes;
    this.#send({ type: 'ack', bytes: this.#bodyBytes });
  }

  #hold(full: boolean): void {
    for (const attempt of this.#attempts) attempt.hold(full);
  }

  #silent(): void {
    this.#parts.log.warn('router was silent for too long: the session ended');
    this.#end();
    this.#socket.terminate();
  }

  #violation(fault: string, error?: string): void {
    if (this.#phase === 'over') return;
    this.#parts.log.warn({ fault, error }, 'router broke the protocol');
    this.close(CLOSE.protocol, fault);
  }

  #end(): void {
    if (this.#phase === 'over') return;
    this.#become('over');
    this.#outbox.close();
    this.#undo.dispose();
    for (const attempt of this.#attempts) attempt.abort();
    this.#parts.onOver();
  }
}
