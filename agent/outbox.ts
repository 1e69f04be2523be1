/**
 * Hot path. The records of one session on their way out: gathered for one turn of the event loop and sent as
 * one message, because an engine step yields tokens for every running request at once.
 */
import type { WebSocket } from 'ws';
import { limits } from '../shared/limits.ts';
import { KIND, RecordBatch } from '../shared/wire/frames.ts';
import type { End } from '../shared/wire/messages.ts';
import type { Delta } from './engine/deltas.ts';

/** A message is sent before the turn ends once it has grown to this: the payload limit is far above. */
const MESSAGE_BYTES = 512 * 1024;

/** Where a stream writes its records. */
export interface Records {
  /** Adds a delta, whose text is escaped; answers how many bytes it is with its prefix. */
  delta(stream: number, prompt: number, completion: number, delta: Delta): number;
  counts(stream: number, prompt: number, completion: number): void;
  end(stream: number, prompt: number, completion: number, end: End): void;
}

export class Outbox implements Records {
  readonly #socket: WebSocket;
  readonly #onPressure: (full: boolean) => void;
  readonly #batch = new RecordBatch();
  #scheduled = false;
  #full = false;
  #closed = false;

  /** `onPressure(true)`: the socket holds more than it may; `false`: it has drained. */
  constructor(socket: WebSocket, onPressure: (full: boolean) => void) {
    this.#socket = socket;
    this.#onPressure = onPressure;
  }

  get full(): boolean {
    return this.#full;
  }

  /** Whether the socket holds more than it may, whoever wrote it: `full` knows of records alone. */
  get crowded(): boolean {
    return this.#full || this.#socket.bufferedAmount > limits.linkBufferBytesMax;
  }

  delta(stream: number, prompt: number, completion: number, delta: Delta): number {
    const { kind, text, prefix } = delta;
    const bytes = this.#batch.addText(stream, kind, prompt, completion, text, prefix);
    this.#added();
    return bytes;
  }

  counts(stream: number, prompt: number, completion: number): void {
    this.#batch.addText(stream, KIND.counts, prompt, completion, '');
    this.#added();
  }

  end(stream: number, prompt: number, completion: number, end: End): void {
    this.#batch.addText(stream, KIND.end, prompt, completion, JSON.stringify(end));
    this.#added();
  }

  /** Sends what is gathered now, before this turn ends. */
  flush(): void {
    if (this.#batch.length === 0 || this.#closed) return;
    this.#socket.send(this.#batch.take(), this.#onSent);
    if (!this.#full && this.#socket.bufferedAmount > limits.linkBufferBytesMax) {
      this.#full = true;
      this.#onPressure(true);
    }
  }

  /** The session is over: what is still gathered goes nowhere. */
  close(): void {
    this.#closed = true;
  }

  #added(): void {
    if (this.#batch.length > MESSAGE_BYTES) return this.flush();
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(this.#onTurn);
  }

  readonly #onTurn = (): void => {
    this.#scheduled = false;
    this.flush();
  };

  readonly #onSent = (): void => {
    // Half, not just below the limit: or reading would stop and start with each message.
    if (!this.#full || this.#closed) return;
    if (this.#socket.bufferedAmount > limits.linkBufferBytesMax / 2) return;
    this.#full = false;
    this.#onPressure(false);
  };
}
