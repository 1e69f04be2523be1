/**
 * The router's end of the link to one authenticated agent. It opens streams, passes their records
 * to their requests, and closes the link as soon as the agent breaks the protocol.
 */
import type { Duplex } from 'node:stream';
import type { RawData, WebSocket } from 'ws';
import type { Clock } from '../../shared/clock.ts';
import type { AgentId } from '../../shared/ids.ts';
import { InFlightByNumber } from '../../shared/in-flight.ts';
import { fromAgentBounds, limits } from '../../shared/limits.ts';
import type { Log } from '../../shared/log.ts';
import type { Region } from '../../shared/region.ts';
import { FrameError, KIND, type Kind, readRecords } from '../../shared/wire/frames.ts';
import { MessageBudget, typeOf } from '../../shared/wire/message-budget.ts';
import {
  CLOSE,
  type Echo,
  FromAgent,
  type FromRouter,
  type Grant,
  type Load,
  type Open,
  type RefusedReason,
} from '../../shared/wire/messages.ts';
import type { ProtocolVersion } from '../../shared/wire/protocol.ts';
import { BodySender } from './body-sender.ts';
import { EchoRateLimiter } from './echo-rate-limiter.ts';
import { Incoming } from './incoming.ts';
import { LinkHeartbeat } from './link-heartbeat.ts';
import { LoadReportLimiter } from './load-report-limiter.ts';
import type { Stream, StreamEvents, StreamOwner } from './stream.ts';
import {
  type ClientCount,
  type CountAnswer,
  type CountQuestion,
  TokenCountClient,
} from './token-count-client.ts';
import { TurnWrites } from './turn-writes.ts';

/** The agent at the other end, as established by enrolment. */
export type AgentIdentity = Readonly<{
  agent: AgentId;
  name: string;
  region: Region;
  /** The version of Penstock that the agent runs, as it says itself. */
  version: string;
  boot: string;
  publicKey: string;
  protocol: ProtocolVersion;
}>;

/** Events that a session reports to the fleet. */
export interface SessionEvents {
  load(session: Session, load: Load): void;
  echo(session: Session, echo: Echo): void;
  drain(session: Session, worker: string | null): void;
  gone(session: Session): void;
}

/** Why a link ended. `closed`: the agent or the network ended it. */
export type LinkEnd = 'closed' | 'silent' | 'protocol' | 'replaced' | 'revoked' | 'stopping';

type Live = { incoming: Incoming; worker: StreamOwner };

export class Session {
  readonly agent: AgentId;
  readonly name: string;
  readonly region: Region;
  readonly version: string;
  readonly boot: string;
  /** What is sent and understood depends on it, and on nothing else of the agent's release. */
  readonly protocol: ProtocolVersion;
  readonly #socket: WebSocket;
  readonly #writes: TurnWrites;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #fleet: SessionEvents;
  readonly #heartbeat: LinkHeartbeat;
  readonly #bodies: BodySender;
  readonly #streams = new InFlightByNumber<Live>();
  readonly #counts: TokenCountClient;
  readonly #budget: MessageBudget;
  readonly #loads: LoadReportLimiter;
  readonly echoLimiter: EchoRateLimiter;
  #lastStream = 0;
  #over = false;
  #ending: LinkEnd = 'closed';

