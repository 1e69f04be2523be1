/**
 * Pings the other end of a session, which detects a dead peer and measures the round trip. Calls
 * `onSilence` when nothing has arrived for longer than `limits.linkSilenceMsMax`.
 */
import type { WebSocket } from 'ws';
import type { Clock, Timer } from '../shared/clock.ts';
import { limits } from '../shared/limits.ts';

export class Heartbeat implements Disposable {
  readonly #socket: WebSocket;
  readonly #clock: Clock;
  readonly #onSilence: () => void;
  readonly #timer: Timer;
  #receivedAt: number;
  #pingedAt: number | null = null;
  #rttMs: number | null = null;

  constructor(socket: WebSocket, clock: Clock, onSilence: () => void) {
    this.#socket = socket;
    this.#clock = clock;
    this.#onSilence = onSilence;
    this.#receivedAt = clock.monotonic();
    this.#timer = clock.every(limits.linkPingMs, () => this.#ping());
    for (const sign of ['message', 'ping', 'pong']) socket.on(sign, this.#onTraffic);
    socket.on('pong', this.#onPong);
  }

  /** The round trip of the last ping that was answered; null before. */
  get rttMs(): number | null {
    return this.#rttMs;
  }

  [Symbol.dispose](): void {
    this.#timer.cancel();
    for (const sign of ['message', 'ping', 'pong']) this.#socket.off(sign, this.#onTraffic);
    this.#socket.off('pong', this.#onPong);
  }

  readonly #onTraffic = (): void => {
    this.#receivedAt = this.#clock.monotonic();
  };

  readonly #onPong = (): void => {
    if (this.#pingedAt !== null) this.#rttMs = this.#clock.monotonic() - this.#pingedAt;
    this.#pingedAt = null;
  };

  #ping(): void {
    const now = this.#clock.monotonic();
    if (now - this.#receivedAt > limits.linkSilenceMsMax) return this.#onSilence();
    // While a ping is unanswered, its time is kept, because the next pong answers the oldest ping.
    this.#pingedAt ??= now;
    this.#socket.ping();
  }
}
