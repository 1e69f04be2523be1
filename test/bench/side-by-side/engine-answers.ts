/**
 * The bytes of the fake engine's answers, in the form of vLLM's. They are made once for each shape of
 * request, and only the completion's id is written into a copy for each answer.
 */
import { TOKEN_TEXT } from './token-counter.ts';

export type Shape = Readonly<{
  model: string;
  promptTokens: number;
  tokens: number;
  /** Whether the stream ends with the usage, and whether each chunk has the usage so far. */
  usage: boolean;
  continuousUsage: boolean;
}>;

export const ID_LENGTH = 16;
const ID_PREFIX = 'chatcmpl-';
const CREATED = Math.floor(Date.now() / 1000);
const STREAM_HEAD =
  'HTTP/1.1 200 OK\r\nserver: uvicorn\r\ncontent-type: text/event-stream; charset=utf-8\r\n' +
  'transfer-encoding: chunked\r\n\r\n';

/** Bytes with places for the completion's id. */
export class Template {
  readonly #bytes: Buffer;
  readonly #places: readonly number[];

  constructor(text: string) {
    this.#bytes = Buffer.from(text, 'latin1');
    this.#places = [...text.matchAll(new RegExp(ID_PREFIX, 'g'))].map(
      ({ index }) => index + ID_PREFIX.length,
    );
  }

  with(id: string): Buffer {
    const copy = Buffer.allocUnsafe(this.#bytes.length);
    this.#bytes.copy(copy);
    for (const place of this.#places) copy.write(id, place, 'latin1');
    return copy;
  }
}

/** The templates of a streamed answer, one for each token. The first one has the head. */
export function streamOf(shape: Shape): readonly Template[] {
  const { tokens, usage, continuousUsage } = shape;
  return Array.from({ length: tokens }, (_, index) => {
    const soFar = continuousUsage ? usageOf(shape, index + 1) : '';
    const isLast = index + 1 === tokens;
    const finish = isLast ? '"length","stop_reason":null' : 'null';
    const delta = `{"content":"${tokenText(index)}"},"logprobs":null,"finish_reason":${finish}}]`;
    let text = index === 0 ? STREAM_HEAD + chunked(roleEvent(shape)) : '';
    text += chunked(event(shape, `"choices":[{"index":0,"delta":${delta}${soFar}`));
    if (isLast && usage) text += chunked(event(shape, `"choices":[]${usageOf(shape, tokens)}`));
    if (isLast) text += `${chunked('data: [DONE]\n\n')}0\r\n\r\n`;
    return new Template(text);
  });
}

export function wholeAnswer(shape: Shape): Template {
  const { model, tokens } = shape;
  const text = Array.from({ length: tokens }, (_, index) => tokenText(index)).join('');
  const message = `{"role":"assistant","content":"${text}","refusal":null,"tool_calls":[]}`;
  const choice = `{"index":0,"message":${message},"logprobs":null,"finish_reason":"length","stop_reason":null}`;
  const body =
    `{"id":"${ID_PREFIX}${'0'.repeat(ID_LENGTH)}","object":"chat.completion","created":${CREATED},` +
    `"model":"${model}","choices":[${choice}]${usageOf(shape, tokens)}}`;
  return new Template(reply('200 OK', 'application/json', body));
}

export function reply(status: string, type: string, body: string): string {
  return (
    `HTTP/1.1 ${status}\r\nserver: uvicorn\r\ncontent-type: ${type}\r\n` +
    `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  );
}

/** Two neighbours differ, because some gateways end a stream that repeats itself. */
function tokenText(index: number): string {
  return TOKEN_TEXT + String.fromCodePoint(97 + (index % 26));
}

function roleEvent(shape: Shape): string {
  const delta = '{"role":"assistant","content":""},"logprobs":null,"finish_reason":null}]';
  const soFar = shape.continuousUsage ? usageOf(shape, 0) : '';
  return event(shape, `"choices":[{"index":0,"delta":${delta}${soFar}`);
}

function event({ model }: Shape, rest: string): string {
  return (
    `data: {"id":"${ID_PREFIX}${'0'.repeat(ID_LENGTH)}","object":"chat.completion.chunk",` +
    `"created":${CREATED},"model":"${model}",${rest}}\n\n`
  );
}

function usageOf({ promptTokens }: Shape, tokens: number): string {
  const total = promptTokens + tokens;
  return (
    `,"usage":{"prompt_tokens":${promptTokens},"total_tokens":${total},` +
    `"completion_tokens":${tokens},"prompt_tokens_details":{"cached_tokens":0}}`
  );
}

function chunked(text: string): string {
  return `${text.length.toString(16)}\r\n${text}\r\n`;
}
