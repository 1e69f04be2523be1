/** Counts the bytes of one connection after another, as their sockets do. */
import type { Socket } from 'node:net';

type Counted = Pick<Socket, 'bytesRead' | 'bytesWritten'>;

export class LinkBytes {
  #before = { received: 0, sent: 0 };
  #current: Counted | null = null;

  /** Counts the bytes of this connection from now on. */
  follow(connection: Counted): void {
    this.#before = { received: this.received, sent: this.sent };
    this.#current = connection;
  }

  get received(): number {
    return this.#before.received + (this.#current?.bytesRead ?? 0);
  }

  get sent(): number {
    return this.#before.sent + (this.#current?.bytesWritten ?? 0);
  }
}
