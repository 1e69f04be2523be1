/**
 * A running simulator on a real socket, fast enough for tests, and a client that records every byte
 * of an answer.
 */
import { type ClientRequest, type IncomingMessage, request as httpRequest } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { z } from 'zod';
import { systemClock } from '../../../shared/clock.ts';
import { makeLog } from '../../../shared/log.ts';
import { seededRandom } from '../../../shared/random.ts';
import { type SimParts, type Simulator, startSimulator } from '../../../agent/simulator/main.ts';
import type { SimOptionsInput } from '../../../agent/simulator/options.ts';

const CATALOG = new URL('../../../configs/catalog.yaml', import.meta.url).pathname;

/** Hugging Face names of the catalog's kinds of model. */
export const PLAIN = 'Qwen/Qwen3-235B-A22B-Instruct-2507';
export const THINKS_BY_DEFAULT = 'Qwen/Qwen3.5-397B-A17B';
export const THINKS_WHEN_ASKED = 'deepseek-ai/DeepSeek-V4-Flash';
export const THINKS_ALWAYS = 'moonshotai/Kimi-K2-Thinking';
export const THINKS_ADAPTIVELY = 'MiniMaxAI/MiniMax-M3';

const Usage = z.object({
  prompt_tokens: z.number(),
  total_tokens: z.number(),
  completion_tokens: z.number(),
  prompt_tokens_details: z.object({ cached_tokens: z.number() }).optional(),
  completion_tokens_details: z.object({ reasoning_tokens: z.number() }).optional(),
});

const ToolCall = z.object({
  id: z.string().optional(),
  type: z.literal('function').optional(),
  index: z.number().optional(),
  function: z.object({ name: z.string().optional(), arguments: z.string() }),
});

const Delta = z.object({
  role: z.string().optional(),
  content: z.string().nullish(),
  reasoning: z.string().nullish(),
  tool_calls: z.array(ToolCall).optional(),
});

const Choice = z.object({
  delta: Delta.optional(),
  message: Delta.optional(),
  text: z.string().optional(),
  finish_reason: z.string().nullable(),
  stop_reason: z.union([z.string(), z.number()]).nullish(),
});

export const Chunk = z.object({
  id: z.string(),
  object: z.string(),
  model: z.string(),
  choices: z.array(Choice),
  usage: Usage.optional(),
});
export type Chunk = z.infer<typeof Chunk>;

const ErrorBody = z.object({
  error: z.object({
    message: z.string(),
    type: z.string(),
    param: z.string().nullable(),
    code: z.int(),
  }),
});

const Requests = z.object({
  running: z.number(),
  waiting: z.number(),
  started: z.number(),
  finished: z.number(),
  aborted: z.number(),
  last: z
    .object({
      keys: z.array(z.string()),
      header_names: z.array(z.string()),
      traceparent: z.string().nullable(),
      body: z.unknown().optional(),
    })
    .nullable(),
});
type Requests = z.infer<typeof Requests>;

/** An answer, as received from the socket. */
export interface Answer {
  readonly status: number;
  readonly text: string;
  /** The pieces in which the socket delivered it. */
  readonly reads: readonly Buffer[];
  /** Whether the response ended properly. */
  readonly complete: boolean;
  /** The `data:` of its events. */
  readonly events: readonly string[];
  /** The events as chunks. Throws if an event is not a chunk. */
  chunks(): Chunk[];
  /** The body of an answer that is not streamed. */
  whole(): Chunk;
  error(): z.infer<typeof ErrorBody>['error'];
}

export class Rig implements AsyncDisposable {
  readonly url: string;
  readonly kvEventsEndpoint: string;
  readonly #stack: AsyncDisposableStack;

  constructor({ url, kvEventsEndpoint }: Simulator, stack: AsyncDisposableStack) {
    this.url = url;
    this.kvEventsEndpoint = kvEventsEndpoint ?? '';
    this.#stack = stack;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stack.disposeAsync();
  }

  /**
   * Sends a chat completion with one user message. `more` adds to the body or replaces parts of it.
   */
  chat(content: string, more: object = {}): Promise<Answer> {
    return this.send('/v1/chat/completions', chatBody(content, more));
  }

  stream(content: string, more: object = {}): Promise<Answer> {
    return this.chat(content, { ...STREAMED, ...more });
  }

  async send(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    const call = this.open(path, body, headers);
    return call.answer;
  }

  /** Opens a request that the test may abort. */
  open(path: string, body: unknown, headers: Record<string, string> = {}): Call {
    const method = body === undefined ? 'GET' : 'POST';
    return openCall(this.url + path, method, body, headers);
  }

  async faults(faults: object): Promise<Answer> {
    return openCall(`${this.url}/sim/faults`, 'PUT', faults, {}).answer;
  }

