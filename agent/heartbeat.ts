/**
 * Detects a dead peer. Pings the other end of a session, and calls `onSilence` when nothing has
 * arrived for longer than `limits.linkSilenceMsMax`.
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

  constructor(socket: WebSocket, clock: Clock, onSilence: () => void) {
    this.#socket = socket;
    this.#clock = clock;
    this.#onSilence = onSilence;
    this.#receivedAt = clock.monotonic();
    this.#timer = clock.every(limits.linkPingMs, () => this.#ping());
    for (const sign of ['message', 'ping', 'pong']) socket.on(sign, this.#onTraffic);
  }

  [Symbol.dispose](): void {
    this.#timer.cancel();
    for (const sign of ['message', 'ping', 'pong']) this.#socket.off(sign, this.#onTraffic);
  }

  readonly #onTraffic = (): void => {
    this.#receivedAt = this.#clock.monotonic();
  };

  #ping(): void {
    const silentMs = this.#clock.monotonic() - this.#receivedAt;
    if (silentMs > limits.linkSilenceMsMax) this.#onSilence();
    else this.#socket.ping();
  }
}
