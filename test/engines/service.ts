/** A real engine behind the agent and the router of a real `penstock up`, with two customers. */
import { join } from 'node:path';
import { readStream } from '../support/sse.ts';
import { Up } from '../support/up.ts';
import { EngineProcess } from './engine-process.ts';
import type { EngineRow } from './engine-row.ts';

export const MODEL = 'test/ship';
/** Each run draws the same answers. */
const SEED = 7;
export const CATALOG = join(import.meta.dirname, 'catalog.yaml');

export type Answer = {
  status: number;
  choices: {
    finish_reason: string;
    text?: string;
    logprobs?: Logprobs | null;
    message: {
      content: string | null;
      reasoning?: string;
      tool_calls?: { id: string; type: string; function: { name: string; arguments: string } }[];
    };
  }[];
  usage: {
    prompt_tokens: number;
    completion_tokens: number;
    prompt_tokens_details?: { cached_tokens: number };
  };
  error?: { code: string; param: string | null; message: string };
};

type Logprobs = {
  content?: { token: string; logprob: number; bytes: number[]; top_logprobs: object[] }[];
  tokens?: string[];
};

export type Worker = {
  engine: string;
  phase: string;
  breaker: string;
  models: string[];
  running: number;
  kv_use: number;
  prefix_hit_tokens: number;
  prefix_query_tokens: number;
  alarms: object[];
  notes: string[];
};

type Streaming = { onChunk?: () => void; calledOff?: AbortSignal };

export class Service implements AsyncDisposable {
  readonly engine: EngineProcess;
  readonly up: Up;
  readonly #parts: AsyncDisposableStack;

  private constructor(engine: EngineProcess, up: Up, parts: AsyncDisposableStack) {
    this.engine = engine;
    this.up = up;
    this.#parts = parts;
  }

  static async start(row: EngineRow, catalog = CATALOG): Promise<Service> {
    await using parts = new AsyncDisposableStack();
    const engine = parts.use(await EngineProcess.start(row));
    const up = parts.use(await Up.start(['--engine', engine.url, '--catalog', catalog]));
    return new Service(engine, up, parts.move());
  }

  /** Sends a request, and returns its status with its answer. */
  async ask(path: string, body: object, key = this.up.first.api_key): Promise<Answer> {
    const response = await this.#post(path, body, key);
    return { status: response.status, ...((await response.json()) as Omit<Answer, 'status'>) };
  }

  chat(content: string, more: object = {}, key = this.up.first.api_key): Promise<Answer> {
    return this.ask('/chat/completions', { ...said(content), ...more }, key);
  }

  /** Streams an answer. `onChunk` is called for each chunk, until `calledOff`. */
  async stream(body: object, { onChunk, calledOff }: Streaming = {}) {
    const path = 'prompt' in body ? '/completions' : '/chat/completions';
    const streamed = { ...body, stream: true, stream_options: { include_usage: true } };
    const key = this.up.first.api_key;
    return readStream(await this.#post(path, streamed, key, calledOff), onChunk);
  }

  async worker(): Promise<Worker> {
    const { data } = (await this.up.api('GET', '/workers')) as { data: Worker[] };
    return data[0] as Worker;
  }

  #post(path: string, body: object, key: string, signal?: AbortSignal): Promise<Response> {
    return this.up.post(
      path,
      { model: MODEL, seed: SEED, ...body },
      {
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        ...(signal && { signal }),
      },
    );
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#parts.disposeAsync();
  }
}

export function said(content: string): object {
  return { messages: [{ role: 'user', content }] };
}
