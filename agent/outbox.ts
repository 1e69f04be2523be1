/**
 * Hot path. The outgoing records of one session. Records are batched and sent as one message,
 * because an engine step yields tokens for every running request at once. A message is sent at the
 * end of a turn of the event loop, or when the linger time since the one before is over.
 */
import type { WebSocket } from 'ws';
import type { Clock } from '../shared/clock.ts';
import { limits } from '../shared/limits.ts';
import type { End } from '../shared/wire/end.ts';
import { KIND, RecordBatch } from '../shared/wire/frames.ts';
import type { Delta } from './engine/deltas.ts';

/**
 * A batch that has grown to this size is sent at once. The payload limit of a message
 * is far above it.
 */
const MESSAGE_BYTES = 512 * 1024;

/** Where a stream writes its records. */
export interface Records {
  /**
   * Adds a delta, whose text is already escaped. Returns its size in bytes, including its prefix.
   */
  delta(stream: number, prompt: number, completion: number, delta: Delta): number;
  counts(stream: number, prompt: number, completion: number): void;
  end(stream: number, prompt: number, completion: number, end: End): void;
}

export type OutboxParts = Readonly<{
  clock: Clock;
  /** The shortest time between two messages, as exactly as timers are. */
  lingerMs: number;
  /**
   * Called with true when the socket buffers more than `limits.linkBufferBytesMax`, and with false
   * when it has drained to half of that.
   */
  onPressure: (full: boolean) => void;
}>;

export class Outbox implements Records {
  readonly #socket: WebSocket;
  readonly #parts: OutboxParts;
  readonly #batch = new RecordBatch();
  #scheduled = false;
  #sentAt = Number.NEGATIVE_INFINITY;
  #full = false;
  #closed = false;

  constructor(socket: WebSocket, parts: OutboxParts) {
    this.#socket = socket;
    this.#parts = parts;
  }

  get full(): boolean {
    return this.#full;
  }

  /**
   * Whether the socket buffers more than its limit, including control messages. `full` is only
   * updated when records are sent.
   */
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

  /** Sends the batched records at once. */
  flush(): void {
    if (this.#batch.length === 0 || this.#closed) return;
    this.#socket.send(this.#batch.take(), this.#onSent);
    if (!this.#full && this.#socket.bufferedAmount > limits.linkBufferBytesMax) {
      this.#full = true;
      this.#parts.onPressure(true);
    }
  }

  /** Drops the records that are still batched, because the session is over. */
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
    const { clock, lingerMs } = this.#parts;
    const now = clock.monotonic();
    const waitMs = this.#sentAt + lingerMs - now;
    if (waitMs <= 0) this.#sendBatch();
    else clock.after(waitMs, this.#sendBatch, 'hold');
  };

  readonly #sendBatch = (): void => {
    this.#scheduled = false;
    this.#sentAt = this.#parts.clock.monotonic();
    this.flush();
  };

  readonly #onSent = (): void => {
    // The threshold is half of the limit. At the limit itself, reading would stop and start with
    // each message.
    if (!this.#full || this.#closed) return;
    if (this.#socket.bufferedAmount > limits.linkBufferBytesMax / 2) return;
    this.#full = false;
    this.#parts.onPressure(false);
  };
}
