/**
 * Limits on sockets that are not authenticated yet. Strangers may have a few sockets, by address
 * and in total, and must send their hello soon. Sockets that name the key of an enrolled agent have
 * limits of their own, which no stranger can use up.
 */
import { PeerRates } from '../../shared/bounds/peer-rates.ts';
import type { Clock } from '../../shared/clock.ts';
import { greetingLimits } from './greeting-limits.ts';

/** One counted socket. It counts until it is disposed of. */
export interface Greeting extends Disposable {
  /** Records the key that the socket has named. An enrolled key moves it to the agents' limit. */
  names(publicKey: string): void;
  /** Whether this key may be looked up in the store. Lookups for strangers are rate limited. */
  mayLookUp(publicKey: string): boolean;
}

type Socket = {
  readonly peer: string;
  readonly since: number;
  readonly end: () => void;
  pool: Pool;
};

/** Sockets in order of arrival, by peer: an address, or the key that they name. */
class Pool {
  readonly #max: Readonly<{ totalMax: number; peerMax: number }>;
  readonly #all = new Set<Socket>();
  readonly #of = new Map<string, Set<Socket>>();

  constructor(max: Readonly<{ totalMax: number; peerMax: number }>) {
    this.#max = max;
  }

  get size(): number {
    return this.#all.size;
  }

  /** The oldest socket, if it must close before one more of this peer fits. */
  inTheWayOf(peer: string): Socket | undefined {
    const own = this.#of.get(peer);
    if (own && own.size >= this.#max.peerMax) return first(own);
    return this.#all.size >= this.#max.totalMax ? first(this.#all) : undefined;
  }

  add(socket: Socket, peer: string): void {
    this.#all.add(socket);
    const own = this.#of.get(peer) ?? new Set();
    this.#of.set(peer, own.add(socket));
  }

  delete(socket: Socket, peer: string): void {
    this.#all.delete(socket);
    const own = this.#of.get(peer);
    own?.delete(socket);
    if (own?.size === 0) this.#of.delete(peer);
  }
}

function first(sockets: Iterable<Socket>): Socket | undefined {
  for (const socket of sockets) return socket;
  return undefined;
}

export type GreetingsParts = Readonly<{
  clock: Clock;
  /** Whether the key belongs to an enrolled agent. */
  isEnrolled: (publicKey: string) => boolean;
}>;

export class Greetings {
  readonly #parts: GreetingsParts;
  readonly #strangers = new Pool(greetingLimits.strangers);
  readonly #agents = new Pool(greetingLimits.agents);
  readonly #arrivals: PeerRates<string>;
  readonly #lookUps: PeerRates<string>;

  constructor(parts: GreetingsParts) {
    this.#parts = parts;
    this.#arrivals = new PeerRates(parts.clock, greetingLimits.arrivals);
    this.#lookUps = new PeerRates(parts.clock, greetingLimits.lookUps);
  }

  /** The number of sockets of each kind. */
  get counts(): Readonly<{ strangers: number; agents: number }> {
    return { strangers: this.#strangers.size, agents: this.#agents.size };
  }

  /**
   * Counts a socket from this address. `publicKey` is the key that its upgrade request named, if
   * any. `end` is called when the socket has to make room for a newer one. Returns null when the
   * socket exceeds a limit.
   */
  enter(address: string, publicKey: string | undefined, end: () => void): Greeting | null {
    const isAgent = publicKey !== undefined && this.#parts.isEnrolled(publicKey);
    if (!isAgent && !this.#arrivals.spend(address)) return null;
    const pool = isAgent ? this.#agents : this.#strangers;
    const peer = isAgent ? publicKey : address;
    if (!this.#makeRoom(pool, peer)) return null;
    const state = { socket: this.#place(pool, peer, end) };
    return {
      names: (key) => {
        if (state.socket.pool === this.#agents || !this.#parts.isEnrolled(key)) return;
        if (!this.#makeRoom(this.#agents, key)) return;
        this.#leave(state.socket);
        state.socket = this.#place(this.#agents, key, end);
      },
      mayLookUp: (key) => this.#parts.isEnrolled(key) || this.#lookUps.spend(address),
      [Symbol.dispose]: () => this.#leave(state.socket),
    };
  }

  #place(pool: Pool, peer: string, end: () => void): Socket {
    const socket = { peer, since: this.#parts.clock.monotonic(), end, pool };
    pool.add(socket, peer);
    return socket;
  }

  #leave(socket: Socket): void {
    socket.pool.delete(socket, socket.peer);
  }

  /**
   * Closes the oldest socket if there is no room. Returns false if that socket is younger than
   * `graceMs`, and so has had no time to authenticate.
   */
  #makeRoom(pool: Pool, peer: string): boolean {
    const oldest = pool.inTheWayOf(peer);
    if (!oldest) return true;
    if (this.#parts.clock.monotonic() - oldest.since < greetingLimits.graceMs) return false;
    this.#leave(oldest);
    oldest.end();
    return true;
  }
}
