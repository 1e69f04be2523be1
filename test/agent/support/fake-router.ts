/**
 * The router's end of the link, as far as an agent can tell: a real WebSocket server that speaks
 * shared/wire.
 */
import { createPublicKey, randomUUID, verify } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { limits } from '../../../shared/limits.ts';
import { Incoming } from '../../../router/fleet/incoming.ts';
import type { Delta } from '../../../router/fleet/stream.ts';
import { DELTA_OVERHEAD_BYTES } from '../../../shared/wire/deltas.ts';
import { type End } from '../../../shared/wire/end.ts';
import { type Kind, KIND, readRecords, RecordBatch } from '../../../shared/wire/frames.ts';
import type { TokenLogprob } from '../../../shared/wire/logprobs.ts';
import {
  type Challenge,
  FromAgent,
  type FromRouter,
  type Grant,
  type Load,
  type Open,
  proofText,
  type WireModel,
  type WorkerLoad,
} from '../../../shared/wire/messages.ts';
import { chooseSubprotocol, PROTOCOL_VERSIONS } from '../../../shared/wire/protocol.ts';
import { Gate } from './gate.ts';
import type { z } from 'zod';

export const MODEL: WireModel = {
  id: 'test/plain',
  hubModelId: 'Test/Plain-7B',
  contextLength: 131_072,
  maxOutputLength: 65_536,
  images: false,
  thinking: null,
};

/** A model that always reasons, and shows its reasoning. */
export const THINKER: WireModel = {
  ...MODEL,
  id: 'test/thinker',
  hubModelId: 'Test/Thinker-7B',
  thinking: {
    toggle: null,
    default: 'on',
    can_disable: false,
    efforts: [],
    effort_field: null,
    budget: false,
  },
};

export const AMPLE: Grant = { tokens: 1_000_000, bytes: 64 * 1024 * 1024, final: false };

export type RouterOptions = Readonly<{ port?: number; id?: string; models?: readonly WireModel[] }>;

export class FakeRouter implements AsyncDisposable {
  readonly id: string;
  readonly sessions: FakeSession[] = [];
  readonly gate = new Gate();
  models: readonly WireModel[];
  /** Why an agent that has proven its identity may not join, or null if it may. */
  refusal: string | null = null;
  /** Whether an agent that may join is sent its welcome. */
  welcomes = true;
  /** How many more connections reach another process of the router, which answers them with 421. */
  misdirected = 0;
  onMisdirected: () => void = () => {};
  readonly #http: Server = createServer();
  readonly #sockets = new WebSocketServer({
    server: this.#http,
    perMessageDeflate: false,
    maxPayload: limits.linkPayloadBytesMax,
    verifyClient: (_info, answer) => {
      const reached = this.misdirected === 0;
      if (!reached) {
        this.misdirected -= 1;
        this.onMisdirected();
      }
      answer(reached, 421);
    },
    handleProtocols: (offered) => chooseSubprotocol(offered),
  });

  private constructor({ id = `rtr_${randomUUID()}`, models = [MODEL, THINKER] }: RouterOptions) {
    this.id = id;
    this.models = models;
    this.#sockets.on('connection', (socket) => {
      this.sessions.push(new FakeSession(this, socket));
      this.gate.stir();
    });
  }

  static async start(options: RouterOptions = {}): Promise<FakeRouter> {
    const router = new FakeRouter(options);
    await new Promise<void>((resolve) => {
      router.#http.listen(options.port ?? 0, '127.0.0.1', resolve);
    });
    return router;
  }

  get port(): number {
    return (this.#http.address() as AddressInfo).port;
  }

  get url(): string {
    return `ws://127.0.0.1:${this.port}/agent`;
  }

  /** Resolves with the `nth` session (from 1) when it is welcomed. */
  async joined(nth = 1): Promise<FakeSession> {
    await this.gate.until(() => this.sessions.filter((session) => session.welcomed).length >= nth);
    return this.sessions.filter((session) => session.welcomed)[nth - 1] as FakeSession;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { socket } of this.sessions) socket.terminate();
    this.#sockets.close();
    const closed = new Promise((resolve) => this.#http.close(resolve));
    this.#http.closeAllConnections();
    await closed;
  }
}

