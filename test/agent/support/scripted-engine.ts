/** An engine whose answers a test sets, byte for byte. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { MODEL, THINKER } from './fake-router.ts';
import { Gate } from './gate.ts';

type Details = Readonly<{ cached?: number; reasoning?: number }>;

export type ScriptOptions = Readonly<{
  port?: number;
  /** The answer of /version, or null if there is no such page, as with engines of other kinds. */
  version?: string | null;
  /** JSON pages in addition to those that every engine has. */
  pages?: Readonly<Record<string, unknown>>;
  models?: ScriptedEngine['models'];
  onProbe?: (ask: EngineRequest, nth: number) => void;
}>;

/** Answers a probe with one token and running usage, without cached tokens. */
export function generates(ask: EngineRequest): void {
  ask.accept().role(200).chunk({ content: 'x' }, [200, 1], 'length').usage(200, 1).done();
}

/** The same, with counts only at the end. */
export function countsLate(ask: EngineRequest): void {
  ask.accept().chunk({ content: 'x' }).chunk({}, undefined, 'length').usage(200, 1).done();
}

/** A cache separated by salt: only the second request under a salt finds its prompt. */
const salts = new WeakMap<object, string>();
export function salting(ask: EngineRequest): void {
  const before = salts.get(ask.engine);
  const salt = String(ask.body['cache_salt']);
  salts.set(ask.engine, salt);
  ask.accept().role(200).chunk({ content: 'x' }, [200, 1], 'length');
  ask.usage(200, 1, before === salt ? { cached: 192 } : {}).done();
}

export class ScriptedEngine implements AsyncDisposable {
  readonly gate = new Gate();
  /** Inference requests, without those of the agent itself. */
  readonly asks: EngineRequest[] = [];
  /** The agent's own probes, which test whether the engine generates. */
  readonly probes: EngineRequest[] = [];
  onProbe: (ask: EngineRequest, nth: number) => void;
  /** Paths of all other requests, in order. */
  readonly paths: string[] = [];
  readonly tokenized: unknown[] = [];
  models = [{ id: MODEL.hubModelId }, { id: THINKER.hubModelId }] as {
    id: string;
    root?: string;
    owned_by?: string;
    max_model_len?: number;
  }[];
  health = 200;
  healthText = '';
  /** Paths that are never answered. */
  readonly mute = new Set<string>();
  onPost: (path: string) => void = () => {};
  /** Null: there is no such page. */
  metrics: string | null = 'vllm:num_requests_running{engine="0"} 0.0\n';
  /** JSON that was posted to other paths, in order. */
  readonly posted: { path: string; body: unknown }[] = [];
  readonly pages: Record<string, unknown>;
  /** The answer of /tokenize, which may come late, or null for no answer. */
  promptTokens: number | Promise<number> | null = 7;
  readonly #version: string | null;
  readonly #server: Server;

  private constructor(options: ScriptOptions) {
    const { version = '0.25.0', pages = {}, models, onProbe = generates } = options;
    this.#version = version;
    if (models) this.models = models;
    this.pages = { ...pages };
    this.onProbe = onProbe;
    this.#server = createServer((request, response) => void this.#serve(request, response));
    this.#server.keepAliveTimeout = 0;
  }

