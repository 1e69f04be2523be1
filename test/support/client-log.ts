/**
 * Records the client's side of every request, byte for byte and with timestamps. The torture tests
 * judge what the service reports about itself by this record.
 */
import { createWriteStream, type WriteStream } from 'node:fs';
import { createParser, type EventSourceParser } from 'eventsource-parser';
import { Agent, request } from 'undici';

export type ShownUsage = Readonly<{ prompt: number; cached: number; completion: number }>;

/**
 * `complete`: the finish chunk, the usage and `[DONE]` arrived, or a whole JSON answer did. `cut`:
 * the answer began and was never finished. `left`: the client hung up itself. `refused`: an error
 * with a code arrived. `unreached`: no status arrived.
 */
export type Ending = 'complete' | 'cut' | 'left' | 'refused' | 'unreached';

export type CallOptions = Readonly<{
  /** The base URL of the request, ending in `/v1`. */
  base: string;
  key: string;
  model: string;
  prompt: string;
  maxTokens: number | null;
  endpoint?: 'chat' | 'completions';
  streamed?: boolean;
  /** Abort this signal to make the client hang up. */
  leave?: AbortSignal;
  /** Called for every event of the stream except `[DONE]`. */
  onEvent?: (call: Call) => void;
}>;

/** One request, as its client saw it. Times are in ms of the monotonic clock. */
export type Call = {
  readonly base: string;
  readonly key: string;
  readonly model: string;
  readonly endpoint: 'chat' | 'completions';
  readonly streamed: boolean;
  readonly maxTokens: number | null;
  readonly bodyBytes: number;
  readonly sentAt: number;
  requestId: string | null;
  status: number | null;
  headersAt: number | null;
  firstByteAt: number | null;
  lastByteAt: number | null;
  endedAt: number | null;
  /** Everything that was received, in its pieces. Emptied once it is written to the log's file. */
  pieces: { at: number; text: string }[];
  bytes: number;
  events: number;
  finish: string | null;
  usage: ShownUsage | null;
  done: boolean;
  /** The error code, when the request was refused. */
  code: string | null;
  ending: Ending | null;
};

type Chunk = {
  choices?: { finish_reason?: string | null }[];
  usage?: {
    prompt_tokens: number;
    completion_tokens: number;
    prompt_tokens_details?: { cached_tokens?: number };
  };
};

const PATH = { chat: '/chat/completions', completions: '/completions' } as const;

export class ClientLog implements AsyncDisposable {
  readonly calls: Call[] = [];
  readonly #dispatcher = new Agent({ connections: null, headersTimeout: 0, bodyTimeout: 0 });
  readonly #file: WriteStream | null;

  /** With a file, every received byte is written there, so that a violation can be investigated. */
  constructor(file: string | null = null) {
    this.#file = file === null ? null : createWriteStream(file);
  }

  /** Returns how many calls ended in this way. */
  count(ending: Ending): number {
    return this.calls.filter((call) => call.ending === ending).length;
  }

  /** Sends one request and follows it until it ends or breaks. Never rejects. */
  async ask(options: CallOptions): Promise<Call> {
    const { endpoint = 'chat', streamed = true } = options;
    const body = bodyOf(options, endpoint, streamed);
    const call = newCall(options, { endpoint, streamed, bodyBytes: Buffer.byteLength(body) });
    this.calls.push(call);
    try {
      const answer = await request(options.base + PATH[endpoint], {
        method: 'POST',
        dispatcher: this.#dispatcher,
        headers: { authorization: `Bearer ${options.key}`, 'content-type': 'application/json' },
        body,
        signal: options.leave ?? null,
      });
      call.headersAt = performance.now();
      call.status = answer.statusCode;
      const id = answer.headers['x-request-id'];
      call.requestId = typeof id === 'string' ? id : null;
      const isEvents = answer.statusCode === 200 && streamed;
      const parser = isEvents ? followEvents(call, options.onEvent) : null;
      await receive(call, answer.body, parser);
      if (!isEvents) readWhole(call);
    } catch {
      // The connection was cut, refused by the machine, or closed by us. `endingOf` decides from
      // what had arrived by then.
    }
    call.endedAt = performance.now();
    call.ending = endingOf(call, options.leave?.aborted ?? false);
    this.#keep(call);
    return call;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#dispatcher.destroy();
    const file = this.#file;
    if (file) await new Promise((resolve) => file.end(resolve));
  }

