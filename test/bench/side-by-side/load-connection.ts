/**
 * One connection of the load generator: it sends a request and checks the answer as it comes. An
 * answer that is not whole fails the run, because its figures would be worth nothing.
 */
import { connect, type Socket } from 'node:net';
import type { Order } from './load-order.ts';
import { ResponseParser } from './http-response.ts';
import { countTokens, TokenCounter } from './token-counter.ts';

/** Pieces are read into one buffer by all connections, because each is used before the next read. */
const PIECE = Buffer.allocUnsafe(256 * 1024);
const ID_LENGTH = 16;
const PROMPT_LENGTH = 200;
const WORDS = 'the water falls through a gate and turns wheels below where people wait for light ';

/** The bytes of an order's requests. Prompts differ from their first characters on. */
export class RequestBytes {
  readonly #bytes: Buffer;
  readonly #idAt: number;
  #sent = 0;

  constructor({ url, key, model, kind, tokens, rate }: Order) {
    const pace = kind === 'streams' ? rate : 0;
    const start = `${'0'.repeat(ID_LENGTH)} rate=${pace} `;
    const body = JSON.stringify({
      model,
      messages: [{ role: 'user', content: start + WORDS.repeat(3).slice(0, PROMPT_LENGTH) }],
      max_tokens: tokens,
      ...(kind === 'streams' && { stream: true, stream_options: { include_usage: true } }),
    });
    const head =
      `POST /v1/chat/completions HTTP/1.1\r\nHost: ${new URL(url).host}\r\nAccept: */*\r\n` +
      `Authorization: Bearer ${key}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${body.length}\r\n\r\n`;
    this.#bytes = Buffer.from(head + body, 'latin1');
    this.#idAt = this.#bytes.indexOf(start);
  }

  /** The next request. */
  next(): Buffer {
    const copy = Buffer.from(this.#bytes);
    // The low digits of the time tell the runs apart.
    const run = (Math.floor(performance.timeOrigin + performance.now()) % 2 ** 32).toString(16);
    const id = (this.#sent++).toString(16).padStart(8, '0') + run.padStart(8, '0');
    copy.write(id, this.#idAt, 'latin1');
    return copy;
  }
}

type Listener = Readonly<{
  /** Tokens of a stream that came in one piece. */
  onTokens: (tokens: number) => void;
  onWhole: () => void;
  onFailure: (error: Error) => void;
}>;

export class LoadConnection {
  readonly #socket: Socket;
  readonly #order: Order;
  readonly #listener: Listener;
  #response = new ResponseParser(() => {});
  #stream = new TokenCounter();
  #text = '';
  #isBusy = false;

  constructor(order: Order, listener: Listener) {
    const { hostname: host, port } = new URL(order.url);
    this.#order = order;
    this.#listener = listener;
    const onread = { buffer: PIECE, callback: (length: number) => this.#read(length) };
    this.#socket = connect({ host, port: Number(port), noDelay: true, onread });
    this.#socket.on('error', (error) => this.#fail(error.message));
    this.#socket.on('close', () => this.#fail('the connection closed'));
  }

  send(request: Buffer): void {
    const isStream = this.#order.kind === 'streams';
    this.#isBusy = true;
    this.#text = '';
    this.#stream = new TokenCounter();
    this.#response = new ResponseParser((text) => {
      if (!isStream || this.#response.status !== 200) this.#text += text;
      else this.#count(text);
    });
    this.#socket.write(request);
  }

  close(): void {
    this.#isBusy = false;
    this.#socket.destroy();
  }

  #read(length: number): boolean {
    try {
      const isWhole = this.#response.feed(PIECE.toString('latin1', 0, length));
      if (isWhole) this.#finish();
    } catch (error) {
      this.#fail(String(error));
    }
    return true;
  }

  #count(text: string): void {
    const tokens = this.#stream.feed(text);
    if (tokens > 0) this.#listener.onTokens(tokens);
  }

  #finish(): void {
    const { status } = this.#response;
    const { isDone, failure } = this.#stream;
    const isStream = this.#order.kind === 'streams';
    const tokens = isStream ? this.#stream.tokens : countTokens(this.#text);
    if (status !== 200) throw new Error(`status ${status}: ${this.#text.slice(0, 300)}`);
    if (failure !== null) throw new Error(`an error in the stream: ${failure}`);
    if (isStream && !isDone) throw new Error('a stream without [DONE]');
    if (tokens !== this.#order.tokens) {
      throw new Error(`${tokens} tokens instead of ${this.#order.tokens}`);
    }
    this.#isBusy = false;
    this.#listener.onWhole();
  }

  #fail(reason: string): void {
    if (!this.#isBusy) return;
    this.close();
    this.#listener.onFailure(new Error(reason));
  }
}
