/**
 * The router's connection to the client of a request: writes the response, and detects when the
 * client stops reading or disconnects. A response begins once, and ends in exactly one way:
 * complete, cut, or abandoned by the client.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../../shared/clock.ts';
import type { RequestId } from '../../shared/ids.ts';
import { limits } from '../../shared/limits.ts';
import type { Api } from './api.ts';
import { Backlog } from './backlog.ts';
import { CORS_HEADERS } from './cors.ts';
import { gatherEvents } from './gather-events.ts';

const SSE_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache',
  // Proxies that buffer (nginx) would delay tokens.
  'x-accel-buffering': 'no',
  ...CORS_HEADERS,
} as const;

/** Shorter pieces of text are copied: a write of its own costs more. */
const KEPT_BYTES_MIN = 1024;

/** What a stream gets while its answer has not begun, so that proxies do not close it. */
const COMMENT = ':\n\n';
const PING = 'event: ping\ndata: {"type":"ping"}\n\n';

const JSON_HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  ...CORS_HEADERS,
} as const;

/** What a client does while a stage of its request runs. */
export interface ClientEvents {
  /** The client left. */
  disconnected(): void;
  /** The socket takes more. */
  drained(): void;
}

const NOBODY: ClientEvents = { disconnected() {}, drained() {} };

export type ReplyParts = Readonly<{
  requestId: RequestId;
  /** The API that the client speaks. Null when the path belongs to none. */
  api: Api | null;
  clock: Clock;
}>;

/** Pieces of text, in order. Large ones are not copied: they must not change until the reply closes. */
export type Pieces = readonly (Buffer | string)[];

/** The headers with a request's id. The SDKs of the Messages API read it from one of another name. */
export function identityOf(api: Api | null, id: RequestId): Readonly<Record<string, string>> {
  return api === 'messages' ? { 'x-request-id': id, 'request-id': id } : { 'x-request-id': id };
}

