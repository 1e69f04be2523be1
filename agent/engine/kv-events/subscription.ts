/**
 * Receives an engine's KV events over ZeroMQ, in their order:
 *
 *   PUB  ──▶ SUB       topic, sequence number (u64), batch
 *   ROUTER ◀─▶ DEALER  "", first missing number  ─▶
 *                      ◀─ "", topic, sequence number, batch; the last batch is empty
 *
 * The publisher waits for nobody. Batches that it has dropped show as a gap in the numbers, and are
 * requested from the replay socket if there is one, which has the newest of them. Some versions
 * leave out the topic of a replay.
 */
import { setImmediate } from 'node:timers/promises';
import type { Dealer, Subscriber } from 'zeromq';
import { AllowedRate } from '../../../shared/bounds/allowed-rate.ts';
import { type Clock, sleep } from '../../../shared/clock.ts';
import { loadZeromq } from '../../../shared/zeromq.ts';
import type { KvEventsConfig } from '../../config.ts';

/** The largest frame, and how many messages ZeroMQ keeps for the agent. The rest stays in TCP. */
export const SOCKET = { maxMessageSize: 1024 * 1024, receiveHighWaterMark: 16, linger: 0 } as const;
/** How ZeroMQ dials, until it is connected. */
const DIAL = { reconnectInterval: 500, reconnectMaxInterval: 10_000 } as const;
const NUMBER_BYTES = 8;
/** The rate at which batches are read. A faster engine is read more slowly, and drops some. */
export const READ_BYTES = { perSecond: 8 * 1024 * 1024, burst: 16 * 1024 * 1024 };
const PAUSE_MS = 50;
/** The rate of replays, the batches of one replay, and how long the next of them may take. */
const REPLAYS = { perSecond: 0.2, burst: 5 };
const REPLAYED_MAX = 10_000;
const REPLAY_MS_MAX = 1_000;

export class KvEventsFault extends Error {
  override name = 'KvEventsFault';
}

export interface BatchReader {
  /** A batch may come late: it waited in a queue, or it was replayed. */
  batch(payload: Buffer): void;
  /** The numbers have begun again: the engine was restarted. */
  restarted(): void;
  /** Some batches are lost. */
  missed(): void;
}

export class Subscription {
  readonly #sockets: KvEventsConfig;
  readonly #reader: BatchReader;
  readonly #clock: Clock;
  readonly #bytes: AllowedRate;
  readonly #replays: AllowedRate;
  #last: number | null = null;

  constructor(sockets: KvEventsConfig, reader: BatchReader, clock: Clock) {
    this.#sockets = sockets;
    this.#reader = reader;
    this.#clock = clock;
    this.#bytes = new AllowedRate(clock, READ_BYTES);
    this.#replays = new AllowedRate(clock, REPLAYS);
  }

  /**
   * Reads until `signal` aborts or the connection ends. Throws when the engine sends what is not
   * understood.
   */
  async run(signal: AbortSignal): Promise<void> {
    const zeromq = loadZeromq();
    if (signal.aborted) return;
    const socket = new zeromq.Subscriber({ ...SOCKET, ...DIAL });
    const close = () => socket.close();
    signal.addEventListener('abort', close, { once: true });
    void closeWithConnection(socket);
    try {
      socket.connect(this.#sockets.endpoint);
      socket.subscribe('');
      await this.#read(socket, signal);
    } catch (error) {
      // What came before is not requested again: it may be what was not understood.
      this.#last = null;
      throw error;
    } finally {
      signal.removeEventListener('abort', close);
      socket.close();
    }
  }

  async #read(socket: Subscriber, signal: AbortSignal): Promise<void> {
    for await (const frames of socket) {
      const [, numbered, payload] = frames;
      if (frames.length !== 3 || !numbered || !payload) {
        throw new KvEventsFault('a message does not have three frames');
      }
      const number = numberIn(numbered);
      const next = this.#last === null ? number : this.#last + 1;
      if (number < next) this.#reader.restarted();
      if (number > next) await this.#fill(next, number, signal);
      await this.#take(payload, signal);
      this.#last = number;
    }
  }

  async #take(payload: Buffer, signal: AbortSignal): Promise<void> {
    while (!signal.aborted && !this.#bytes.spend(payload.length)) {
      await sleep(this.#clock, PAUSE_MS, signal);
    }
    // What waits in the socket is received without a turn of the event loop.
    await setImmediate();
    if (!signal.aborted) this.#reader.batch(payload);
  }

  /** Fills a gap, as far as the engine still has the missing batches. */
  async #fill(from: number, to: number, signal: AbortSignal): Promise<void> {
    const { replay } = this.#sockets;
    if (replay === undefined || !this.#replays.spend(1)) return this.#reader.missed();
    const zeromq = loadZeromq();
    const socket = new zeromq.Dealer({ ...SOCKET, receiveTimeout: REPLAY_MS_MAX });
    const close = () => socket.close();
    signal.addEventListener('abort', close, { once: true });
    try {
      socket.connect(replay);
      await socket.send([Buffer.alloc(0), bytesOf(from)]);
      if (!(await this.#replay(socket, from, to, signal))) this.#reader.missed();
    } finally {
      signal.removeEventListener('abort', close);
      socket.close();
    }
  }

  /** Reads a replay up to number `to`. Returns whether it had every batch from `from` on. */
  async #replay(socket: Dealer, from: number, to: number, signal: AbortSignal): Promise<boolean> {
    let next = from;
    for (let read = 0; next < to && read < REPLAYED_MAX; read++) {
      const frames = await received(socket);
      const payload = frames?.at(-1);
      const numbered = frames?.at(-2);
      if (!payload || !numbered || payload.length === 0) return false;
      const number = numberIn(numbered);
      // Older batches are known. The first one is a later one if the engine has dropped some.
      if (number < next) continue;
      if (number !== next) return false;
      await this.#take(payload, signal);
      if (signal.aborted) return true;
      next += 1;
    }
    return next === to;
  }
}

/**
 * Closes a socket when its connection ends. ZeroMQ would connect again on its own, but not after a
 * frame that is too large, or to a server that does not speak its protocol.
 */
async function closeWithConnection(socket: Subscriber): Promise<void> {
  try {
    for await (const { type } of socket.events) {
      if (type === 'disconnect' || type.startsWith('handshake:error')) break;
    }
  } catch {
    // The socket was closed meanwhile.
  }
  socket.close();
}

/** Returns null when nothing comes in time, or the socket is closed. */
async function received(socket: Dealer): Promise<Buffer[] | null> {
  try {
    return await socket.receive();
  } catch {
    return null;
  }
}

function numberIn(frame: Buffer): number {
  const number = frame.length === NUMBER_BYTES ? Number(frame.readBigUInt64BE()) : Number.NaN;
  if (Number.isSafeInteger(number)) return number;
  throw new KvEventsFault('a sequence number is not one');
}

function bytesOf(number: number): Buffer {
  const bytes = Buffer.alloc(NUMBER_BYTES);
  bytes.writeBigUInt64BE(BigInt(number));
  return bytes;
}