export class FakeSession {
  readonly router: FakeRouter;
  readonly socket: WebSocket;
  readonly messages: FromAgent[] = [];
  readonly calls = new Map<number, FakeCall>();
  readonly loads: Load[] = [];
  publicKey = '';
  join: string | null = null;
  boot = '';
  proven = false;
  welcomed = false;
  acknowledged = 0;
  drained = false;
  closed: { code: number; reason: string } | null = null;
  #lastStream = 0;
  readonly #challenge: z.infer<typeof Challenge>;

  constructor(router: FakeRouter, socket: WebSocket) {
    this.router = router;
    this.socket = socket;
    this.#challenge = {
      type: 'challenge',
      nonce: randomUUID(),
      router: router.id,
      region: 'global',
    };
    socket.on('message', (data, binary) => {
      if (binary) this.#records(data as Buffer);
      else this.#control(FromAgent.parse(JSON.parse((data as Buffer).toString('utf8'))));
      router.gate.stir();
    });
    socket.on('close', (code, reason) => {
      this.closed = { code, reason: reason.toString() };
      router.gate.stir();
    });
  }

  until(holds: () => boolean): Promise<void> {
    return this.router.gate.until(holds);
  }

  send(message: FromRouter): void {
    this.socket.send(JSON.stringify(message));
  }

  load(worker = 'engine'): WorkerLoad | undefined {
    return this.loads.at(-1)?.workers.find((load) => load.worker === worker);
  }

  welcome(): void {
    this.send({
      type: 'welcome',
      agent: 'agt_1',
      name: 'fake',
      router: this.router.id,
      models: [...this.router.models],
    });
  }

  /**
   * Opens a stream and sends its body: an object that is serialized as JSON, or the text itself.
   */
  open(body: unknown, options: Partial<Open> = {}): FakeCall {
    const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
    const call = this.announce({ bodyBytes: bytes.length, ...options });
    this.piece(call.stream, bytes);
    return call;
  }

  /** Opens a stream without sending its body. */
  announce(options: Partial<Open> = {}): FakeCall {
    const stream = options.stream ?? ++this.#lastStream;
    const open: Open = {
      type: 'open',
      stream,
      request: `req_${stream}`,
      attempt: 1,
      worker: 'engine',
      model: MODEL.id,
      endpoint: 'chat',
      streamed: true,
      completionId: `chatcmpl-${stream}`,
      maxTokens: 100,
      salt: '0123456789abcdef0123456789abcdef',
      chunks: '',
      promptTokens: 0,
      uncachedTokens: 0,
      bodyBytes: 2,
      grant: AMPLE,
      ...options,
    };
    const call = new FakeCall(this, open);
    this.calls.set(stream, call);
    this.send(open);
    return call;
  }

  piece(stream: number, bytes: Uint8Array, kind: number = KIND.body): void {
    const batch = new RecordBatch();
    for (let at = 0; at < bytes.length; at += limits.linkPieceBytes) {
      batch.add(stream, kind as 1, 0, 0, bytes.subarray(at, at + limits.linkPieceBytes));
      this.socket.send(batch.take());
    }
  }

  #control(message: FromAgent): void {
    this.messages.push(message);
    switch (message.type) {
      case 'hello':
        this.publicKey = message.publicKey;
        this.join = message.join;
        this.boot = message.boot;
        return this.send(this.#challenge);
      case 'proof':
        return this.#proven(message.signature);
      case 'load':
        this.loads.push(message);
        return;
      case 'drain':
        this.drained = true;
        return;
      case 'counted':
        return;
      case 'ack':
        this.acknowledged = message.bytes;
        return;
      case 'echo':
        // Kept with all other messages.
        return;
      case 'refused': {
        const call = this.calls.get(message.stream);
        if (call) call.refused = message.reason;
      }
    }
  }

  #proven(signature: string): void {
    const key = createPublicKey({
      key: Buffer.from(this.publicKey, 'base64'),
      format: 'der',
      type: 'spki',
    });
    const text = Buffer.from(proofText(this.#challenge, this.boot, PROTOCOL_VERSIONS[0]));
    if (!verify(null, text, key, Buffer.from(signature, 'base64'))) throw new Error('bad proof');
    this.proven = true;
    if (this.router.refusal !== null) return this.socket.close(4001, this.router.refusal);
    if (!this.router.welcomes) return;
    this.welcomed = true;
    this.welcome();
  }

  #records(message: Buffer): void {
    readRecords(message, (stream, kind, prompt, completion, bytes) => {
      const call = this.calls.get(stream);
      if (!call) throw new Error(`a record for stream ${stream}, which is not open`);
      call.take(kind, prompt, completion, Buffer.from(bytes));
    });
  }
}