  #keep(call: Call): void {
    if (!this.#file || this.#file.writableEnded) return;
    this.#file.write(`${JSON.stringify({ ...call, key: undefined })}\n`);
    call.pieces = [];
  }
}

function bodyOf(options: CallOptions, endpoint: 'chat' | 'completions', streamed: boolean): string {
  return JSON.stringify({
    model: options.model,
    ...(endpoint === 'chat'
      ? { messages: [{ role: 'user', content: options.prompt }] }
      : { prompt: options.prompt }),
    ...(options.maxTokens === null ? {} : { max_tokens: options.maxTokens }),
    ...(streamed ? { stream: true, stream_options: { include_usage: true } } : {}),
  });
}

function newCall(
  options: CallOptions,
  of: Pick<Call, 'endpoint' | 'streamed' | 'bodyBytes'>,
): Call {
  const { base, key, model, maxTokens } = options;
  return {
    base,
    key,
    model,
    maxTokens,
    ...of,
    sentAt: performance.now(),
    requestId: null,
    status: null,
    headersAt: null,
    firstByteAt: null,
    lastByteAt: null,
    endedAt: null,
    pieces: [],
    bytes: 0,
    events: 0,
    finish: null,
    usage: null,
    done: false,
    code: null,
    ending: null,
  };
}

function followEvents(call: Call, onEvent: CallOptions['onEvent']): EventSourceParser {
  return createParser({
    onEvent({ data }) {
      if (data === '[DONE]') {
        call.done = true;
        return;
      }
      call.events += 1;
      // Only the last events are parsed: all others are plain tokens and need no more than a count.
      if (!data.includes('"finish_reason":null')) {
        const { choices, usage } = JSON.parse(data) as Chunk;
        call.finish = choices?.[0]?.finish_reason ?? call.finish;
        if (usage) call.usage = shownUsage(usage);
      }
      onEvent?.(call);
    },
  });
}

async function receive(
  call: Call,
  body: AsyncIterable<Buffer>,
  parser: EventSourceParser | null,
): Promise<void> {
  const decoder = new TextDecoder();
  for await (const piece of body) {
    const at = performance.now();
    const text = decoder.decode(piece, { stream: true });
    call.firstByteAt ??= at;
    call.lastByteAt = at;
    call.bytes += piece.length;
    call.pieces.push({ at, text });
    parser?.feed(text);
  }
}

function readWhole(call: Call): void {
  const text = call.pieces.map((piece) => piece.text).join('');
  const answer = JSON.parse(text) as Chunk & { error?: { code: string }; request_id?: string };
  call.code = answer.error?.code ?? null;
  call.requestId ??= answer.request_id ?? null;
  call.finish = answer.choices?.[0]?.finish_reason ?? null;
  if (answer.usage) call.usage = shownUsage(answer.usage);
  call.done = call.status === 200;
}

function shownUsage(usage: NonNullable<Chunk['usage']>): ShownUsage {
  return {
    prompt: usage.prompt_tokens,
    completion: usage.completion_tokens,
    cached: usage.prompt_tokens_details?.cached_tokens ?? 0,
  };
}

function endingOf(call: Call, left: boolean): Ending {
  if (call.status === null) return left ? 'left' : 'unreached';
  if (call.status !== 200) return 'refused';
  if (call.done && call.finish !== null && call.usage) return 'complete';
  return left ? 'left' : 'cut';
}