  static async start(options: ScriptOptions = {}): Promise<ScriptedEngine> {
    const engine = new ScriptedEngine(options);
    await new Promise<void>((resolve) => {
      engine.#server.listen(options.port ?? 0, '127.0.0.1', resolve);
    });
    return engine;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Resolves with the `nth` inference request, from 1. */
  async ask(nth = 1): Promise<EngineRequest> {
    await this.gate.until(() => this.asks.length >= nth);
    return this.asks[nth - 1] as EngineRequest;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '';
    if (path === '/v1/chat/completions' || path === '/v1/completions') {
      const ask = new EngineRequest(this, request, response, await bodyOf(request));
      if (String(request.headers['x-request-id']).startsWith('probe-')) {
        this.onProbe(ask, this.probes.push(ask));
      } else this.asks.push(ask);
    } else await this.#answer(path, request, response);
    this.gate.stir();
  }

  async #answer(path: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.paths.push(path);
    const json = (value: unknown) => response.end(JSON.stringify(value));
    if (path === '/health') response.writeHead(this.health).end(this.healthText);
    else if (path === '/v1/models') json({ object: 'list', data: this.models });
    else if (path === '/metrics' && this.metrics !== null) response.end(this.metrics);
    else if (Object.hasOwn(this.pages, path) && request.method === 'GET') json(this.pages[path]);
    else if (path === '/version' && this.#version) json({ version: this.#version });
    else if (path === '/tokenize' && !Object.hasOwn(this.pages, path)) {
      this.tokenized.push(await bodyOf(request));
      this.gate.stir();
      if (this.promptTokens !== null) json({ count: await this.promptTokens });
    } else {
      if (request.method === 'POST') {
        this.posted.push({ path, body: await bodyOf(request) });
        this.onPost(path);
      }
      if (this.mute.has(path)) return;
      if (Object.hasOwn(this.pages, path)) json(this.pages[path]);
      else response.writeHead(404).end();
    }
  }
}

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return JSON.parse(Buffer.concat(pieces).toString('utf8')) as Record<string, unknown>;
}

/** One request to the engine. */
export class EngineRequest {
  readonly engine: ScriptedEngine;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Record<string, unknown>;
  readonly response: ServerResponse;
  /** The agent closed the connection. */
  aborted = false;
  readonly #gate: Gate;

  constructor(
    engine: ScriptedEngine,
    request: IncomingMessage,
    response: ServerResponse,
    body: Record<string, unknown>,
  ) {
    const { gate } = engine;
    this.engine = engine;
    this.path = request.url ?? '';
    this.headers = request.headers;
    this.body = body;
    this.response = response;
    this.#gate = gate;
    response.on('close', () => {
      this.aborted = !response.writableFinished;
      gate.stir();
    });
  }

  /** Answers with status 200 and no body yet. */
  accept(): this {
    this.response.writeHead(200, { 'content-type': 'text/event-stream' });
    this.response.flushHeaders();
    return this;
  }

  refuse(status: number, message = 'no'): void {
    this.response.writeHead(status, { 'content-type': 'application/json' });
    this.response.end(JSON.stringify({ error: { message, type: 'x', param: null, code: status } }));
  }

  raw(bytes: string | Uint8Array): this {
    this.response.write(bytes);
    return this;
  }

  event(value: unknown): this {
    return this.raw(`data: ${JSON.stringify(value)}\n\n`);
  }

  /** A chat chunk. `usage` has its running counts of prompt and completion tokens. */
  chunk(delta: unknown, usage?: readonly [number, number], finish: string | null = null): this {
    const choices = [{ index: 0, delta, logprobs: null, finish_reason: finish }];
    return this.event({ object: 'chat.completion.chunk', choices, usage: usageOf(usage) });
  }

  /** A chunk of a text completion. */
  text(text: string, usage?: readonly [number, number], finish: string | null = null): this {
    const choices = [{ index: 0, text, logprobs: null, finish_reason: finish }];
    return this.event({ object: 'text_completion', choices, usage: usageOf(usage) });
  }

  role(prompt: number): this {
    return this.chunk({ role: 'assistant', content: '' }, [prompt, 0]);
  }

  usage(prompt: number, completion: number, details: Details = {}): this {
    const usage = {
      ...usageOf([prompt, completion]),
      ...(details.cached !== undefined && {
        prompt_tokens_details: { cached_tokens: details.cached },
      }),
      ...(details.reasoning !== undefined && {
        completion_tokens_details: { reasoning_tokens: details.reasoning },
      }),
    };
    return this.event({ object: 'chat.completion.chunk', choices: [], usage });
  }

  done(): void {
    this.raw('data: [DONE]\n\n');
    this.response.end();
  }

  /** Breaks the connection. */
  reset(): void {
    this.response.socket?.destroy();
  }

  untilAborted(): Promise<void> {
    return this.#gate.until(() => this.aborted);
  }
}

function usageOf(usage?: readonly [number, number]) {
  if (!usage) return undefined;
  const [prompt, completion] = usage;
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
  };
}
