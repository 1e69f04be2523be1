/** An engine that does what a test tells it, byte for byte. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { MODEL, THINKER } from './fake-router.ts';
import { Gate } from './gate.ts';

type Details = Readonly<{ cached?: number; reasoning?: number }>;

export type ScriptOptions = Readonly<{ port?: number; version?: string | null }>;

export class ScriptedEngine implements AsyncDisposable {
  readonly gate = new Gate();
  readonly asks: EngineAsk[] = [];
  /** Paths of everything else that was asked, in order. */
  readonly paths: string[] = [];
  readonly tokenized: unknown[] = [];
  models = [{ id: MODEL.hubModelId }, { id: THINKER.hubModelId }] as {
    id: string;
    root?: string;
  }[];
  health = 200;
  metrics = 'vllm:num_requests_running{engine="0"} 0.0\n';
  /** What /tokenize answers; null: nothing. */
  promptTokens: number | null = 7;
  readonly #version: string | null;
  readonly #server: Server;

  private constructor({ version = '0.25.0' }: ScriptOptions) {
    this.#version = version;
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

  /** The `nth` request for inference, from 1. */
  async ask(nth = 1): Promise<EngineAsk> {
    await this.gate.until(() => this.asks.length >= nth);
    return this.asks[nth - 1] as EngineAsk;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '';
    if (path === '/v1/chat/completions' || path === '/v1/completions') {
      const ask = new EngineAsk(request, response, await bodyOf(request), this.gate);
      this.asks.push(ask);
    } else await this.#answer(path, request, response);
    this.gate.stir();
  }

  async #answer(path: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.paths.push(path);
    const json = (value: unknown) => response.end(JSON.stringify(value));
    if (path === '/health') response.writeHead(this.health).end();
    else if (path === '/v1/models') json({ object: 'list', data: this.models });
    else if (path === '/metrics') response.end(this.metrics);
    else if (path === '/version' && this.#version) json({ version: this.#version });
    else if (path === '/tokenize') {
      this.tokenized.push(await bodyOf(request));
      if (this.promptTokens !== null) json({ count: this.promptTokens });
    } else response.writeHead(404).end();
  }
}

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return JSON.parse(Buffer.concat(pieces).toString('utf8')) as Record<string, unknown>;
}

/** One request that the engine was sent. */
export class EngineAsk {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Record<string, unknown>;
  readonly response: ServerResponse;
  /** The agent took the connection away. */
  aborted = false;
  readonly #gate: Gate;

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    body: Record<string, unknown>,
    gate: Gate,
  ) {
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

  /** Answers with status 200 and nothing yet. */
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

  /** A chat chunk; `usage` is its running counts, prompt and completion. */
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

  /** The connection breaks. */
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
