/**
 * The router's end of one link: an agent that has proven who it is. It opens streams, hands their records to
 * their requests, and ends itself as soon as the agent breaks a rule.
 */
import type { RawData, WebSocket } from 'ws';
import type { Clock } from '../../shared/clock.ts';
import type { AgentId } from '../../shared/ids.ts';
import { fromAgentBounds, limits } from '../../shared/limits.ts';
import type { Log } from '../../shared/log.ts';
import { FrameError, KIND, type Kind, readRecords } from '../../shared/wire/frames.ts';
import {
  CLOSE,
  type Counted,
  type Echo,
  FromAgent,
  type FromRouter,
  type Grant,
  type Load,
  type Open,
  type RefusedReason,
  type Region,
} from '../../shared/wire/messages.ts';
import { MessageBudget, typeOf } from '../../shared/wire/message-budget.ts';
import { BodySender } from './body-sender.ts';
import { CountDesk, type CountQuestion } from './count-desk.ts';
import { EchoBudget } from './echo-budget.ts';
import { Incoming } from './incoming.ts';
import { LoadDesk } from './load-desk.ts';
import type { Stream, StreamEvents } from './stream.ts';
import type { Worker } from './worker.ts';

/** Who is at the other end, as enrolment found it. */
export type AgentIdentity = Readonly<{
  agent: AgentId;
  name: string;
  region: Region;
  boot: string;
  publicKey: string;
}>;

/** What a session tells the fleet. */
export interface SessionEvents {
  load(session: Session, load: Load): void;
  echo(session: Session, echo: Echo): void;
  drain(session: Session, worker: string | null): void;
  gone(session: Session): void;
  /** A request on a worker has ended. */
  free(worker: Worker): void;
}

/** How fast a link that has become slower is seen to be. */
const RTT_WEIGHT = 0.1;

type Live = { incoming: Incoming; worker: Worker };

export class Session {
  readonly agent: AgentId;
  readonly name: string;
  readonly region: Region;
  readonly boot: string;
  readonly #socket: WebSocket;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #fleet: SessionEvents;
  readonly #bodies: BodySender;
  readonly #streams = new Map<number, Live>();
  readonly #counts: CountDesk;
  readonly #budget: MessageBudget;
  readonly #loads: LoadDesk;
  readonly echoBudget: EchoBudget;
  #lastStream = 0;
  #over = false;
  #heard: number;
  #pingedAt: number | null = null;
  /** How long a ping took there and back: the least of late, as others waited for something else. */
  rttMs = 0;
  /** What waited in the socket at the last beat, and since how many it gets no less and no ping is answered. */
  #unread = { bytes: 0, beats: 0 };

