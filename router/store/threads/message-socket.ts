/**
 * Messages between a thread of the store and another process of the router, over a stream socket.
 * Each message is its length (u32, little-endian), and a value as `node:v8` serializes it.
 */
import type { Socket } from 'node:net';
import { DefaultSerializer, deserialize } from 'node:v8';

const LENGTH_BYTES = 4;
/** Far above any message of the store. */
const MESSAGE_BYTES_MAX = 256 * 1024 * 1024;
const NO_LENGTH = Buffer.alloc(LENGTH_BYTES);

export class MessageSocket {
  readonly #socket: Socket;
  readonly #onMessage: (message: unknown) => void;
  /** Received bytes that are not a whole message yet. */
  #pieces: Buffer[] = [];
  #received = 0;
  /** How many bytes are needed before a message can be whole. */
  #needed = LENGTH_BYTES;

  /**
   * The caller handles the events `error` and `close` of the socket. Bytes that are no message end
   * it with an error.
   */
  constructor(socket: Socket, onMessage: (message: unknown) => void) {
    this.#socket = socket;
    this.#onMessage = onMessage;
    socket.on('data', (piece: Buffer) => this.#receive(piece));
  }

  /** Throws if a message cannot be cloned. */
  send(message: unknown): void {
    const serializer = new DefaultSerializer();
    serializer.writeRawBytes(NO_LENGTH);
    serializer.writeHeader();
    serializer.writeValue(message);
    const bytes = serializer.releaseBuffer();
    bytes.writeUInt32LE(bytes.length - LENGTH_BYTES);
    this.#socket.write(bytes);
  }

  #receive(piece: Buffer): void {
    this.#pieces.push(piece);
    this.#received += piece.length;
    if (this.#received < this.#needed) return;
    let rest = this.#pieces.length === 1 ? piece : Buffer.concat(this.#pieces);
    for (;;) {
      this.#needed = LENGTH_BYTES;
      if (rest.length >= LENGTH_BYTES) this.#needed += rest.readUInt32LE();
      if (this.#needed > MESSAGE_BYTES_MAX) return void this.#socket.destroy(new Error('too long'));
      if (rest.length < this.#needed) break;
      if (!this.#deliver(rest.subarray(LENGTH_BYTES, this.#needed))) return;
      rest = rest.subarray(this.#needed);
    }
    this.#pieces = rest.length > 0 ? [rest] : [];
    this.#received = rest.length;
  }

  /** Returns whether the bytes are a message. */
  #deliver(bytes: Buffer): boolean {
    let message: unknown;
    try {
      message = deserialize(bytes);
    } catch (error) {
      this.#socket.destroy(error instanceof Error ? error : new Error(String(error)));
      return false;
    }
    this.#onMessage(message);
    return true;
  }
}