export class Reply {
  readonly requestId: RequestId;
  readonly api: Api | null;
  readonly #response: ServerResponse;
  readonly #clock: Clock;
  #stalledAt: number | null = null;
  /** Bytes pending at the last tick. */
  #pendingSeen = 0;
  /** The turn of the last event that was written to the socket. */
  #writtenIn = -1;
  readonly #backlog = new Backlog();
  /** Whether the response ends once the backlog is sent. */
  #isEnding = false;
  #commentedAt: number;
  #disconnected = false;
  /** Set while the request goes on without its client. */
  #outlived: ((pieces: Pieces) => void) | null = null;
  #promised: Readonly<Record<string, string>> = {};
  readonly #onClose: (() => void)[] = [];
  #listener: ClientEvents = NOBODY;

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    { requestId, api, clock }: ReplyParts,
  ) {
    this.#response = response;
    this.#clock = clock;
    this.requestId = requestId;
    this.api = api;
    this.#commentedAt = clock.monotonic();
    response.on('close', () => {
      if (this.#outlived === null) this.#closed();
    });
    response.on('drain', () => this.#drained());
    // Without a listener, an error on a half-closed socket would end the process. 'close' follows.
    response.on('error', () => {});
    request.on('error', () => {});
  }

  #drained(): void {
    this.#stalledAt = null;
    this.#catchUp();
    this.#listener.drained();
  }

  #closed(): void {
    for (const closed of this.#onClose.splice(0)) closed();
    if (this.#response.writableFinished) return;
    this.#disconnected = true;
    this.#backlog.drop();
    this.#listener.disconnected();
  }

  /**
   * From now on the request goes on when its client leaves, because a repeat may come for its
   * answer. `keep` gets the whole answer. `release` ends this.
   */
  outliveClient(keep: (pieces: Pieces) => void): void {
    this.#outlived = keep;
  }

  release(): void {
    this.#outlived = null;
    if (this.#response.closed) this.#closed();
  }

  /** Whether the headers were sent. From then on, a failure can only cut the response. */
  get begun(): boolean {
    return this.#response.headersSent;
  }

  /** Whether the client disconnected before its response was complete, and is not outlived. */
  get disconnected(): boolean {
    return this.#disconnected;
  }

  /** Bytes written that the client has not read. */
  get pendingBytes(): number {
    return this.#response.writableLength + this.#backlog.bytes;
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
    if (this.#response.closed && this.#outlived === null) closed();
    else this.#onClose.push(closed);
  }

  /** Sets additional headers of the response. */
  setHeaders(headers: Readonly<Record<string, string>>): void {
    this.#promised = headers;
  }

  /** Sends comments or pings during a long prefill. */
  keepAlive(now: number): void {
    if (now - this.#commentedAt <= limits.commentAfterMs) return;
    this.#commentedAt = now;
    this.write(this.api === 'messages' ? PING : COMMENT);
  }

  write(text: string): void {
    if (this.#stalledAt === null) this.#send(text);
    else this.#backlog.copy(text);
  }

  /**
   * Hot path. Writes an event in three parts. They are copied: `text` is a part of a message of
   * many streams, and all of them are valid only during the call. While earlier bytes are pending, the copy
   * goes into a block of this reply: in Node's pool, each small pending event would retain 64 KiB.
   */
  writeEvent(head: Buffer, text: Buffer, tail: Buffer): void {
    if (this.#stalledAt !== null) {
      this.#backlog.copy(head);
      this.#backlog.copy(text);
      return this.#backlog.copy(tail);
    }
    const length = head.length + text.length + tail.length;
    const socket = this.#chunkSocket;
    const start = socket === null ? '' : `${length.toString(16)}\r\n`;
    const end = socket === null ? '' : '\r\n';
    const event = this.#allocate(start.length + length + end.length);
    const at = event.write(start, 0);
    event.set(head, at);
    event.set(text, at + head.length);
    event.set(tail, at + head.length + text.length);
    event.write(end, at + length);
    if (socket === null) return this.#send(event);
    this.#writtenIn = gatherEvents(socket, this.#writtenIn);
    if (!socket.write(event)) this.#stall(socket);
  }

  #allocate(bytes: number): Buffer {
    const isBehind = this.#response.writableLength > 0;
    return isBehind ? this.#backlog.allocate(bytes) : Buffer.allocUnsafe(bytes);
  }

  /**
   * The socket, if whole chunks of HTTP may be written to it. `response.write` would make three
   * pieces of each. Null before the response has begun and after its end, for a client of HTTP/1.0,
   * which gets no chunks, and while an earlier response of the connection is being sent.
   */
  get #chunkSocket(): Socket | null {
    const { headersSent, chunkedEncoding, writableEnded, socket } = this.#response;
    return headersSent && chunkedEncoding && !writableEnded && socket?.writable ? socket : null;
  }

  /** The socket takes no more. The response itself does not know what was written to it. */
  #stall(socket: Socket): void {
    this.#stalledAt = this.#clock.monotonic();
    socket.once('drain', () => this.#drained());
  }

  /** Writes events that repeat text of the answer. */
  writePieces(pieces: Pieces): void {
    for (const piece of pieces) {
      if (typeof piece === 'string' || piece.length < KEPT_BYTES_MIN) this.#backlog.copy(piece);
      else this.#backlog.keep(piece);
    }
    if (this.#stalledAt === null) this.#catchUp();
  }

  /** The headers of a stream are sent with its first bytes, in one packet. */
  #send(bytes: Buffer | string): void {
    if (!this.#response.headersSent) {
      this.#response.writeHead(200, {
        ...SSE_HEADERS,
        ...identityOf(this.api, this.requestId),
        ...this.#promised,
      });
    }
    if (!this.#response.write(bytes)) this.#stalledAt = this.#clock.monotonic();
  }

  /** Sends the backlog while the socket has room. */
  #catchUp(): void {
    while (this.#stalledAt === null) {
      const bytes = this.#backlog.next();
      if (!bytes) break;
      this.#send(bytes);
    }
    if (this.#isEnding && this.#backlog.bytes === 0) this.#response.end();
  }

  json(
    status: number,
    body: string | Buffer,
    headers: Readonly<Record<string, string>> = {},
  ): void {
    if (this.#response.closed) return;
    this.#beginJson(status, Buffer.byteLength(body), headers);
    if (typeof body !== 'string' || body.length >= KEPT_BYTES_MIN) return this.finish([body]);
    // Node writes the headers and a text that comes with the end as one string.
    this.#response.end(body);
    this.#watchLastBytes();
  }

  /** Writes a whole answer. */
  jsonPieces(pieces: Pieces): void {
    this.#outlived?.(pieces);
    if (this.#response.closed) return;
    const bytes = pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0);
    this.#beginJson(200, bytes);
    this.finish(pieces);
  }

  #beginJson(status: number, bytes: number, headers: Readonly<Record<string, string>> = {}): void {
    this.#response.writeHead(status, {
      ...JSON_HEADERS,
      'content-length': bytes,
      ...identityOf(this.api, this.requestId),
      ...this.#promised,
      ...headers,
    });
  }

  /**
   * Writes the last bytes and ends the response. If the client stops reading them, or takes too long
   * for all of them, the connection is destroyed.
   */
  finish(pieces: Pieces): void {
    this.#isEnding = true;
    this.writePieces(pieces);
    this.#watchLastBytes();
  }

  #watchLastBytes(): void {
    if (this.pendingBytes === 0) return;
    const until = this.#clock.monotonic() + limits.lastBytesMsMax;
    let pending = this.pendingBytes;
    const timer = this.#clock.every(limits.writeStallMsMax, () => {
      const left = this.pendingBytes;
      if (left >= pending || this.#clock.monotonic() >= until) this.#response.destroy();
      pending = left;
    });
    this.onClose(() => timer.cancel());
  }

  /** Destroys the connection of an incomplete stream, so that no client takes it for complete. */
  abort(): void {
    this.#response.destroy();
  }
}
