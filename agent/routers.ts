/**
 * The links to all routers that this agent may serve: the configured routers, and the peers that
 * they name. A router that is reachable by two addresses is served over one link. The link to a
 * router that is no longer named is dropped, but not before the router has had the time to restart.
 */
import type { Timer } from '../shared/clock.ts';
import { limits } from '../shared/limits.ts';
import { linkUrlFault } from '../shared/wire/link-url.ts';
import { Link, type LinkParts } from './link.ts';
import type { LinkFigures, LinkState } from './metrics.ts';
import type { KnownRouter, Trust } from './trust.ts';

export const LEARNED_MAX = 256;
/** How long a router may be disconnected and unnamed before its link is dropped. */
const GRACE_MS = 60_000;

/** How many peers that may not be dialled are logged, and the longest text of each. */
const UNFIT_SHOWN_MAX = 3;
const PEER_CHARS_MAX = 100;

/** `neededAt`: the last time, in monotonic ms, at which the link was needed (see `#leaveGone`). */
type Served = { link: Link; neededAt: number };

export class Routers implements AsyncDisposable {
  readonly #parts: LinkParts;
  readonly #configured: ReadonlySet<string>;
  readonly #served = new Map<string, Served>();
  /** The peers that each router last named, by the URL of the router that named them. */
  readonly #named = new Map<string, readonly string[]>();
  /** What was last logged of each router's peers that may not be dialled. */
  readonly #unfit = new Map<string, string>();
  readonly #timer: Timer;
  #stopping = false;

  constructor(configured: readonly KnownRouter[], parts: LinkParts) {
    this.#parts = parts;
    this.#configured = new Set(configured.map(({ url }) => url));
    for (const { url, trust } of configured) this.#dial(url, trust);
    this.#timer = parts.clock.every(limits.linkPingMs, () => this.#leaveGone());
  }

  states(): LinkState[] {
    return this.#links().map((link) => link.state);
  }

  figures(): LinkFigures[] {
    return this.#links().map((link) => link.figures);
  }

  get isStopping(): boolean {
    return this.#stopping;
  }

  /** Accepts no new requests from any router. Resolves when the last stream has ended. */
  async drain(): Promise<void> {
    this.#stop();
    await Promise.all(this.#links().map((link) => link.drain()));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop();
    await Promise.all(this.#links().map((link) => link[Symbol.asyncDispose]()));
  }

  #stop(): void {
    this.#stopping = true;
    this.#timer.cancel();
  }

  #links(): Link[] {
    return [...this.#served.values()].map(({ link }) => link);
  }

  #dial(url: string, trust: Trust): void {
    const link = new Link({ url, trust }, this.#parts, {
      isServed: (router, by) =>
        this.#links().some((other) => other !== by && other.router === router),
      peers: (routers, from) => this.#learn(routers, from),
    });
    this.#served.set(url, { link, neededAt: this.#parts.clock.monotonic() });
    link.start();
  }

  #learn(routers: readonly string[], from: Link): void {
    if (this.#stopping) return;
    const fit = routers.filter((url) => peerFault(url, from.url) === null);
    this.#logUnfit(
      routers.filter((url) => peerFault(url, from.url) !== null),
      from.url,
    );
    const before = this.#wanted();
    this.#named.set(from.url, fit.slice(0, LEARNED_MAX));
    const most = this.#configured.size + LEARNED_MAX;
    for (const url of fit) {
      const served = this.#served.get(url);
      // A peer that was not named a moment ago is named again, so it is back.
      if (served && !before.has(url)) served.link.hurry();
      if (!served && this.#served.size < most) this.#dial(url, from.trust);
    }
  }

  /** Logs the first of the peers that may not be dialled, if they were not logged just before. */
  #logUnfit(unfit: readonly string[], router: string): void {
    if (unfit.length === 0) return;
    const peers = unfit.slice(0, UNFIT_SHOWN_MAX).map((url) => ({
      peer: shownPeer(url),
      fault: peerFault(url, router),
    }));
    const shown = { count: unfit.length, peers };
    const text = JSON.stringify(shown);
    if (text === this.#unfit.get(router)) return;
    this.#unfit.set(router, text);
    this.#parts.log.warn({ url: router, ...shown }, 'router named peers that may not be dialled');
  }

  /** Returns the URLs of the peers that joined routers name. */
  #wanted(): Set<string> {
    const joined = this.#links().filter(({ state }) => state === 'joined');
    return new Set(joined.flatMap(({ url }) => this.#named.get(url) ?? []));
  }

  #leaveGone(): void {
    const now = this.#parts.clock.monotonic();
    const wanted = this.#wanted();
    // While no router is joined, nothing is known of the others, so every link is kept.
    const isBlind = this.#links().every(({ state }) => state !== 'joined');
    for (const [url, served] of this.#served) {
      const { link } = served;
      const isNeeded =
        isBlind || this.#configured.has(url) || link.state === 'joined' || wanted.has(url);
      if (isNeeded) served.neededAt = now;
      else if (now - served.neededAt > GRACE_MS) {
        this.#served.delete(url);
        this.#named.delete(url);
        this.#unfit.delete(url);
        this.#parts.log.info({ url }, 'link was dropped: its router is gone');
        void link[Symbol.asyncDispose]();
      }
    }
  }
}

/** Returns why a peer that the router `from` names may not be dialled, or null if it may. */
function peerFault(url: string, from: string): string | null {
  const fault = linkUrlFault(url);
  if (fault !== null) return fault;
  // A remote router must not choose ws:// addresses, which are always on this machine.
  if (from.startsWith('ws:') || url.startsWith('wss:')) return null;
  return 'must begin with wss://, because the router that names it is not on this machine';
}

/** Returns the scheme and host of a URL: printable ASCII, without credentials. */
function shownPeer(url: string): string {
  const parsed = URL.parse(url);
  return parsed ? `${parsed.protocol}//${parsed.host}`.slice(0, PEER_CHARS_MAX) : 'not a URL';
}
