/**
 * The link to one router. It dials, keeps a session while it is connected, and dials again after a
 * delay that grows and has jitter, so that agents do not reconnect in step.
 */
import { WebSocket } from 'ws';
import { jitteredBackoffMs } from '../shared/backoff.ts';
import { sleep } from '../shared/clock.ts';
import { limits } from '../shared/limits.ts';
import type { Random } from '../shared/random.ts';
import { keyFingerprint } from '../shared/wire/key-fingerprint.ts';
import { LinkBytes } from '../shared/wire/link-bytes.ts';
import { AGENT_KEY_HEADER, CLOSE } from '../shared/wire/messages.ts';
import { answerPings } from '../shared/wire/pings.ts';
import { SUBPROTOCOLS } from '../shared/wire/protocol.ts';
import type { LinkFigures, LinkState } from './metrics.ts';
import { proxyFor } from './proxy.ts';
import { Session, type SessionParts } from './session.ts';
import { isTrusted, type KnownRouter, type Trust, tlsOptions } from './trust.ts';
import { tunnelOptions } from './tunnel.ts';

const BACKOFF_MS = { first: 500, most: 20_000 } as const;
/**
 * A router that was connected less than `within` ms ago is probably restarting, so its delay is
 * capped at `most` ms.
 */
const RETURN_MS = { within: 30_000, most: 4_000 } as const;
/** When a router is back, each agent dials it after a random delay of at most this many ms. */
const HURRY_MS = 500;
/** The status of a connection that reached another process of the router than the URL names. */
const MISDIRECTED = 421;
/** How often in a row such a connection is tried again at once: the next may reach the process. */
const MISDIRECTED_MAX = 64;
/** The code of a connection that ended without a close frame. */
const ABNORMAL = 1006;

export type LinkParts = Omit<
  SessionParts,
  'claims' | 'onJoined' | 'onPeers' | 'onIdle' | 'onOver'
> &
  Readonly<{
    random: Random;
    /** The setting `proxy`. */
    proxy: string | undefined;
  }>;

export type LinkEvents = Readonly<{
  /** Whether another link already serves this router. */
  isServed(router: string, by: Link): boolean;
  peers(routers: readonly string[], from: Link): void;
}>;

export class Link implements AsyncDisposable {
  readonly url: string;
  readonly trust: Trust;
  readonly #parts: LinkParts;
  readonly #events: LinkEvents;
  readonly #stop = new AbortController();
  #state: LinkState = 'waiting';
  #session: Session | null = null;
  #running: Promise<void> | null = null;
  #draining = false;
  readonly #bytes = new LinkBytes();
  #reconnects = 0;
  #idle: (() => void) | null = null;
  #wake: (() => void) | null = null;
  /** The router at the other end, while there is a session with it. */
  #router: string | null = null;
  /**
   * Whether another link served the router when this one last reached it. The ends of its connections
   * are not logged then.
   */
  #isSpare = false;

  /** The reason for which the router last refused this agent. It is logged once as a warning. */
  #refusal: string | null = null;

  constructor({ url, trust }: KnownRouter, parts: LinkParts, events: LinkEvents) {
    this.url = url;
    this.trust = trust;
    this.#parts = { ...parts, log: parts.log.child({ url }) };
    this.#events = events;
  }

  get state(): LinkState {
    return this.#state;
  }

  get figures(): LinkFigures {
    return {
      url: this.url,
      state: this.#state,
      isSpare: this.#isSpare,
      reconnects: this.#reconnects,
      rttMs: this.#session?.rttMs ?? null,
      bytes: this.#bytes,
    };
  }

