/**
 * Publishes batches of KV events over ZeroMQ, each as three frames: topic, sequence number, batch.
 * It does not wait for subscribers. A subscriber that is absent or too slow misses batches, and
 * notices that by the sequence numbers.
 */
import type { Publisher } from 'zeromq';

/** vLLM's default topic. */
const TOPIC = '';
const PENDING_MAX = 10_000;
const NUMBER_BYTES = 8;

export class KvPublisher implements Disposable {
  readonly #socket: Publisher;
  readonly #pending: { number: bigint; batch: Uint8Array }[] = [];
  #sending = false;
  #next = 0n;

  private constructor(socket: Publisher) {
    this.#socket = socket;
  }

  static async bind(endpoint: string): Promise<KvPublisher> {
    // zeromq is native code, so it is loaded only when it is needed.
    const zeromq = await import('zeromq');
    const socket = new zeromq.Publisher({ linger: 0 });
    await socket.bind(endpoint);
    return new KvPublisher(socket);
  }

  /** The address at which it listens, with the actual port. */
  get endpoint(): string {
    return this.#socket.lastEndpoint ?? '';
  }

  publish(batch: Uint8Array): void {
    const number = this.#next++;
    if (this.#socket.closed || this.#pending.length >= PENDING_MAX) return;
    this.#pending.push({ number, batch });
    if (!this.#sending) void this.#send();
  }

  [Symbol.dispose](): void {
    this.#pending.length = 0;
    this.#socket.close();
  }

  /**
   * Sends the pending batches one at a time, because the socket takes no second message while it
   * writes the first.
   */
  async #send(): Promise<void> {
    this.#sending = true;
    for (let next = this.#pending.shift(); next; next = this.#pending.shift()) {
      const number = Buffer.alloc(NUMBER_BYTES);
      number.writeBigUInt64BE(next.number);
      try {
        await this.#socket.send([TOPIC, number, next.batch]);
      } catch {
        // The socket was closed meanwhile.
        break;
      }
    }
    this.#sending = false;
  }
}
