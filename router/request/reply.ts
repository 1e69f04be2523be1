/**
 * The client's side of a request: what was written, whether the client still reads, and whether it is gone.
 * An answer begins once, and ends in exactly one of three ways: whole, cut, or left by the client.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../../shared/clock.ts';
import type { RequestId } from '../../shared/ids.ts';
import { limits } from '../../shared/limits.ts';
import { CORS_HEADERS } from './cors.ts';

const SSE_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache',
  // Proxies that buffer (nginx) would hold tokens back.
  'x-accel-buffering': 'no',
  ...CORS_HEADERS,
} as const;

/** The size of the blocks that hold what a slow reader has not taken yet; a longer event gets a block of its size. */
const BLOCK_BYTES = 4 * 1024;

const NOTHING = Buffer.alloc(0);
const COMMENT = ':\n\n';

const JSON_HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  ...CORS_HEADERS,
} as const;

export class Reply {
  readonly requestId: RequestId;
  readonly #response: ServerResponse;
  readonly #clock: Clock;
  #stalledAt: number | null = null;
  /** Bytes pending at the last tick. */
  #pendingSeen = 0;
  /** What a reader who is behind will be sent next, in blocks. */
  #behind: Buffer[] = [];
  #behindBytes = 0;
  /** Bytes of the last block that are in use. */
  #lastBytes = 0;
  /** Memory for copies of events while others wait to be sent, and how much of it is used. */
  #block: Buffer = NOTHING;
  #blockUsed = 0;
  #commentedAt: number;
  #left = false;
  #promised: Readonly<Record<string, string>> = {};
  readonly #onClose: (() => void)[] = [];
  #onLeft: () => void = () => {};
  #onDrain: () => void = () => {};

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
      this.#left = true;
      this.#behind = [];
      this.#behindBytes = 0;
      this.#onLeft();
    });
    response.on('drain', () => {
      this.#stalledAt = null;
      this.#catchUp();
      this.#onDrain();
    });
    // Without a listener an error on a half-closed socket would end the process; 'close' follows.
    response.on('error', () => {});
    request.on('error', () => {});
  }

  /** Whether headers are out: from then on a failure can only cut. */
  get begun(): boolean {
    return this.#response.headersSent;
  }

  /** Whether the client hung up before its answer was whole. */
  get left(): boolean {
    return this.#left;
  }

  /** Bytes written that the client has not taken. */
  get pendingBytes(): number {
    return this.#response.writableLength + this.#behindBytes;
  }

  /** Since when the client has taken nothing though there is something to take; null if it reads. */
  get stalledAt(): number | null {
    return this.#stalledAt;
  }

  /** Called a few times a second: a client that takes something, however slowly, does not stall. */
  tick(now: number): void {
    const pending = this.pendingBytes;
    if (this.#stalledAt !== null && pending < this.#pendingSeen) this.#stalledAt = now;
    this.#pendingSeen = pending;
  }

  /** Who hears of the client's leaving and of its reading on: one listener, the stage at work. */
  listen(events: Readonly<{ left: () => void; drained: () => void }>): void {
    this.#onLeft = events.left;
    this.#onDrain = events.drained;
    if (this.#left) events.left();
  }

  /** Called once nothing more is kept for the client, whether it has its answer or not. */
  onClose(closed: () => void): void {
    if (this.#response.closed) closed();
    else this.#onClose.push(closed);
  }

  /** Headers that the answer will have beside its own. */
  promise(headers: Readonly<Record<string, string>>): void {
    this.#promised = headers;
  }

  /** While a long prefill keeps the client waiting, comments keep proxies from cutting the stream. */
  keepAlive(now: number): void {
    if (now - this.#commentedAt <= limits.commentAfterMs) return;
    this.#commentedAt = now;
    this.beginStream();
    this.write(COMMENT);
  }

  /** The headers go out with the first bytes, in one packet. */
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
   * Hot path. An event in three parts. `text` is part of a message with many streams' bytes and is only lent, so it is
   * copied. While earlier bytes still wait to be sent, the copy goes into a block of this reply: in Node's pool, each small
   * event that waits would keep 64 KiB. Once the socket has enough, events are gathered.
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
    if (this.#left) return;
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

  /** The socket has room again: a block is small, so that a slow reader is seen to read. */
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

  /** The last bytes of a stream that is whole. */
  endStream(bytes: string): void {
    this.beginStream();
    this.#finish(bytes);
  }

  json(status: number, body: string, headers: Readonly<Record<string, string>> = {}): void {
    this.#beginJson(status, Buffer.byteLength(body), headers);
    this.#finish(body);
  }

  /** A whole answer, whose pieces are not joined. They stay as they are until the reply is closed. */
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

  /** What was written to its end is not kept for ever for a reader who does not read. */
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

  /** Ends a stream that is not whole, so that no client can take it for one that is. */
  cut(): void {
    this.#response.destroy();
  }
}
