/** The server for agents: makes a session of each WebSocket, or closes it with a reason. */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { addressBlock } from '../../shared/bounds/address-block.ts';
import { AllowedRate } from '../../shared/bounds/allowed-rate.ts';
import type { Timer } from '../../shared/clock.ts';
import { limits } from '../../shared/limits.ts';
import type { Log } from '../../shared/log.ts';
import type { Region } from '../../shared/region.ts';
import { keyFingerprint } from '../../shared/wire/key-fingerprint.ts';
import { AGENT_KEY_HEADER, CLOSE, type WireModel } from '../../shared/wire/messages.ts';
import { answerPings } from '../../shared/wire/pings.ts';
import { chooseSubprotocol, versionOf } from '../../shared/wire/protocol.ts';
import type { LiveCatalog } from '../catalog/live.ts';
import { EnrolledKeys } from './enrolled-keys.ts';
import { type EnrolmentParts, enrol, NotEnrolled, SERVED_ALREADY } from './enrolment.ts';
import type { Fleet } from './fleet.ts';
import { greetingLimits } from './greeting-limits.ts';
import { type Greeting, Greetings } from './greetings.ts';
import { LinkFigures } from './link-figures.ts';
import { misdirection, type ProcessOfLinks, refuse } from './link-path.ts';
import { mayServe, peersFor, type RouterPeer } from './peers.ts';
import { Session } from './session.ts';

/**
 * When a second process connects with the key of an agent that is connected, it is refused, unless
 * the first process answers no ping within this time.
 */
const TAKE_OVER_PING_MS = 2_000;
const REFUSED_MS_MAX = 500;
/** How often a router looks up which of its agents were revoked, possibly on another router. */
const REVOKED_EVERY_MS = 2_000;
/** How often a router records in the store which agents are connected to it. */
const SEEN_EVERY_MS = 60_000;

export type LinksParts = EnrolmentParts &
  Readonly<{
    fleet: Fleet;
    catalog: LiveCatalog;
    log: Log;
    /** The regions of this router's listeners. */
    regions: readonly Region[];
    /** Null: the router is one process. */
    process: ProcessOfLinks | null;
    /** The address of a connecting agent, as far as the proxies in front of it are trusted. */
    addressOf: (request: IncomingMessage) => string;
  }>;

/** A new socket. `offered`: the subprotocols that the agent speaks, as it names them. */
type Arrival = Readonly<{
  region: Region;
  greeting: Greeting;
  address: string;
  offered: string | undefined;
}>;

/** What is logged of a refused socket. `key`: the fingerprint of the key that it has proven. */
type Refusal = Readonly<{ reason: string; address: string; key?: string }>;

