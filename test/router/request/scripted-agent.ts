/**
 * An agent on a link without a network: it sends what the test specifies, and records what the
 * router sends.
 */
import { EventEmitter } from 'node:events';
import type { WebSocket } from 'ws';
import type { Fleet } from '../../../router/fleet/fleet.ts';
import { Session } from '../../../router/fleet/session.ts';
import type { Clock } from '../../../shared/clock.ts';
import type { AgentId } from '../../../shared/ids.ts';
import type { Log } from '../../../shared/log.ts';
import type { Region } from '../../../shared/region.ts';
import { DELTA_OVERHEAD_BYTES, packCall, packIndex } from '../../../shared/wire/deltas.ts';
import { escaped } from '../../../shared/wire/escaped.ts';
import { type Kind, KIND, RecordBatch } from '../../../shared/wire/frames.ts';
import {
  type Count,
  FromRouter,
  type Grant,
  type Open,
  type WorkerLoad,
} from '../../../shared/wire/messages.ts';
import { PROTOCOL_VERSIONS } from '../../../shared/wire/protocol.ts';
import { Gate } from '../../agent/support/gate.ts';
import { idleEngine } from '../control/dialing-agent.ts';

/** The part of a WebSocket that a session uses. */
class Wire extends EventEmitter {
  readonly #hear: (text: string) => void;

  constructor(hear: (text: string) => void) {
    super();
    this.#hear = hear;
  }

  /** Drops binary messages (request bodies), because no test looks at them. */
  send(message: string | Buffer): void {
    if (typeof message === 'string') this.#hear(message);
  }

  ping(): void {
    this.emit('pong');
  }

  close(): void {}

  terminate(): void {
    this.emit('close');
  }
}

/** A connection whose writes the tests see at once. */
const UNCORKED = { cork() {}, uncork() {} };

export class ScriptedAgent {
  readonly gate = new Gate();
  readonly streams: AgentStream[] = [];
  /** The token count requests that the agent received. */
  readonly counts: Count[] = [];
  readonly #wire: Wire;
  readonly #name: string;

