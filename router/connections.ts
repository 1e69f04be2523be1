/** Limits the connections on all listeners of a router: in total, and for each client address. */
import type { Socket } from 'node:net';
import { addressBlock } from '../shared/bounds/address-block.ts';
import { ConcurrencyLimit, type ConcurrencyMax } from '../shared/bounds/concurrency-limit.ts';
import { limits } from '../shared/limits.ts';
import type { ConnectionBound } from './refused-connections.ts';

export class Connections {
  readonly #atOnce: ConcurrencyLimit<string>;
  readonly #isProxy: (address: string) => boolean;
  readonly #onRefused: (bound: ConnectionBound, open: number) => void;
  readonly #totalMax: number;
  #proxied = 0;

  /**
   * `isProxy` returns true for the addresses of trusted proxies. Connections from a proxy count
   * against the total only, because they belong to many clients.
   */
  constructor(
    isProxy: (address: string) => boolean,
    max: ConcurrencyMax = limits.connections,
    onRefused: (bound: ConnectionBound, open: number) => void = () => {},
  ) {
    this.#isProxy = isProxy;
    this.#onRefused = onRefused;
    this.#totalMax = max.totalMax;
    this.#atOnce = new ConcurrencyLimit(max);
  }

  get count(): number {
    return this.#atOnce.count;
  }

  /** Counts a connection until it closes. Destroys the socket and returns false at a limit. */
  admit(socket: Socket): boolean {
    const address = socket.remoteAddress ?? '';
    const peer = this.#isProxy(address) ? `proxied ${++this.#proxied}` : addressBlock(address);
    const place = this.#atOnce.enter(peer);
    if (!place) {
      this.#onRefused(this.count >= this.#totalMax ? 'total' : 'address', this.count);
      socket.destroy();
      return false;
    }
    socket.once('close', () => place[Symbol.dispose]());
    return true;
  }
}
