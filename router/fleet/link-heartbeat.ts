/**
 * The heartbeat of a link: pings its agent, measures the round trip, and finds out when the agent
 * is silent or does not read what it is sent.
 */
import type { WebSocket } from 'ws';
import type { Clock, Timer } from '../../shared/clock.ts';
import { limits } from '../../shared/limits.ts';

/** Weight of a slower ping in the average round trip. A faster ping takes effect at once. */
const RTT_WEIGHT = 0.1;

export type LinkFaults = Readonly<{ silent: () => void; doesNotRead: () => void }>;

export class LinkHeartbeat {
  readonly #socket: WebSocket;
  readonly #clock: Clock;
  readonly #on: LinkFaults;
  readonly #timer: Timer;
  #heardAt: number;
  #pingedAt: number | null = null;
  #rttMs = 0;
  /**
   * Bytes buffered in the socket at the last ping, and the number of pings in a row at which the
   * buffer did not shrink and no ping was answered.
   */
  #unread = { bytes: 0, pings: 0 };

  constructor(socket: WebSocket, clock: Clock, on: LinkFaults) {
    this.#socket = socket;
    this.#clock = clock;
    this.#on = on;
    this.#heardAt = clock.monotonic();
    this.#timer = clock.every(limits.linkPingMs, () => this.#ping());
    socket.on('pong', () => this.#ponged());
  }

  /**
   * Round-trip time in ms. It follows recent low values, because other pings waited behind other
   * traffic. 0 until the first pong.
   */
  get rttMs(): number {
    return this.#rttMs;
  }

  /** Records that the agent has sent something. */
  heard(): void {
    this.#heardAt = this.#clock.monotonic();
  }

  /** Whether the agent answers a ping within `ms`. */
  answers(ms: number): Promise<boolean> {
    return new Promise((resolve) => {
      const done = (answer: boolean) => {
        timer.cancel();
        this.#socket.off('pong', ponged);
        resolve(answer);
      };
      const ponged = () => done(true);
      const timer = this.#clock.after(ms, () => done(false));
      this.#socket.once('pong', ponged);
      this.#socket.ping();
    });
  }

  stop(): void {
    this.#timer.cancel();
  }

  #ping(): void {
    const now = this.#clock.monotonic();
    if (now - this.#heardAt > limits.linkSilenceMsMax) return this.#on.silent();
    // An agent may send messages and read none. Messages to it then accumulate in the socket.
    const bytes = this.#socket.bufferedAmount;
    const isStuck = bytes > 0 && bytes >= this.#unread.bytes;
    this.#unread = { bytes, pings: isStuck ? this.#unread.pings + 1 : 0 };
    if (this.#unread.pings * limits.linkPingMs > limits.linkSilenceMsMax) {
      return this.#on.doesNotRead();
    }
    this.#pingedAt = now;
    this.#socket.ping();
  }

  #ponged(): void {
    this.heard();
    this.#unread.pings = 0;
    if (this.#pingedAt === null) return;
    const took = this.#heardAt - this.#pingedAt;
    this.#pingedAt = null;
    const isFirst = this.#rttMs === 0;
    this.#rttMs = isFirst ? took : Math.min(took, this.#rttMs + RTT_WEIGHT * (took - this.#rttMs));
  }
}