  constructor(
    fleet: Fleet,
    { clock, log }: Readonly<{ clock: Clock; log: Log }>,
    name = 'one',
    region: Region = 'global',
  ) {
    this.#name = name;
    this.#wire = new Wire((text) => this.#hear(FromRouter.parse(JSON.parse(text))));
    const identity = {
      agent: `agt_${name}` as AgentId,
      name,
      region,
      version: '1.0.0',
      boot: 'boot-1',
      publicKey: '',
      protocol: PROTOCOL_VERSIONS[0],
    } as const;
    const parts = { connection: UNCORKED, clock, log, fleet };
    fleet.join(new Session(this.#wire as unknown as WebSocket, identity, parts));
  }

  /** Reports an engine that has just started and serves these models. */
  report(models: readonly string[], more: Partial<WorkerLoad> = {}): void {
    const idle = { ...idleEngine(this.#name), models: [...models], slots: 100 };
    const load: WorkerLoad = { ...idle, ...more };
    this.say({ type: 'load', workers: [load] });
  }

  /** Returns the oldest stream that was not returned before, and waits for one if there is none. */
  async next(): Promise<AgentStream> {
    await this.gate.until(() => this.streams.some(({ taken }) => !taken));
    const stream = this.streams.find(({ taken }) => !taken) as AgentStream;
    stream.taken = true;
    return stream;
  }

  say(message: object): void {
    this.#wire.emit('message', Buffer.from(JSON.stringify(message)), false);
  }

  record(
    stream: number,
    kind: Kind,
    prompt: number,
    completion: number,
    bytes: string | Uint8Array,
  ): void {
    const batch = new RecordBatch(256);
    batch.add(stream, kind, prompt, completion, Buffer.from(bytes as string));
    this.#wire.emit('message', batch.take(), true);
  }

  /** Breaks the link. */
  drop(): void {
    this.#wire.terminate();
  }

  #hear(message: FromRouter): void {
    if (message.type === 'count') this.counts.push(message);
    if (message.type === 'open') this.streams.push(new AgentStream(this, message));
    if (message.type === 'grant') this.#of(message.stream)?.grants.push(message);
    const stopped = message.type === 'cancel' ? this.#of(message.stream) : undefined;
    if (stopped) stopped.isCancelled = true;
    this.gate.stir();
  }

  #of(id: number): AgentStream | undefined {
    return this.streams.find(({ open }) => open.stream === id);
  }
}

/** One answer, as its agent gives it. */
export class AgentStream {
  readonly open: Open;
  /** The grants so far. The first is the one in `open`. */
  readonly grants: Grant[];
  isCancelled = false;
  taken = false;
  readonly #agent: ScriptedAgent;

  constructor(agent: ScriptedAgent, open: Open) {
    this.#agent = agent;
    this.open = open;
    this.grants = [open.grant];
  }

  get grant(): Grant {
    return this.grants.at(-1) as Grant;
  }

  /** Sends a piece of text, with the token counts up to it. */
  content(prompt: number, completion: number, text = 'word '): void {
    this.bytes(prompt, completion, escaped(text));
  }

  reasoning(prompt: number, completion: number, text: string): void {
    this.bytes(prompt, completion, escaped(text), KIND.reasoning);
  }

  /** Sends the beginning of a tool call. */
  call(prompt: number, completion: number, index: number, id: string, name: string): void {
    const text = Buffer.from(escaped(id) + escaped(name));
    const bytes = Buffer.concat([packCall(index, Buffer.byteLength(escaped(id))), text]);
    this.bytes(prompt, completion, bytes, KIND.call);
  }

  arguments(prompt: number, completion: number, index: number, text: string): void {
    const bytes = Buffer.concat([packIndex(index), Buffer.from(escaped(text))]);
    this.bytes(prompt, completion, bytes, KIND.arguments);
  }

  /** Sends the counts alone. */
  counts(prompt: number, completion: number): void {
    this.bytes(prompt, completion, '', KIND.counts);
  }

  /** Sends any bytes as a record of any kind. */
  bytes(
    prompt: number,
    completion: number,
    bytes: string | Uint8Array,
    kind: Kind = KIND.content,
  ): void {
    this.#agent.record(this.open.stream, kind, prompt, completion, bytes);
  }

  finish(prompt: number, completion: number, more: object = {}): void {
    const told = { finish: 'stop', cut: false, cached: 0, reasoning: null };
    this.#end(prompt, completion, { outcome: 'finished', ...told, ...more });
  }

  /**
   * Ends the answer at the last grant: the engine was stopped before it reported its cached tokens.
   */
  cutShort(prompt: number, completion: number): void {
    this.finish(prompt, completion, { finish: 'length', cut: true, cached: null });
  }

  fail(
    reason: 'engine' | 'engine_died' | 'busy' | 'bad_request' | 'context_length' = 'engine',
    more: object = {},
  ): void {
    this.#end(0, 0, { outcome: 'failed', reason, ...more });
  }

  /** Waits for the router's cancel. */
  cancelled(): Promise<void> {
    return this.#agent.gate.until(() => this.isCancelled);
  }

  /** Answers the router's cancel. */
  stop(prompt: number, completion: number, accepted = true): void {
    this.#end(prompt, completion, { outcome: 'cancelled', accepted });
  }

  /** Refuses the request. */
  refuse(): void {
    this.#agent.say({ type: 'refused', stream: this.open.stream, reason: 'busy' });
  }

  granted(holds: (grant: Grant) => boolean): Promise<void> {
    return this.#agent.gate.until(() => holds(this.grant));
  }

  #end(prompt: number, completion: number, end: object): void {
    this.#agent.record(this.open.stream, KIND.end, prompt, completion, JSON.stringify(end));
  }
}

/** An answer of large events, sent as far as its byte grant allows. */
export function endless(stream: AgentStream, prompt: number) {
  const text = 'x'.repeat(60_000);
  const bytes = text.length + DELTA_OVERHEAD_BYTES;
  let sent = 0;
  return {
    count: 0,
    send(): number {
      while (sent + bytes <= stream.grant.bytes) {
        stream.content(prompt, ++this.count, text);
        sent += bytes;
      }
      return sent;
    },
  };
}
