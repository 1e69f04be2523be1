/**
 * Sockets that have not proven who they are. Strangers have few places, by address and in all, and must say hello
 * soon; one that names the key of an enrolled agent has a place that no stranger can take.
 */
import { PeerRates } from '../../shared/bounds/peer-rates.ts';
import type { Clock } from '../../shared/clock.ts';
import { greetingLimits } from '../../shared/limits.ts';

/** The place of one socket, until it is disposed of. */
export interface Greeting extends Disposable {
  /** The socket names this key: of an enrolled agent, it is no stranger any more. */
  names(publicKey: string): void;
  /** Whether the store may be asked about a stranger's key once more. */
  mayLookUp(publicKey: string): boolean;
}

type Socket = {
  readonly peer: string;
  readonly since: number;
  readonly end: () => void;
  pool: Pool;
};

/** Sockets in the order in which they came, and by peer: an address, or the key that they name. */
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

  /** The oldest socket that stands in the way of another one of this peer. */
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
  /** Whether this is the public key of an enrolled agent. */
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

  /** Sockets by what they are taken for. */
  get counts(): Readonly<{ strangers: number; agents: number }> {
    return { strangers: this.#strangers.size, agents: this.#agents.size };
  }

  /**
   * A place for a socket from this address, which may name a key as early as this. `end` is called if an older
   * socket has to make room. Null: there is no place for it.
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

  /** Ends the oldest socket where there is no room, unless that one has had no time to prove itself. */
  #makeRoom(pool: Pool, peer: string): boolean {
    const oldest = pool.inTheWayOf(peer);
    if (!oldest) return true;
    if (this.#parts.clock.monotonic() - oldest.since < greetingLimits.graceMs) return false;
    this.#leave(oldest);
    oldest.end();
    return true;
  }
}
