/**
 * The link between the skeleton's router and its agent. Each record has a stream's number, a kind and
 * a text. Those of one turn of the event loop are sent as one message. Texts are bytes as Latin-1, so
 * that UTF-8 passes through unread.
 */
import type { WebSocket } from 'ws';

export const KIND = { open: 0, text: 1, end: 2 } as const;

const HEAD_BYTES = 9;
const FIRST_BYTES = 64 * 1024;

export class LinkWriter {
  readonly #socket: WebSocket;
  readonly #lingerMs: number;
  #bytes = Buffer.allocUnsafe(FIRST_BYTES);
  #length = 0;
  #sentAt = 0;

  /** `lingerMs`: the shortest time between two messages. */
  constructor(socket: WebSocket, lingerMs: number) {
    this.#socket = socket;
    this.#lingerMs = lingerMs;
  }

  add(stream: number, kind: number, text: string): void {
    if (this.#length === 0) setImmediate(this.#onTurn);
    this.#makeRoom(HEAD_BYTES + text.length);
    const at = this.#length;
    this.#bytes.writeUInt32LE(stream, at);
    this.#bytes[at + 4] = kind;
    this.#bytes.writeUInt32LE(text.length, at + 5);
    this.#bytes.write(text, at + HEAD_BYTES, 'latin1');
    this.#length = at + HEAD_BYTES + text.length;
  }

  #makeRoom(bytes: number): void {
    if (this.#length + bytes <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(2 * (this.#length + bytes));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }

  readonly #onTurn = (): void => {
    const waitMs = this.#sentAt + this.#lingerMs - performance.now();
    if (waitMs <= 0) this.#send();
    else setTimeout(this.#send, waitMs);
  };

  readonly #send = (): void => {
    this.#sentAt = performance.now();
    this.#socket.send(Buffer.copyBytesFrom(this.#bytes, 0, this.#length));
    this.#length = 0;
  };
}

export function readRecords(
  message: Buffer,
  onRecord: (stream: number, kind: number, text: string) => void,
): void {
  for (let at = 0; at < message.length; ) {
    const from = at + HEAD_BYTES;
    const end = from + message.readUInt32LE(at + 5);
    onRecord(message.readUInt32LE(at), message[at + 4] ?? 0, message.toString('latin1', from, end));
    at = end;
  }
}
