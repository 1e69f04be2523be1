/**
 * The router's connection to the client of a request: writes the response, and detects when the
 * client stops reading or disconnects. A response begins once, and ends in exactly one way:
 * complete, cut, or abandoned by the client.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../../shared/clock.ts';
import type { RequestId } from '../../shared/ids.ts';
import { limits } from '../../shared/limits.ts';
import { CORS_HEADERS } from './cors.ts';

const SSE_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache',
  // Proxies that buffer (nginx) would delay tokens.
  'x-accel-buffering': 'no',
  ...CORS_HEADERS,
} as const;

/** Size of the blocks that buffer for a slow client. A longer event gets a block of its size. */
const BLOCK_BYTES = 4 * 1024;

const NOTHING = Buffer.alloc(0);
const COMMENT = ':\n\n';

const JSON_HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  ...CORS_HEADERS,
} as const;

/** What a client does while a stage of its request runs. */
export interface ClientEvents {
  /** The client left. */
  disconnected(): void;
  /** The client has read all that was written. */
  drained(): void;
}

const NOBODY: ClientEvents = { disconnected() {}, drained() {} };

export class Reply {
  readonly requestId: RequestId;
  readonly #response: ServerResponse;
  readonly #clock: Clock;
  #stalledAt: number | null = null;
  /** Bytes pending at the last tick. */
  #pendingSeen = 0;
  /** Blocks to send next to a client that is behind. */
  #behind: Buffer[] = [];
  #behindBytes = 0;
  /** Used bytes of the last block. */
  #lastBytes = 0;
  /** Memory for copies of events that wait to be sent, and the used part of it. */
  #block: Buffer = NOTHING;
  #blockUsed = 0;
  #commentedAt: number;
  #disconnected = false;
  #promised: Readonly<Record<string, string>> = {};
  readonly #onClose: (() => void)[] = [];
  #listener: ClientEvents = NOBODY;

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    requestId: RequestId,
    clock: Clock,
  ) {
    this.#response = response;
    this.#clock = clock;
    this.requestId = requestId;
    this.#commentedAt = clock.monotonic();
    response.on('close', () => {
      for (const closed of this.#onClose.splice(0)) closed();
      if (response.writableFinished) return;
      this.#disconnected = true;
      this.#behind = [];
      this.#behindBytes = 0;
      this.#listener.disconnected();
    });
    response.on('drain', () => {
      this.#stalledAt = null;
      this.#catchUp();
      this.#listener.drained();
    });
    // Without a listener, an error on a half-closed socket would end the process. 'close' follows.
    response.on('error', () => {});
    request.on('error', () => {});
  }

  /** Whether the headers were sent. From then on, a failure can only cut the response. */
  get begun(): boolean {
    return this.#response.headersSent;
  }

  /** Whether the client disconnected before its response was complete. */
  get disconnected(): boolean {
    return this.#disconnected;
  }

  /** Bytes written that the client has not read. */
  get pendingBytes(): number {
    return this.#response.writableLength + this.#behindBytes;
  }

  /**
   * Since when the client has read nothing although bytes are pending, as the last tick knows. Null
   * while the socket takes what is written.
   */
  get stalledAt(): number | null {
    return this.#stalledAt;
  }

  /** Called a few times a second. A client that reads anything, however slowly, is not stalled. */
  tick(now: number): void {
    const pending = this.pendingBytes;
    if (this.#stalledAt !== null && pending < this.#pendingSeen) this.#stalledAt = now;
    this.#pendingSeen = pending;
  }

  /** Sets the only listener for a client that leaves or reads again: the stage that is running. */
  listen(listener: ClientEvents): void {
    this.#listener = listener;
    if (this.#disconnected) listener.disconnected();
  }

  /** Removes the listener. */
  ignore(): void {
    this.#listener = NOBODY;
  }

  /** Calls back when nothing is kept for the client any more, whether it got the answer or not. */
  onClose(closed: () => void): void {
    if (this.#response.closed) closed();
    else this.#onClose.push(closed);
  }

  /** Sets additional headers of the response. */
  setHeaders(headers: Readonly<Record<string, string>>): void {
    this.#promised = headers;
  }

  /** Sends comments during a long prefill, so that proxies do not close the idle stream. */
  keepAlive(now: number): void {
    if (now - this.#commentedAt <= limits.commentAfterMs) return;
    this.#commentedAt = now;
    this.beginStream();
    this.write(COMMENT);
  }

  /** The headers are sent with the first bytes, in one packet. */
  beginStream(): void {
    if (this.begun) return;
    const id = { 'x-request-id': this.requestId };
    this.#response.writeHead(200, { ...SSE_HEADERS, ...id, ...this.#promised });
  }

  write(text: string): void {
    if (this.#stalledAt !== null) return this.#gather(text);
    this.#send(text);
  }

  /**
   * Hot path. Writes an event in three parts. `text` is copied, because it is a part of a message
   * of many streams and is valid only during the call. While earlier bytes are pending, the copy
   * goes into a block of this reply: in Node's pool, each small pending event would retain 64 KiB.
   * When the socket's buffer is full, events are buffered in blocks.
   */
  writeEvent(head: Buffer, text: Buffer, tail: Buffer): void {
    if (this.#stalledAt !== null) {
      this.#gather(head);
      this.#gather(text);
      return this.#gather(tail);
    }
    const length = head.length + text.length + tail.length;
    const isBehind = this.#response.writableLength > 0;
    const event = isBehind ? this.#allocate(length) : Buffer.allocUnsafe(length);
    event.set(head);
    event.set(text, head.length);
    event.set(tail, head.length + text.length);
    this.#send(event);
  }

  #allocate(length: number): Buffer {
    if (this.#blockUsed + length > this.#block.length) {
      this.#block = Buffer.allocUnsafeSlow(Math.max(BLOCK_BYTES, length));
      this.#blockUsed = 0;
    }
    const from = this.#blockUsed;
    this.#blockUsed += length;
    return this.#block.subarray(from, this.#blockUsed);
  }

  #send(bytes: Buffer | string): void {
    if (!this.#response.write(bytes)) this.#stalledAt = this.#clock.monotonic();
  }

  #gather(bytes: Buffer | string): void {
    if (this.#disconnected) return;
    const length = Buffer.byteLength(bytes);
    let last = this.#behind.at(-1);
    if (!last || this.#lastBytes + length > last.length) {
      this.#closeLast();
      last = Buffer.allocUnsafeSlow(Math.max(BLOCK_BYTES, length));
      this.#behind.push(last);
    }
    if (typeof bytes === 'string') last.write(bytes, this.#lastBytes);
    else last.set(bytes, this.#lastBytes);
    this.#lastBytes += length;
    this.#behindBytes += length;
  }

  #closeLast(): void {
    const last = this.#behind.pop();
    if (last) this.#behind.push(last.subarray(0, this.#lastBytes));
    this.#lastBytes = 0;
  }

  /** Sends blocks while the socket has room. Blocks are small, so a slow client is seen to read. */
  #catchUp(): void {
    this.#closeLast();
    while (this.#stalledAt === null) {
      const block = this.#behind.shift();
      if (!block) return;
      this.#behindBytes -= block.length;
      if (!this.#response.write(block)) this.#stalledAt = this.#clock.monotonic();
    }
    this.#lastBytes = this.#behind.at(-1)?.length ?? 0;
  }

  /** Writes the last bytes of a complete stream. */
  endStream(bytes: string): void {
    this.beginStream();
    this.#finish(bytes);
  }

  json(status: number, body: string, headers: Readonly<Record<string, string>> = {}): void {
    this.#beginJson(status, Buffer.byteLength(body), headers);
    this.#finish(body);
  }

  /** Writes a whole response. The pieces are not joined, and must not change until it closes. */
  jsonPieces(pieces: readonly (Buffer | string)[]): void {
    const bytes = pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0);
    this.#beginJson(200, bytes);
    this.#response.cork();
    for (const piece of pieces) this.#response.write(piece);
    this.#finish('');
  }

  #beginJson(status: number, bytes: number, headers: Readonly<Record<string, string>> = {}): void {
    this.#response.writeHead(status, {
      ...JSON_HEADERS,
      'content-length': bytes,
      'x-request-id': this.requestId,
      ...this.#promised,
      ...headers,
    });
  }

  /** Ends the response. If the client stops reading the last bytes, the connection is destroyed. */
  #finish(bytes: string): void {
    this.#closeLast();
    for (const block of this.#behind) this.#response.write(block);
    this.#behind = [];
    this.#behindBytes = 0;
    this.#response.end(bytes);
    if (this.#response.writableLength > 0) this.#watchLastBytes(this.#response.writableLength);
  }

  #watchLastBytes(pending: number): void {
    const timer = this.#clock.after(limits.writeStallMsMax, () => {
      const left = this.#response.writableLength;
      if (left < pending) this.#watchLastBytes(left);
      else this.#response.destroy();
    });
    this.#response.once('close', () => timer.cancel());
  }

  /** Destroys the connection of an incomplete stream, so that no client takes it for complete. */
  abort(): void {
    this.#response.destroy();
  }
}
