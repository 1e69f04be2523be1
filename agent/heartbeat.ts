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
  #heardAt: number;

  constructor(socket: WebSocket, clock: Clock, onSilence: () => void) {
    this.#socket = socket;
    this.#clock = clock;
    this.#onSilence = onSilence;
    this.#heardAt = clock.monotonic();
    this.#timer = clock.every(limits.linkPingMs, () => this.#ping());
    for (const sign of ['message', 'ping', 'pong']) socket.on(sign, this.#heard);
  }

  [Symbol.dispose](): void {
    this.#timer.cancel();
    for (const sign of ['message', 'ping', 'pong']) this.#socket.off(sign, this.#heard);
  }

  readonly #heard = (): void => {
    this.#heardAt = this.#clock.monotonic();
  };

  #ping(): void {
    const silentMs = this.#clock.monotonic() - this.#heardAt;
    if (silentMs > limits.linkSilenceMsMax) this.#onSilence();
    else this.#socket.ping();
  }
}