/** Any record except the last. `delta` is null if the record has only counts. */
export type AnswerRecord = Readonly<{
  prompt: number;
  completion: number;
  delta: ReadDelta | null;
}>;
export type EndRecord = Readonly<{ prompt: number; completion: number; end: End }>;

/** A delta with its text unescaped. */
export type ReadDelta = Readonly<
  | { content: string; logprobs?: readonly TokenLogprob[] }
  | { reasoning: string }
  | { call: { index: number; id: string; name: string } }
  | { arguments: { index: number; text: string } }
>;

/**
 * One stream, as the router sees it. It enforces the grant and every other rule of a real router.
 */
export class FakeCall {
  readonly session: FakeSession;
  readonly stream: number;
  readonly records: AnswerRecord[] = [];
  refused: string | null = null;
  ends: EndRecord[] = [];
  /** The bytes of the grant that the deltas have used. */
  bytes = 0;
  readonly #incoming: Incoming;
  #grant: Grant;

  constructor(session: FakeSession, open: Open) {
    this.session = session;
    this.stream = open.stream;
    this.#grant = open.grant;
    this.#incoming = new Incoming(open, {
      delta: (prompt, completion, delta, cost) => {
        this.bytes += cost;
        this.records.push({ prompt, completion, delta: readDelta(delta) });
      },
      counts: (prompt, completion) => this.records.push({ prompt, completion, delta: null }),
      ended() {},
      refused() {},
      lost() {},
    });
  }

  get deltas(): ReadDelta[] {
    return this.records.flatMap(({ delta }) => delta ?? []);
  }

  get content(): string {
    return this.deltas.map((delta) => ('content' in delta ? delta.content : '')).join('');
  }

  get reasoning(): string {
    return this.deltas.map((delta) => ('reasoning' in delta ? delta.reasoning : '')).join('');
  }

  /** The tool calls, with their complete arguments. */
  get calls(): { id: string; name: string; arguments: string }[] {
    const calls: { id: string; name: string; arguments: string }[] = [];
    for (const delta of this.deltas) {
      if ('call' in delta) {
        const { id, name } = delta.call;
        calls.push({ id, name, arguments: '' });
      }
      if ('arguments' in delta) {
        const call = calls[delta.arguments.index];
        if (call) call.arguments += delta.arguments.text;
      }
    }
    return calls;
  }

  take(kind: Kind, prompt: number, completion: number, bytes: Buffer): void {
    if (this.ends.length > 0) throw new Error('a record after END');
    if (kind !== KIND.end) return this.#incoming.take(kind, prompt, completion, bytes);
    if (completion > this.#grant.tokens) throw new Error(`END: ${completion} exceed the grant`);
    this.ends.push({ prompt, completion, end: this.#incoming.end(completion, bytes) });
  }

  grant(grant: Partial<Grant>): void {
    this.#grant = { ...this.#grant, ...grant };
    this.#incoming.grant(this.#grant);
    this.session.send({ type: 'grant', stream: this.stream, ...this.#grant });
  }

  cancel(): void {
    this.session.send({ type: 'cancel', stream: this.stream });
  }

  until(holds: () => boolean): Promise<void> {
    return this.session.until(holds);
  }

  async ended(): Promise<EndRecord> {
    await this.until(() => this.ends.length > 0);
    return this.ends[0] as EndRecord;
  }
}

/** The bytes of the grant that `deltas` deltas use, with `bytes` bytes of text in all. */
export function costOf(deltas: number, bytes: number): number {
  return deltas * DELTA_OVERHEAD_BYTES + bytes;
}

function readDelta(delta: Delta): ReadDelta {
  switch (delta.kind) {
    case 'content':
      return {
        content: unescaped(delta.text),
        ...(delta.logprobs && { logprobs: delta.logprobs }),
      };
    case 'reasoning':
      return { reasoning: unescaped(delta.text) };
    case 'call':
      return {
        call: { index: delta.index, id: unescaped(delta.id), name: unescaped(delta.name) },
      };
    case 'arguments':
      return { arguments: { index: delta.index, text: unescaped(delta.text) } };
  }
}

function unescaped(text: Buffer): string {
  return JSON.parse(`"${text.toString('utf8')}"`) as string;
}
