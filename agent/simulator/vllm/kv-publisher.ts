/**
 * Publishes batches of KV events over ZeroMQ, each as three frames: topic, number, batch. Nobody is waited for: who
 * is not there or is too slow misses some, and sees that by the numbers.
 */
import type { Publisher } from 'zeromq';

/** The default of vLLM. */
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
    // Native code, loaded by those alone who ask for it.
    const zeromq = await import('zeromq');
    const socket = new zeromq.Publisher({ linger: 0 });
    await socket.bind(endpoint);
    return new KvPublisher(socket);
  }

  /** Where it listens, with the port that it got. */
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

  /** One at a time: the socket takes no second message while it writes the first. */
  async #send(): Promise<void> {
    this.#sending = true;
    for (let next = this.#pending.shift(); next; next = this.#pending.shift()) {
      const number = Buffer.alloc(NUMBER_BYTES);
      number.writeBigUInt64BE(next.number);
      try {
        await this.#socket.send([TOPIC, number, next.batch]);
      } catch {
        // The socket was closed under it.
        break;
      }
    }
    this.#sending = false;
  }
}
