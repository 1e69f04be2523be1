/**
 * One response as a stream of server-sent events, and the ways in which a broken engine can end it.
 *
 * Hot path: a chunk is one write of one string to the socket. The HTTP/1.1 chunk framing is added
 * here, because `response.write` would make four writes of it and take a fifth of the simulator's
 * time.
 */
import type { ServerResponse } from 'node:http';
import type { Clock, Timer } from '../../../shared/clock.ts';

/** Long enough for the two halves of a split write to arrive in two reads. */
const SPLIT_MS = 5;
const PING = ':\n\n';

export class EventStream {
  readonly #response: ServerResponse;
  readonly #clock: Clock;
  readonly #onReady: () => void;
  #open = false;
  #full = false;
  #pings: Timer | null = null;
  #silent = true;
  /** What waits until the second half of a split write is sent. Null when nothing is split. */
  #deferred: (() => void)[] | null = null;

  constructor(response: ServerResponse, clock: Clock, onReady: () => void) {
    this.#response = response;
    this.#clock = clock;
    this.#onReady = onReady;
  }

  /** False while the client has not taken what was written. `onReady` is called when it has. */
  get ready(): boolean {
    return !this.#full && this.#deferred === null;
  }

  /** Sends the headers: vLLM does so as soon as the request is accepted. */
  open(): void {
    if (this.#open) return;
    this.#open = true;
    this.#response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
    this.#response.flushHeaders();
  }

  write(text: string): void {
    if (this.#deferred) this.#deferred.push(() => this.#send(text));
    else this.#send(text);
  }

  /** Writes a text so that its first multi-byte character arrives in two reads. */
  writeSplit(text: string): void {
    const bytes = Buffer.from(text);
    const lead = bytes.findIndex((byte) => byte >= 0xc0);
    if (lead < 0 || this.#deferred) return this.write(text);
    this.#deferred = [];
    this.#send(bytes.subarray(0, lead + 1));
    this.#clock.after(SPLIT_MS, () => {
      const deferred = this.#deferred ?? [];
      this.#deferred = null;
      this.#send(bytes.subarray(lead + 1));
      for (const run of deferred) run();
      this.#onReady();
    });
  }

  /** From now on, sends a comment after each `ms` of silence. */
  pingEach(ms: number): void {
    this.#pings = this.#clock.every(ms, () => {
      if (this.#silent && this.ready) this.#send(PING);
      this.#silent = true;
    });
    this.#response.once('close', () => this.#pings?.cancel());
  }

  /** Ends the response regularly. */
  end(text: string): void {
    this.write(text);
    this.#pings?.cancel();
    this.#then(() => this.#response.end());
  }

  /** Closes the connection at this point. What was already written still arrives. */
  cut(): void {
    this.#then(() => this.#response.socket?.destroySoon());
  }

  /** Ends the connection with a reset. */
  reset(): void {
    this.#then(() => this.#response.socket?.resetAndDestroy());
  }

  #then(run: () => void): void {
    if (this.#deferred) this.#deferred.push(run);
    else run();
  }

  #send(data: string | Uint8Array): void {
    // The second half of a split write may find that the client has left.
    if (this.#response.destroyed) return;
    this.open();
    if (data.length === 0) return;
    this.#silent = false;
    const { socket, chunkedEncoding } = this.#response;
    // Without a socket (pipelined) or chunks (HTTP/1.0), Node writes the response itself.
    const taken =
      socket && chunkedEncoding ? writeFramed(socket, data) : this.#response.write(data);
    if (taken || this.#full) return;
    this.#full = true;
    (socket ?? this.#response).once('drain', () => {
      this.#full = false;
      this.#onReady();
    });
  }
}

function writeFramed(
  socket: NonNullable<ServerResponse['socket']>,
  data: string | Uint8Array,
): boolean {
  if (!socket.writable) return true;
  if (typeof data !== 'string') {
    socket.write(`${data.length.toString(16)}\r\n`, 'latin1');
    socket.write(data);
    return socket.write('\r\n', 'latin1');
  }
  const bytes = Buffer.byteLength(data);
  const frame = `${bytes.toString(16)}\r\n${data}\r\n`;
  return socket.write(frame, bytes === data.length ? 'latin1' : 'utf8');
}
