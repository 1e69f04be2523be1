/**
 * Records the client's side of every request, byte for byte and with timestamps. The torture tests
 * judge what the service reports about itself by this record.
 */
import { createWriteStream, type WriteStream } from 'node:fs';
import { createParser, type EventSourceParser } from 'eventsource-parser';
import { Agent, request } from 'undici';
import type { Api } from '../../router/request/api.ts';
import { type Answer, SPEECH, type Asked, type ShownUsage, unanswered } from './apis.ts';

export type { ShownUsage } from './apis.ts';

/**
 * `complete`: the finish reason, the usage and the end arrived. `cut`: the answer began and was
 * never finished. `left`: the client hung up itself. `refused`: an error
 * with a code arrived. `unreached`: no status arrived.
 */
export type Ending = 'complete' | 'cut' | 'left' | 'refused' | 'unreached';

export type CallOptions = Omit<Asked, 'streamed'> &
  Readonly<{
    /** The base URL of the request, ending in `/v1`. */
    base: string;
    key: string;
    api?: Api;
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
  readonly api: Api;
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

type ErrorAnswer = {
  error?: { code?: string; details?: { error_code: string } };
  request_id?: string;
};

export class ClientLog implements AsyncDisposable {
  readonly calls: Call[] = [];
  readonly #dispatcher = new Agent({ connections: null, headersTimeout: 0, bodyTimeout: 0 });
  readonly #file: WriteStream | null;
  readonly #keepsBytes: boolean;

  /**
   * With a file, every call is written there, so that a violation can be investigated: with every
   * byte that it received, unless `keepsBytes` is false.
   */
  constructor(file: string | null = null, { keepsBytes = true } = {}) {
    this.#file = file === null ? null : createWriteStream(file);
    this.#keepsBytes = keepsBytes;
  }

  /** Returns how many calls ended in this way. */
  count(ending: Ending): number {
    return this.calls.filter((call) => call.ending === ending).length;
  }

  /** Sends one request and follows it until it ends or breaks. Never rejects. */
  async ask(options: CallOptions): Promise<Call> {
    const { api = 'chat', streamed = true } = options;
    const { path, body: bodyOf } = SPEECH[api];
    const body = JSON.stringify(bodyOf({ ...options, streamed }));
    const call = newCall(options, { api, streamed, bodyBytes: Buffer.byteLength(body) });
    this.calls.push(call);
    try {
      const answer = await request(options.base + path, {
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
    const { pieces } = call;
    call.pieces = [];
    const kept = this.#keepsBytes ? pieces : undefined;
    this.#file.write(`${JSON.stringify({ ...call, pieces: kept, key: undefined })}\n`);
  }
}

function newCall(options: CallOptions, of: Pick<Call, 'api' | 'streamed' | 'bodyBytes'>): Call {
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
  const { isText, hear } = SPEECH[call.api];
  const answer = unanswered();
  return createParser({
    onEvent({ data }) {
      // Pieces of text need no more than a count.
      if (!isText(data)) {
        hear(answer, data);
        learn(call, answer);
      }
      if (data === '[DONE]') return;
      call.events += 1;
      onEvent?.(call);
    },
  });
}

function learn(call: Call, { finish, usage, isComplete }: Answer): void {
  call.finish = finish;
  call.usage = usage;
  call.done = isComplete;
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
  if (call.status === 200) return learn(call, SPEECH[call.api].read(text));
  const { error, request_id: id } = JSON.parse(text) as ErrorAnswer;
  call.code = error?.code ?? error?.details?.error_code ?? null;
  call.requestId ??= id ?? null;
}

function endingOf(call: Call, left: boolean): Ending {
  if (call.status === null) return left ? 'left' : 'unreached';
  if (call.status !== 200) return 'refused';
  if (call.done && call.finish !== null && call.usage) return 'complete';
  return left ? 'left' : 'cut';
}