  get router(): string | null {
    return this.#router;
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /** Cuts the current delay short, because another router reports that this one is back. */
  hurry(): void {
    this.#wake?.();
  }

  /** Accepts no new requests. Resolves when the last stream has ended and the session is closed. */
  async drain(): Promise<void> {
    this.#draining = true;
    this.#session?.drain();
    while (this.#session && this.#session.running > 0) {
      await new Promise<void>((resolve) => {
        this.#idle = resolve;
      });
    }
    await this.#close(CLOSE.draining, 'the agent is stopping');
  }

  /** Closes the link at once and aborts its running requests. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#close(CLOSE.draining, 'the agent is stopping');
  }

  async #close(code: number, reason: string): Promise<void> {
    this.#stop.abort();
    this.#session?.close(code, reason);
    await this.#running;
    this.#state = 'closed';
  }

  async #run(): Promise<void> {
    const { clock, random } = this.#parts;
    const { signal } = this.#stop;
    let joinedAt = Number.NEGATIVE_INFINITY;
    for (let failures = 1; !signal.aborted; failures++) {
      this.#state = 'connecting';
      const joined = await this.#reach();
      this.#state = 'waiting';
      if (joined) {
        failures = 1;
        joinedAt = clock.monotonic();
      }
      if (signal.aborted) return;
      const isReturning = clock.monotonic() - joinedAt < RETURN_MS.within;
      const most = isReturning ? RETURN_MS.most : BACKOFF_MS.most;
      await this.#pause(jitteredBackoffMs(failures, { ...BACKOFF_MS, most }, random));
      // A spare link dials again and again, and nothing is wrong with it.
      if (!this.#isSpare) this.#reconnects += 1;
    }
  }

  async #pause(ms: number): Promise<void> {
    const { clock, random } = this.#parts;
    const hurried = new AbortController();
    this.#wake = () => hurried.abort();
    await sleep(clock, ms, AbortSignal.any([this.#stop.signal, hurried.signal]));
    this.#wake = null;
    // The random delay keeps agents from dialling all at once.
    if (hurried.signal.aborted) await sleep(clock, random.unit() * HURRY_MS, this.#stop.signal);
  }

  /**
   * Connects until the connection reaches the process that the URL names, if the router is several
   * processes. Resolves when the connection has ended, to whether the session was ever joined.
   */
  async #reach(): Promise<boolean> {
    for (let tries = 0; tries < MISDIRECTED_MAX && !this.#stop.signal.aborted; tries++) {
      const ended = await this.#connect();
      if (ended !== 'misdirected') return ended === 'joined';
    }
    const { log } = this.#parts;
    if (!this.#stop.signal.aborted) log.warn('no connection reached the process of the router');
    return false;
  }

  /** Runs one connection, from dialling to its end. */
  #connect(): Promise<'joined' | 'failed' | 'misdirected'> {
    const { log, clock } = this.#parts;
    let proxy: URL | null;
    try {
      proxy = proxyFor(this.url, this.#parts.proxy);
    } catch (error) {
      log.warn({ error: error instanceof Error ? error.message : 'unknown' }, 'link failed');
      return Promise.resolve('failed');
    }
    const over = new AbortController();
    const socket = new WebSocket(this.url, [...SUBPROTOCOLS], {
      perMessageDeflate: false,
      autoPong: false,
      handshakeTimeout: limits.linkHandshakeMsMax,
      maxPayload: limits.linkPayloadBytesMax,
      maxFragments: limits.linkFragmentsMax,
      maxBufferedChunks: limits.linkPiecesMax,
      headers: { [AGENT_KEY_HEADER]: this.#parts.identity.publicKey },
      // Masking protects proxies from data that browser scripts send. Here it would only cost CPU
      // time at both ends, so the mask stays zero.
      generateMask: () => {},
      ...tlsOptions(this.trust),
      ...tunnelOptions(proxy, { clock, signal: over.signal }),
    });
    socket.on('upgrade', ({ socket: connection }) => {
      this.#bytes.follow(connection);
      if (isTrusted(this.trust, connection)) return;
      log.error("router's key matched no pin: the connection was closed");
      socket.terminate();
    });
    answerPings(socket, clock);
    return new Promise((resolve) => {
      let joined = false;
      let refused: number | undefined;
      const abandon = () => socket.terminate();
      this.#stop.signal.addEventListener('abort', abandon, { once: true });
      socket.on('unexpected-response', (_request, { statusCode = 0 }) => {
        refused = statusCode;
        if (refused !== MISDIRECTED) log.warn({ status: refused }, 'router refused the link');
        socket.terminate();
      });
      socket.on('error', (error) => {
        if (refused === undefined) log.warn({ error: error.message }, 'link failed');
      });
      socket.on('open', () => {
        this.#stop.signal.removeEventListener('abort', abandon);
        this.#session = this.#begin(socket, () => {
          joined = true;
        });
      });
      socket.on('close', (code, reason) => {
        over.abort();
        this.#stop.signal.removeEventListener('abort', abandon);
        this.#logClose({ code, reason: reason.toString(), joined });
        if (joined) resolve('joined');
        else resolve(refused === MISDIRECTED ? 'misdirected' : 'failed');
      });
    });
  }

  #logClose({ code, reason, joined }: { code: number; reason: string; joined: boolean }): void {
    const { log, identity } = this.#parts;
    if (this.#isSpare || (!joined && code === ABNORMAL)) return;
    const isRefused = !joined && code === CLOSE.refused;
    if (isRefused && reason !== this.#refusal) {
      this.#refusal = reason;
      const key = keyFingerprint(identity.publicKey);
      log.warn({ reason, key }, 'router refused this agent, which dials again');
    } else log[isRefused ? 'debug' : 'info']({ code, reason }, 'link closed');
  }

  #begin(socket: WebSocket, onJoined: () => void): Session {
    const { random: _random, proxy: _proxy, ...parts } = this.#parts;
    const { log } = parts;
    return new Session(
      socket,
      {
        ...parts,
        claims: (router) => {
          if (this.#events.isServed(router, this)) {
            // It tries again and again, in case the other link fails. One line in the log is enough.
            if (!this.#isSpare) log.info({ router }, 'another link serves this router already');
            this.#isSpare = true;
            return false;
          }
          this.#isSpare = false;
          this.#router = router;
          return true;
        },
        onJoined: () => {
          this.#state = 'joined';
          this.#refusal = null;
          // Forgets the peers that the router named in an earlier session. It names its current
          // peers again, if it has any.
          this.#events.peers([], this);
          onJoined();
        },
        onPeers: (routers) => this.#events.peers(routers, this),
        onIdle: () => this.#idle?.(),
        onOver: () => {
          this.#session = null;
          this.#router = null;
          this.#idle?.();
          this.#abandonAfterClose(socket);
        },
      },
      this.#draining,
    );
  }

  /** Terminates the connection if the peer does not answer the close frame in time. */
  #abandonAfterClose(socket: WebSocket): void {
    if (socket.readyState === WebSocket.CLOSED) return;
    const timer = this.#parts.clock.after(limits.linkPingMs, () => socket.terminate());
    socket.once('close', () => timer.cancel());
  }
}
