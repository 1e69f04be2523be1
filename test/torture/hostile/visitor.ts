/** A connection of one hostile client, from its own address. Every wait has a limit. */
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

const PIECE_BYTES = 64 * 1024;
/** How much of an answer is kept: enough for its status. */
const HEARD_CHARS_MAX = 4_096;

export class Visitor implements Disposable {
  readonly socket: Socket;
  readonly #gone: Promise<void>;
  #heard = '';
  #onHeard: () => void = () => {};

  constructor(origin: string, from: string) {
    const { hostname, port } = new URL(origin);
    this.socket = connect({ host: hostname, port: Number(port), localAddress: from });
    this.socket.on('error', () => {});
    this.socket.on('data', (data) => {
      if (this.#heard.length < HEARD_CHARS_MAX) this.#heard += data.toString('latin1');
      this.#onHeard();
    });
    this.#gone = new Promise((resolve) => this.socket.once('close', () => resolve()));
  }

  get isGone(): boolean {
    return this.socket.destroyed;
  }

  /** The status of the answer, or null if none has arrived. */
  get status(): number | null {
    const status = /^HTTP\/1\.\d (\d{3})/.exec(this.#heard)?.[1];
    return status === undefined ? null : Number(status);
  }

  /** Sends all bytes as fast as the peer takes them. Stops when the peer closes the connection. */
  async send(bytes: Buffer | string): Promise<void> {
    const all = typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes;
    for (let from = 0; from < all.length && !this.isGone; from += PIECE_BYTES) {
      if (this.socket.write(all.subarray(from, from + PIECE_BYTES))) continue;
      await Promise.race([
        new Promise((resolve) => this.socket.once('drain', resolve)),
        this.#gone,
      ]);
    }
  }

  /** Waits until something was received, the connection is gone, or `msMax` has passed. */
  async heard(msMax: number): Promise<void> {
    const heard = new Promise<void>((resolve) => {
      this.#onHeard = resolve;
    });
    if (this.#heard !== '') return;
    await Promise.race([heard, this.#gone, pause(msMax)]);
  }

  /** Waits until the connection is gone or `msMax` has passed. */
  async gone(msMax: number): Promise<void> {
    await Promise.race([this.#gone, pause(msMax)]);
  }

  [Symbol.dispose](): void {
    this.socket.destroy();
  }
}

/** The head of a POST request. `length` is the declared content length, or `chunked`. */
export function postHead(path: string, key: string | null, length: number | 'chunked'): string {
  const size = length === 'chunked' ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`;
  const authorization = key === null ? '' : `Authorization: Bearer ${key}\r\n`;
  return (
    `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${authorization}` +
    `Content-Type: application/json\r\n${size}\r\n\r\n`
  );
}