  async clearFaults(): Promise<void> {
    await openCall(`${this.url}/sim/faults`, 'DELETE', undefined, {}).answer;
  }

  async requests(): Promise<Requests> {
    const { text } = await this.send('/sim/requests', undefined);
    return Requests.parse(JSON.parse(text));
  }

  /** Waits until the engine's own view of its requests satisfies `holds`. */
  async until(holds: (view: Requests) => boolean): Promise<Requests> {
    for (;;) {
      const view = await this.requests();
      if (holds(view)) return view;
      await nextTurn();
    }
  }

  /** The value of a metric's sample that has all of these labels. */
  async metric(name: string, ...labels: string[]): Promise<number> {
    const { text } = await this.send('/metrics', undefined);
    const line = text
      .split('\n')
      .find((each) => each.startsWith(`${name}{`) && labels.every((label) => each.includes(label)));
    return Number(line?.split(' ').at(-1));
  }
}

export interface Call {
  readonly answer: Promise<Answer>;
  /** Resolves when this many bytes of the body have arrived. */
  received(bytes: number): Promise<void>;
  abort(): void;
}

const STREAMED = { stream: true, stream_options: { include_usage: true } };

export function chatBody(content: string, more: object = {}): object {
  return { model: PLAIN, messages: [{ role: 'user', content }], ...more };
}

export function streamBody(content: string, more: object = {}): object {
  return chatBody(content, { ...STREAMED, ...more });
}

/** Defaults: one millisecond per token, and every model of the catalog. */
export async function startRig(
  options: Partial<SimOptionsInput> = {},
  more: Partial<SimParts> = {},
): Promise<Rig> {
  await using building = new AsyncDisposableStack();
  const simulator = building.use(
    await startSimulator(
      { port: 0, catalog: CATALOG, tokenMs: 1, prefillUs: 1, kvBlocks: 8_192, ...options },
      { clock: systemClock, random: seededRandom(7), log: makeLog('test', 'silent'), ...more },
    ),
  );
  return new Rig(simulator, building.move());
}

export function contentOf(chunks: readonly Chunk[]): string {
  return chunks
    .map(({ choices: [choice] }) => choice?.delta?.content ?? choice?.text ?? '')
    .join('');
}

export function reasoningOf(chunks: readonly Chunk[]): string {
  return chunks.map(({ choices: [choice] }) => choice?.delta?.reasoning ?? '').join('');
}

export function finishOf(chunks: readonly Chunk[]): string | null | undefined {
  return chunks.map(({ choices: [choice] }) => choice?.finish_reason).findLast(Boolean);
}

export function usageOf(chunks: readonly Chunk[]): z.infer<typeof Usage> | undefined {
  return chunks.findLast(({ usage }) => usage)?.usage;
}

function openCall(
  url: string,
  method: string,
  body: unknown,
  headers: Record<string, string>,
): Call {
  const data = body === undefined ? undefined : JSON.stringify(body);
  const reads: Buffer[] = [];
  let bytes = 0;
  const gates: { bytes: number; open: () => void }[] = [];
  const call: ClientRequest = httpRequest(url, {
    method,
    agent: false,
    headers: { ...headers, ...(data !== undefined && { 'content-type': 'application/json' }) },
  });
  const answer = new Promise<Answer>((resolve, reject) => {
    call.on('error', reject);
    call.on('response', (response: IncomingMessage) => {
      response.on('data', (piece: Buffer) => {
        reads.push(piece);
        bytes += piece.length;
        for (const gate of gates) if (bytes >= gate.bytes) gate.open();
      });
      response.on('error', () => {});
      response.on('close', () => {
        resolve(makeAnswer(response.statusCode ?? 0, reads, response.complete));
      });
    });
  });
  // Many tests look at the engine's state and never await the answer.
  answer.catch(() => {});
  call.end(data);
  return {
    answer,
    received: (least) =>
      new Promise((resolve) => {
        if (bytes >= least) resolve();
        else gates.push({ bytes: least, open: resolve });
      }),
    abort: () => call.destroy(),
  };
}

function makeAnswer(status: number, reads: readonly Buffer[], complete: boolean): Answer {
  const text = Buffer.concat([...reads]).toString('utf8');
  const events = text
    .split('\n\n')
    .flatMap((block) => block.split('\n'))
    .filter((line) => line.startsWith('data: '))
    .map((line) => line.slice(6));
  return {
    status,
    text,
    reads,
    complete,
    events,
    chunks: () =>
      events.filter((data) => data !== '[DONE]').map((data) => Chunk.parse(JSON.parse(data))),
    whole: () => Chunk.parse(JSON.parse(text)),
    error: () => ErrorBody.parse(JSON.parse(text)).error,
  };
}
