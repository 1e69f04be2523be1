/**
 * The HTTP client of one engine: its connections, its address and its API key. Inference runs over
 * connections of its own. Everything else is a short query with a timeout and a bounded response.
 */
import { type Dispatcher, Pool } from 'undici';
import { Budget } from '../../shared/bounds/budget.ts';
import { ChunkBuffer } from '../../shared/bounds/chunk-buffer.ts';
import type { Clock } from '../../shared/clock.ts';
import { engineAnswers } from '../../shared/limits.ts';
import type { Open } from '../../shared/wire/messages.ts';
import type { EngineConfig } from '../config.ts';
import type { ExchangeRequest } from './exchange.ts';
import type { JsonObject } from './json.ts';

/** The memory budget for responses that are being read, of each engine and in total. */
const responses = new Budget<EngineClient>(engineAnswers.bytes);

/** Connections for queries and probes. */
const QUERY_CONNECTIONS = 8;
const CONNECT_MS_MAX = 5_000;
/** Shorter than the five seconds after which vLLM's server closes an idle connection. */
const IDLE_MS_MAX = 3_000;

/** No timeouts: the router enforces the deadlines. An aborted request closes its connection. */
const CONNECTION = {
  pipelining: 1,
  headersTimeout: 0,
  bodyTimeout: 0,
  connectTimeout: CONNECT_MS_MAX,
  keepAliveTimeout: IDLE_MS_MAX,
  keepAliveMaxTimeout: IDLE_MS_MAX,
  allowH2: false,
} as const;

const COMPLETION_PATH = { chat: '/v1/chat/completions', completions: '/v1/completions' } as const;

export type EngineQuery = Readonly<{
  path: string;
  timeoutMs: number;
  /** JSON for a POST. Without it, the request is a GET. */
  body?: string;
  signal?: AbortSignal;
  /** The longest response in bytes. A longer one counts as `unreachable`. */
  bytesMax?: number;
}>;

export type EngineResponse = Readonly<{ status: number; text: string }>;
/**
 * `slow`: no response within the timeout. `unreachable`: no connection, a connection that broke, or
 * a response that is too long.
 */
export type NoResponse = 'slow' | 'unreachable';

export class EngineClient implements AsyncDisposable {
  /** Connections for inference: one for each slot, so that no request waits for another's. */
  readonly inference: Dispatcher;
  /** Connections for queries and probes, so that these do not wait for inference. */
  readonly queries: Dispatcher;
  readonly #clock: Clock;
  /** The path before every endpoint. Empty for an engine at the root of its host. */
  readonly #base: string;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(
    { url, apiKey, slots }: Pick<EngineConfig, 'url' | 'apiKey' | 'slots'>,
    clock: Clock,
  ) {
    const { origin, pathname } = new URL(url);
    this.inference = new Pool(origin, { ...CONNECTION, connections: slots });
    this.queries = new Pool(origin, { ...CONNECTION, connections: QUERY_CONNECTIONS });
    this.#clock = clock;
    this.#base = pathname.replace(/\/(?:v1\/?)?$/, '');
    this.#headers = apiKey ? { authorization: `Bearer ${apiKey}` } : {};
  }

  /**
   * Returns an inference request, for an `Exchange`. `id`: the id of the request at the engine.
   * `traceparent`: the context of a traced request.
   */
  completionRequest(
    endpoint: Open['endpoint'],
    { id, traceparent }: Readonly<{ id: string; traceparent?: string | undefined }>,
    body: JsonObject,
  ): ExchangeRequest {
    return {
      path: this.#base + COMPLETION_PATH[endpoint],
      headers: {
        ...this.#headers,
        'content-type': 'application/json',
        accept: 'text/event-stream',
        'x-request-id': id,
        ...(traceparent !== undefined && { traceparent }),
      },
      body: JSON.stringify(body),
    };
  }

  async query(query: EngineQuery): Promise<EngineResponse | NoResponse> {
    const { path, timeoutMs, body, signal, bytesMax = engineAnswers.bytesMax } = query;
    const headers = this.#headers;
    using lease = responses.lease(this);
    const late = new AbortController();
    const timer = this.#clock.after(timeoutMs, () => late.abort());
    try {
      const response = await this.queries.request({
        path: this.#base + path,
        method: body === undefined ? 'GET' : 'POST',
        headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
        body: body ?? null,
        signal: signal ? AbortSignal.any([late.signal, signal]) : late.signal,
      });
      const pieces = new ChunkBuffer(lease);
      for await (const piece of response.body as AsyncIterable<Buffer>) {
        if (pieces.add(piece) !== 'kept' || pieces.bytes > bytesMax) return 'unreachable';
      }
      const text = pieces.whole()?.toString('utf8');
      return text === undefined ? 'unreachable' : { status: response.statusCode, text };
    } catch {
      return late.signal.aborted ? 'slow' : 'unreachable';
    } finally {
      timer.cancel();
    }
  }

  /** Like `query`, but returns the parsed JSON of a 200 response, and null for anything else. */
  async queryJson(query: EngineQuery): Promise<unknown> {
    const response = await this.query(query);
    if (typeof response === 'string' || response.status !== 200) return null;
    try {
      return JSON.parse(response.text);
    } catch {
      return null;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.inference.destroy(), this.queries.destroy()]);
  }
}