export class Links implements Disposable {
  readonly figures = new LinkFigures();
  readonly #parts: LinksParts;
  readonly #server = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    autoPong: false,
    maxPayload: limits.linkPayloadBytesMax,
    maxFragments: limits.linkFragmentsMax,
    maxBufferedChunks: limits.linkPiecesMax,
    handleProtocols: (offered) => chooseSubprotocol(offered),
  });
  readonly #enrolled: EnrolledKeys;
  readonly #greetings: Greetings;
  readonly #refusalsLogged: AllowedRate;
  /** Refusals since the last one that was logged. */
  #unlogged = 0;
  /** Sockets that are not authenticated yet. */
  readonly #greeting = new Set<WebSocket>();
  /** The router URLs that each session was last sent. */
  readonly #peersSent = new WeakMap<Session, string>();
  readonly #timers: readonly Timer[];
  #peers: readonly RouterPeer[] = [];
  #closing = false;

  constructor(parts: LinksParts) {
    this.#parts = parts;
    this.#enrolled = new EnrolledKeys(parts);
    this.#greetings = new Greetings({
      clock: parts.clock,
      isEnrolled: (key) => this.#enrolled.has(key),
    });
    this.#refusalsLogged = new AllowedRate(parts.clock, greetingLimits.refusalsLogged);
    parts.catalog.onChange(() => {
      for (const session of parts.fleet.sessions) this.#welcome(session);
    });
    this.#timers = [
      parts.clock.every(REVOKED_EVERY_MS, () => void this.#endRevoked()),
      parts.clock.every(SEEN_EVERY_MS, () => void this.#noteSeen()),
    ];
  }

  /** Sets the other routers. Agents get a message when the routers that they may serve change. */
  peers(peers: readonly RouterPeer[]): void {
    this.#peers = peers;
    for (const session of this.#parts.fleet.sessions) this.#sendPeers(session);
  }

  /** Handles an HTTP upgrade request that came in on a listener of this region. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, region: Region): void {
    if (this.#closing) return void socket.destroy();
    const misdirected = misdirection(this.#parts.process, request.url ?? '');
    if (misdirected !== null) return refuse(socket, misdirected);
    const address = this.#parts.addressOf(request);
    // An agent sends its key in a header, so that strangers cannot use up the limit for enrolled
    // agents.
    const key = request.headers[AGENT_KEY_HEADER];
    const named = typeof key === 'string' ? key : undefined;
    const greeting = this.#greetings.enter(addressBlock(address), named, () => socket.destroy());
    // Closing without a response is the cheapest answer to a stranger that connects too often.
    if (!greeting) return void socket.destroy();
    // This also covers an upgrade without a WebSocket handshake.
    socket.once('close', () => greeting[Symbol.dispose]());
    this.#server.handleUpgrade(request, socket, head, (link) => {
      link.on('error', ({ message }) => this.#warn({ reason: message, address }, 'link failed'));
      answerPings(link, this.#parts.clock);
      const bound = boundGreeting(socket, link);
      const offered = request.headers['sec-websocket-protocol'];
      void this.#greet(link, socket, { region, greeting, address, offered }).finally(() => {
        bound[Symbol.dispose]();
        greeting[Symbol.dispose]();
      });
    });
  }

  /**
   * Logs a warning within a rate limit, because strangers could cause any number of lines. Warnings
   * beyond the limit are counted.
   */
  #warn(refusal: Refusal, what: string): void {
    if (!this.#refusalsLogged.spend(1)) {
      this.#unlogged += 1;
      return;
    }
    this.#parts.log.warn({ ...refusal, unlogged: this.#unlogged }, what);
    this.#unlogged = 0;
  }

  async #greet(
    socket: WebSocket,
    connection: Duplex,
    { region, greeting, address, offered }: Arrival,
  ): Promise<void> {
    const { fleet, registry, clock, log } = this.#parts;
    this.#greeting.add(socket);
    /** The key that the agent has proven to have. */
    let proven: string | null = null;
    try {
      const protocol = versionOf(socket.protocol, offered);
      const identity = await enrol(this.#parts, socket, { region, greeting, protocol });
      proven = identity.publicKey;
      this.#enrolled.learn(proven);
      if (!mayServe(identity.region, this.#parts.regions)) {
        throw new Error(`this router does not serve region ${identity.region}`);
      }
      const old = fleet.sessionOf(identity.agent);
      if (old && old.boot !== identity.boot) {
        if (await old.answers(TAKE_OVER_PING_MS)) {
          throw new Error('duplicate: another agent with this key is connected');
        }
        // The lookup is repeated, because the agent may have been revoked during the ping.
        if (!(await registry.find(proven))) throw new NotEnrolled(proven, 'key_revoked');
      }
      if (this.#closing) throw new Error('this router is shutting down');
      if (socket.readyState !== socket.OPEN) return;
      fleet
        .sessionOf(identity.agent)
        ?.close(CLOSE.refused, 'replaced by a newer session', 'replaced');
      const session = new Session(socket, identity, { connection, clock, log, fleet });
      this.figures.joined(session.agent, connection as Socket);
      socket.once('close', () => this.figures.ended(session.agent, session.ending));
      fleet.join(session);
      this.#welcome(session);
      this.#sendPeers(session);
    } catch (error) {
      const reason = error instanceof Error ? error.message : 'refused';
      if (error instanceof NotEnrolled) proven = error.publicKey;
      const key = proven === null ? {} : { key: keyFingerprint(proven) };
      if (reason !== SERVED_ALREADY) this.figures.refused += 1;
      if (reason !== SERVED_ALREADY) this.#warn({ reason, address, ...key }, 'agent refused');
      socket.close(CLOSE.refused, reason.slice(0, 120));
      // The socket is terminated if the peer does not answer the close.
      const late = clock.after(REFUSED_MS_MAX, () => socket.terminate());
      socket.once('close', () => late.cancel());
    } finally {
      this.#greeting.delete(socket);
    }
  }

  #welcome(session: Session): void {
    const { router, catalog } = this.#parts;
    session.send({
      type: 'welcome',
      agent: session.agent,
      name: session.name,
      router,
      models: [...catalog.models].map(
        ({ entry }): WireModel => ({
          id: entry.id,
          hubModelId: entry.hub_model_id,
          contextLength: entry.context_length,
          maxOutputLength: entry.max_output_length,
          images: entry.input_modalities.includes('image'),
          thinking: entry.thinking,
        }),
      ),
    });
  }

  #sendPeers(session: Session): void {
    const routers = peersFor(session.region, this.#peers);
    const text = routers.join(' ');
    if ((this.#peersSent.get(session) ?? '') === text) return;
    this.#peersSent.set(session, text);
    session.send({ type: 'peers', routers });
  }

  /** Closes the sessions of agents that were revoked, possibly on another router. */
  async #endRevoked(): Promise<void> {
    const { fleet, registry, log } = this.#parts;
    const agents = [...fleet.sessions].map(({ agent }) => agent);
    if (agents.length === 0) return;
    try {
      for (const agent of await registry.revoked(agents)) {
        const session = fleet.sessionOf(agent);
        session?.close(CLOSE.refused, 'the agent was revoked', 'revoked');
        // Removes the session at once: the agent must get no new work while the close is
        // unanswered.
        if (session) fleet.gone(session);
      }
    } catch (error) {
      log.warn({ err: error }, 'revoked agents could not be read');
    }
  }

  async #noteSeen(): Promise<void> {
    const { fleet, registry, log } = this.#parts;
    const agents = [...fleet.sessions].map(({ agent }) => agent);
    if (agents.length === 0) return;
    await registry.seen(agents).catch((error: unknown) => {
      log.warn({ err: error }, 'the connected agents could not be recorded');
    });
  }

  /** Notifies the agents that this router is shutting down. Requests in flight go on. */
  drain(): void {
    this.#closing = true;
    for (const session of this.#parts.fleet.sessions) session.send({ type: 'drain', worker: null });
  }

  [Symbol.dispose](): void {
    this.#closing = true;
    for (const timer of this.#timers) timer.cancel();
    this.#enrolled[Symbol.dispose]();
    const { fleet } = this.#parts;
    for (const session of fleet.sessions) {
      session.close(CLOSE.draining, 'the router is stopping', 'stopping');
      // Removes the session at once, so that its end is recorded before the store closes.
      fleet.gone(session);
    }
    for (const socket of this.#greeting) socket.terminate();
    this.#server.close();
  }
}

/**
 * Bounds what a socket may send before it is authenticated. Otherwise a stranger could make the
 * router buffer messages as large as those of an agent.
 */
function boundGreeting(socket: Duplex, link: WebSocket): Disposable {
  let bytes = 0;
  let pieces = 0;
  const hear = (data: Buffer) => {
    bytes += data.length;
    pieces += 1;
    if (bytes > greetingLimits.bytesMax || pieces > greetingLimits.piecesMax) link.terminate();
  };
  socket.on('data', hear);
  return { [Symbol.dispose]: () => void socket.off('data', hear) };
}