  constructor(
    socket: WebSocket,
    identity: AgentIdentity,
    parts: Readonly<{
      /** What the socket writes to. */
      connection: Pick<Duplex, 'cork' | 'uncork'>;
      clock: Clock;
      log: Log;
      fleet: SessionEvents;
    }>,
  ) {
    this.#socket = socket;
    this.#writes = new TurnWrites(parts.connection);
    this.agent = identity.agent;
    this.name = identity.name;
    this.region = identity.region;
    this.version = identity.version;
    this.boot = identity.boot;
    this.protocol = identity.protocol;
    this.#clock = parts.clock;
    this.#log = parts.log.child({ agent: identity.agent });
    this.#fleet = parts.fleet;
    this.echoLimiter = new EchoRateLimiter(this.#clock);
    this.#budget = new MessageBudget(this.#clock, fromAgentBounds);
    this.#loads = new LoadReportLimiter(this.#clock, (report) =>
      this.#read(() => this.#parse(report)),
    );
    this.#counts = new TokenCountClient(this.#clock, (message) => this.send(message));
    this.#bodies = new BodySender((message) => this.#write(message));
    this.#heartbeat = new LinkHeartbeat(socket, this.#clock, {
      silent: () => this.#endSilent(),
      doesNotRead: () => this.#violate('the agent does not read what the router sends'),
    });
    socket.on('message', (data, binary) => this.#receive(data, binary));
    socket.on('close', () => {
      this.#heartbeat.stop();
      this.#end();
    });
  }

  get rttMs(): number {
    return this.#heartbeat.rttMs;
  }

  /** Open streams. */
  get running(): number {
    return this.#streams.size;
  }

  /**
   * Whether the agent reads too slowly. Then more than the limit is buffered, and it gets no new
   * requests. Request bodies are buffered separately (`BodySender`).
   */
  get isClogged(): boolean {
    return this.#socket.bufferedAmount > limits.linkUnreadBytesMax;
  }

  send(message: FromRouter): void {
    this.#write(JSON.stringify(message));
  }

  #write(message: string | Buffer): void {
    this.#writes.gather();
    this.#socket.send(message);
  }

  /**
   * Starts an attempt on a worker that has a slot reserved for it. The first event comes after this
   * has returned. When it throws, the caller frees the slot.
   */
  open(
    worker: StreamOwner,
    open: Omit<Open, 'type' | 'stream' | 'bodyBytes' | 'worker'>,
    body: Buffer,
    events: StreamEvents,
  ): Stream {
    const id = ++this.#lastStream;
    // The session ended after the worker was picked: `lost` is reported as if it had ended a moment
    // later.
    if (this.#over) queueMicrotask(() => this.#finish(id)?.lost());
    const incoming = new Incoming(open, events);
    this.send({ type: 'open', stream: id, worker: worker.name, bodyBytes: body.length, ...open });
    this.#bodies.add(id, body);
    // This comes last: from here on the end of the stream frees the worker. If anything above
    // throws, the caller frees it.
    this.#streams.add(id, { incoming, worker });
    return {
      grant: (grant) => this.#grant(id, grant),
      cancel: () => this.#cancel(id),
      drop: () => {
        this.#cancel(id);
        this.#finish(id);
      },
    };
  }

  /** Whether the agent answers a ping within `ms`. */
  answers(ms: number): Promise<boolean> {
    return this.#heartbeat.answers(ms);
  }

  /**
   * Has one of the agent's workers count tokens for an audit. Resolves to `busy` when too much is
   * being counted or the session is over, and to null when no answer comes in time.
   */
  count(question: CountQuestion): Promise<CountAnswer> {
    return this.#counts.ask(question);
  }

  /** The same for a client, who waits a while when too much is being counted. */
  countInTurn(asked: ClientCount): Promise<CountAnswer> {
    return this.#counts.askInTurn(asked);
  }

  /** Why the link has ended, or why this router ends it. */
  get ending(): LinkEnd {
    return this.#ending;
  }

  close(code: number, reason: string, ending: LinkEnd): void {
    this.#ending = ending;
    this.#socket.close(code, reason);
    // The socket is terminated if the peer does not answer the close.
    this.#clock.after(limits.linkPingMs, () => this.#socket.terminate());
  }

  #grant(id: number, grant: Grant): void {
    const live = this.#streams.get(id);
    if (!live) return;
    live.incoming.grant(grant);
    this.send({ type: 'grant', stream: id, ...grant });
  }

  #cancel(id: number): void {
    if (this.#streams.get(id) === null) return;
    this.#bodies.drop(id);
    this.send({ type: 'cancel', stream: id });
  }

  /**
   * Removes a stream and frees its worker. Returns null if the stream has ended already, so only
   * the first terminal event is delivered.
   */
  #finish(id: number): StreamEvents | null {
    const live = this.#streams.delete(id);
    if (!live) return null;
    this.#bodies.drop(id);
    live.worker.free();
    return live.incoming.events;
  }

  #receive(data: RawData, binary: boolean): void {
    // Ignores messages that arrived together with the one that ended the session.
    if (this.#over) return;
    this.#heartbeat.heard();
    this.#read(() => {
      if (binary) readRecords(data as Buffer, this.#record);
      else this.#hear(data as Buffer);
    });
  }

  #read(read: () => void): void {
    try {
      read();
    } catch (error) {
      // A parse error would quote what the agent sent, so it is not reported.
      this.#violate(error instanceof FrameError ? error.message : 'a message does not parse');
    }
  }

  #hear(message: Buffer): void {
    const type = typeOf(message);
    const fault = this.#budget.fault(type, message);
    if (fault !== null) return this.#violate(fault);
    if (type === 'load') this.#loads.take(message);
    else this.#parse(message);
  }

  #parse(message: Buffer): void {
    this.#control(FromAgent.parse(JSON.parse(message.toString('utf8'))));
  }

  // Hot path: called for each record, so for each token of each stream.
  readonly #record = (
    id: number,
    kind: Kind,
    prompt: number,
    completion: number,
    bytes: Buffer,
  ): void => {
    const live = this.#streams.get(id);
    // This is no error: the agent sent the record before it saw the cancel.
    if (!live) return;
    const { incoming, worker } = live;
    const before = incoming.completion;
    if (kind === KIND.end) {
      const end = incoming.end(completion, bytes);
      worker.completionTokens += incoming.completion - before;
      // This comes before the slot is given to another request.
      if (end.outcome === 'failed' && end.reason === 'busy') worker.filled();
      this.#finish(id)?.ended(prompt, completion, end);
      return;
    }
    incoming.take(kind, prompt, completion, bytes);
    worker.completionTokens += incoming.completion - before;
  };

  #control(message: FromAgent): void {
    switch (message.type) {
      case 'load':
        return this.#fleet.load(this, message);
      case 'echo':
        return this.#fleet.echo(this, message);
      case 'drain':
        return this.#fleet.drain(this, message.worker);
      case 'refused':
        return this.#refused(message.stream, message.reason);
      case 'ack':
        if (!this.#bodies.acknowledge(message.bytes))
          this.#violate('the agent acknowledged bytes that the router did not send');
        return;
      case 'counted':
        return this.#counts.answer(message);
      case 'hello':
      case 'proof':
        return this.#violate(`unexpected message ${message.type}`);
    }
  }

  #refused(id: number, reason: RefusedReason): void {
    const live = this.#streams.get(id);
    // The engine has seen the request, and another worker would generate the same answer again.
    if (live?.incoming.begun) return this.#violate('a stream is refused after it has begun');
    live?.worker.refused(reason);
    this.#finish(id)?.refused();
  }

  #violate(fault: string): void {
    this.#ending = 'protocol';
    this.#log.warn({ fault }, 'agent broke the protocol and its session was ended');
    this.#socket.close(CLOSE.protocol, fault);
    this.#end();
    // What is not written before the connection is destroyed, is lost.
    this.#writes.flush();
    this.#socket.terminate();
  }

  #endSilent(): void {
    this.#ending = 'silent';
    this.#log.warn('agent was silent and its session was ended');
    this.#socket.terminate();
  }

  #end(): void {
    this.#over = true;
    this.#fleet.gone(this);
    this.#loads.end();
    this.#counts.end();
    for (const id of this.#streams.numbers()) this.#finish(id)?.lost();
  }
}
