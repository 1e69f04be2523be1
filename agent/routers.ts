/**
 * The links to all routers that the agent may serve: those of the configuration, and those that they name as
 * their peers. A router that is reachable by two addresses is served over one link.
 */
import type { Log } from '../shared/log.ts';
import { routerUrlFault } from './config.ts';
import { Link, type LinkParts } from './link.ts';
import type { LinkState } from './metrics.ts';

const LEARNED_MAX = 256;

export class Routers implements AsyncDisposable {
  readonly #parts: LinkParts;
  readonly #log: Log;
  readonly #configured: ReadonlySet<string>;
  readonly #links = new Map<string, Link>();
  /** What each router last said of its peers; kept beyond its session, since it may be the one that died. */
  readonly #named = new Map<string, readonly string[]>();
  #stopping = false;

  constructor(urls: readonly string[], parts: LinkParts) {
    this.#parts = parts;
    this.#log = parts.log;
    this.#configured = new Set(urls);
    for (const url of urls) this.#dial(url);
  }

  states(): LinkState[] {
    return [...this.#links.values()].map((link) => link.state);
  }

  /** Takes nothing new from any router; resolves when the last stream is over. */
  async drain(): Promise<void> {
    this.#stopping = true;
    await Promise.all([...this.#links.values()].map((link) => link.drain()));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping = true;
    await Promise.all([...this.#links.values()].map((link) => link[Symbol.asyncDispose]()));
  }

  #dial(url: string): void {
    const link = new Link(url, this.#parts, {
      isServed: (router, by) =>
        [...this.#links.values()].some((other) => other !== by && other.router === router),
      peers: (routers, from) => this.#learn(routers, from),
    });
    this.#links.set(url, link);
    link.start();
  }

  #learn(routers: readonly string[], from: Link): void {
    if (this.#stopping) return;
    // A router elsewhere has no say in what is dialled on this machine.
    const plain = from.url.startsWith('ws:');
    const fit = routers.filter(
      (url) => routerUrlFault(url) === null && (plain || url.startsWith('wss:')),
    );
    if (fit.length < routers.length) this.#log.warn('a router names peers that may not be dialled');
    this.#named.set(from.url, fit);
    const wanted = new Set([...this.#named.values()].flat().slice(0, LEARNED_MAX));
    for (const url of wanted) if (!this.#links.has(url)) this.#dial(url);
    for (const [url, link] of this.#links) {
      if (wanted.has(url) || this.#configured.has(url) || link.state === 'joined') continue;
      this.#links.delete(url);
      this.#named.delete(url);
      void link[Symbol.asyncDispose]();
    }
  }
}