  constructor(
    socket: WebSocket,
    identity: AgentIdentity,
    parts: { clock: Clock; log: Log; fleet: SessionEvents },
  ) {
    this.#socket = socket;
    this.agent = identity.agent;
    this.name = identity.name;
    this.region = identity.region;
    this.boot = identity.boot;
    this.#clock = parts.clock;
    this.#log = parts.log.child({ agent: identity.agent });
    this.#fleet = parts.fleet;
    this.#heard = this.#clock.monotonic();
    this.echoBudget = new EchoBudget(this.#clock);
    this.#budget = new MessageBudget(this.#clock, fromAgentBounds);
    this.#loads = new LoadDesk(this.#clock, (report) => this.#read(() => this.#parse(report)));
    this.#counts = new CountDesk(this.#clock, (message) => this.send(message));
    this.#bodies = new BodySender((message) => socket.send(message));
    const beat = this.#clock.every(limits.linkPingMs, () => this.#beat());
    socket.on('message', (data, binary) => this.#receive(data, binary));
    socket.on('pong', () => this.#ponged());
    socket.on('close', () => {
      beat.cancel();
      this.#end();
    });
  }

  /** Streams under way. */
  get running(): number {
    return this.#streams.size;
  }

  /** More waits for the agent to read than it may: it gets no new request. Bodies wait elsewhere (`BodySender`). */
  get isClogged(): boolean {
    return this.#socket.bufferedAmount > limits.linkUnreadBytesMax;
  }

  send(message: FromRouter): void {
    this.#socket.send(JSON.stringify(message));
  }

  /** Starts an attempt on a worker that was taken for it; its events come later, never before this has returned. */
  open(
    worker: Worker,
    open: Omit<Open, 'type' | 'stream' | 'bodyBytes' | 'worker'>,
    body: Buffer,
    events: StreamEvents,
  ): Stream {
    const id = ++this.#lastStream;
    // Lost between picking and here: it is told as it would be a moment later.
    if (this.#over) queueMicrotask(() => this.#finish(id)?.lost());
    const incoming = new Incoming(open, events);
    this.send({ type: 'open', stream: id, worker: worker.name, bodyBytes: body.length, ...open });
    this.#bodies.add(id, body);
    // Last: from here on its end frees the worker, so whoever sees this throw frees it.
    this.#streams.set(id, { incoming, worker });
    return {
      grant: (grant) => this.#grant(id, grant),
      cancel: () => this.#cancel(id),
      drop: () => {
        this.#cancel(id);
        this.#finish(id);
      },
    };
  }

  /** Whether the other end answers a ping within `ms`. */
  answers(ms: number): Promise<boolean> {
    return new Promise((resolve) => {
      const done = (answer: boolean) => {
        timer.cancel();
        this.#socket.off('pong', heard);
        resolve(answer);
      };
      const heard = () => done(true);
      const timer = this.#clock.after(ms, () => done(false));
      this.#socket.once('pong', heard);
      this.#socket.ping();
    });
  }

  /** Has one of its workers count; `busy`: not now; null: it does not say in time. */
  count(question: CountQuestion): Promise<Counted | 'busy' | null> {
    return this.#counts.ask(question);
  }

  close(code: number, reason: string): void {
    this.#socket.close(code, reason);
    // A peer that does not answer the close is not waited for.
    this.#clock.after(limits.linkPingMs, () => this.#socket.terminate());
  }

  #grant(id: number, grant: Grant): void {
    const live = this.#streams.get(id);
    if (!live) return;
    live.incoming.grant(grant);
    this.send({ type: 'grant', stream: id, ...grant });
  }

  #cancel(id: number): void {
    if (!this.#streams.has(id)) return;
    this.#bodies.drop(id);
    this.send({ type: 'cancel', stream: id });
  }

  /** Takes a stream out: of its events, the first terminal one wins. */
  #finish(id: number): StreamEvents | null {
    const live = this.#streams.get(id);
    if (!live) return null;
    this.#streams.delete(id);
    this.#bodies.drop(id);
    this.#fleet.free(live.worker);
    return live.incoming.events;
  }

  #receive(data: RawData, binary: boolean): void {
    // What came together with the message that ended the session.
    if (this.#over) return;
    this.#heard = this.#clock.monotonic();
    this.#read(() => {
      if (binary) readRecords(data as Buffer, this.#record);
      else this.#hear(data as Buffer);
    });
  }

  #read(read: () => void): void {
    try {
      read();
    } catch (error) {
      // The name only: a parse error would quote what the agent sent.
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

  // Hot path: once for each record, so for each token of each stream.
  readonly #record = (
    id: number,
    kind: Kind,
    prompt: number,
    completion: number,
    bytes: Buffer,
  ): void => {
    const live = this.#streams.get(id);
    // Not an error: what an agent sent before it saw the cancel.
    if (!live) return;
    const { incoming, worker } = live;
    const before = incoming.completion;
    if (kind === KIND.end) {
      const end = incoming.end(completion, bytes);
      worker.completionTokens += incoming.completion - before;
      // Before its place is given to another request.
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
          this.#violate('acknowledges what was not sent');
        return;
      case 'counted':
        return this.#counts.answer(message);
      case 'hello':
      case 'proof':
        return this.#violate(`${message.type} has no place here`);
    }
  }

  #refused(id: number, reason: RefusedReason): void {
    const live = this.#streams.get(id);
    // Its engine has seen the request: another worker would make the same answer a second time.
    if (live?.incoming.begun) return this.#violate('a stream is refused after it has begun');
    live?.worker.refused(reason);
    this.#finish(id)?.refused();
  }

  #violate(fault: string): void {
    this.#log.warn({ fault }, 'agent broke the protocol: its session ends');
    this.#socket.close(CLOSE.protocol, fault);
    this.#end();
    this.#socket.terminate();
  }

  #beat(): void {
    if (this.#clock.monotonic() - this.#heard > limits.linkSilenceMsMax) {
      this.#log.warn('agent is silent: its session ends');
      this.#socket.terminate();
      return;
    }
    // It may talk all the time and yet read nothing: then what it is told piles up here.
    const bytes = this.#socket.bufferedAmount;
    const isStuck = bytes > 0 && bytes >= this.#unread.bytes;
    this.#unread = { bytes, beats: isStuck ? this.#unread.beats + 1 : 0 };
    if (this.#unread.beats * limits.linkPingMs > limits.linkSilenceMsMax) {
      return this.#violate('does not read');
    }
    this.#pingedAt = this.#clock.monotonic();
    this.#socket.ping();
  }

  #ponged(): void {
    this.#heard = this.#clock.monotonic();
    this.#unread.beats = 0;
    if (this.#pingedAt === null) return;
    const took = this.#heard - this.#pingedAt;
    this.#pingedAt = null;
    this.rttMs =
      this.rttMs === 0 ? took : Math.min(took, this.rttMs + RTT_WEIGHT * (took - this.rttMs));
  }

  #end(): void {
    this.#over = true;
    this.#fleet.gone(this);
    this.#loads.end();
    this.#counts.end();
    for (const id of this.#streams.keys()) this.#finish(id)?.lost();
  }
}
