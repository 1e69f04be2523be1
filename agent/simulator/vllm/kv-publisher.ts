/**
 * Publishes batches of KV events over ZeroMQ, each as three frames: topic, sequence number, batch.
 * It does not wait for subscribers. A subscriber that is absent or too slow misses batches, and
 * notices that by the sequence numbers. If it asks the replay socket for the batches from a number
 * on, it gets those that are still kept, and then an empty one.
 */
import type { Publisher, Router } from 'zeromq';
import { loadZeromq } from '../../../shared/zeromq.ts';

/** vLLM's default topic. */
const TOPIC = '';
const PENDING_MAX = 10_000;
/** Batches that are kept for a replay. vLLM keeps 10,000 by default. */
const KEPT_MAX = 1_000;
const NUMBER_BYTES = 8;
const END_OF_REPLAY = Buffer.alloc(NUMBER_BYTES, 0xff);
const NO_BATCH = Buffer.alloc(0);

export type KvPublisherOptions = Readonly<{
  endpoint: string;
  replay?: string | undefined;
  /** Every nth batch is not published, as if subscribers had been too slow for it. */
  loseEvery?: number | undefined;
}>;

type Numbered = Readonly<{ number: number; batch: Uint8Array }>;

export class KvPublisher implements Disposable {
  readonly #socket: Publisher;
  readonly #replay: Router | null;
  readonly #loseEvery: number;
  readonly #pending: Numbered[] = [];
  readonly #kept: Numbered[] = [];
  #sending = false;
  #next = 0;

  private constructor(socket: Publisher, replay: Router | null, loseEvery: number) {
    this.#socket = socket;
    this.#replay = replay;
    this.#loseEvery = loseEvery;
    if (replay) void this.#serveReplays(replay);
  }

  static async bind(options: KvPublisherOptions): Promise<KvPublisher> {
    const zeromq = loadZeromq();
    const socket = new zeromq.Publisher({ linger: 0 });
    await socket.bind(options.endpoint);
    const replay = options.replay === undefined ? null : new zeromq.Router({ linger: 0 });
    if (replay && options.replay !== undefined) await replay.bind(options.replay);
    return new KvPublisher(socket, replay, options.loseEvery ?? Number.POSITIVE_INFINITY);
  }

  /** The address at which it listens, with the actual port. */
  get endpoint(): string {
    return this.#socket.lastEndpoint ?? '';
  }

  /** The address of the replay socket, or null. */
  get replayEndpoint(): string | null {
    return this.#replay?.lastEndpoint ?? null;
  }

  publish(batch: Uint8Array): void {
    const numbered = { number: this.#next++, batch };
    if (this.#replay) {
      this.#kept.push(numbered);
      if (this.#kept.length > KEPT_MAX) this.#kept.shift();
    }
    if ((numbered.number + 1) % this.#loseEvery === 0) return;
    if (this.#socket.closed || this.#pending.length >= PENDING_MAX) return;
    this.#pending.push(numbered);
    if (!this.#sending) void this.#send();
  }

  [Symbol.dispose](): void {
    this.#pending.length = 0;
    this.#socket.close();
    this.#replay?.close();
  }

  /**
   * Sends the pending batches one at a time, because the socket takes no second message while it
   * writes the first.
   */
  async #send(): Promise<void> {
    this.#sending = true;
    for (let next = this.#pending.shift(); next; next = this.#pending.shift()) {
      try {
        await this.#socket.send([TOPIC, bytesOf(next.number), next.batch]);
      } catch {
        // The socket was closed meanwhile.
        break;
      }
    }
    this.#sending = false;
  }

  async #serveReplays(socket: Router): Promise<void> {
    try {
      for await (const [client, , from] of socket) {
        if (!client || from?.length !== NUMBER_BYTES) continue;
        const first = Number(from.readBigUInt64BE());
        for (const { number, batch } of this.#kept.filter((one) => one.number >= first)) {
          await socket.send([client, NO_BATCH, TOPIC, bytesOf(number), batch]);
        }
        await socket.send([client, NO_BATCH, TOPIC, END_OF_REPLAY, NO_BATCH]);
      }
    } catch {
      // The socket was closed meanwhile.
    }
  }
}

function bytesOf(number: number): Buffer {
  const bytes = Buffer.alloc(NUMBER_BYTES);
  bytes.writeBigUInt64BE(BigInt(number));
  return bytes;
}
