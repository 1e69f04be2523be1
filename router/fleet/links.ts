/** Where agents dial in: a WebSocket becomes a session of the fleet, or is closed with the reason. */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { addressBlock } from '../../shared/bounds/address-block.ts';
import { AllowedRate } from '../../shared/bounds/allowed-rate.ts';
import type { Timer } from '../../shared/clock.ts';
import { greetingLimits, limits } from '../../shared/limits.ts';
import type { Log } from '../../shared/log.ts';
import {
  AGENT_KEY_HEADER,
  CLOSE,
  type Region,
  SUBPROTOCOL,
  type WireModel,
} from '../../shared/wire/messages.ts';
import { answerPings } from '../../shared/wire/pings.ts';
import type { LiveCatalog } from '../catalog/live.ts';
import { type EnrolmentParts, enrol } from './enrolment.ts';
import { EnrolledKeys } from './enrolled-keys.ts';
import type { Fleet } from './fleet.ts';
import { type Greeting, Greetings } from './greetings.ts';
import { mayServe, peersFor, type RouterPeer } from './peers.ts';
import { Session } from './session.ts';

/** A second boot of an agent takes over only if the first does not answer a ping within this. */
const TAKE_OVER_PING_MS = 2_000;
const REFUSED_MS_MAX = 500;
/** How often a router asks which of its agents an operator has revoked, maybe on another router. */
const ROSTER_MS = 2_000;
const SUBPROTOCOL_OF_ANY_VERSION = /^penstock\.v\d{1,4}$/;

export type LinksParts = EnrolmentParts &
  Readonly<{
    fleet: Fleet;
    catalog: LiveCatalog;
    log: Log;
    /** The regions of this router's listeners. */
    regions: readonly Region[];
    /** Where a dialling agent is, as far as the proxies before it can be trusted. */
    addressOf: (request: IncomingMessage) => string;
  }>;

export class Links implements Disposable {
  readonly #parts: LinksParts;
  readonly #server = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    autoPong: false,
    maxPayload: limits.linkPayloadBytesMax,
    maxFragments: limits.linkFragmentsMax,
    maxBufferedChunks: limits.linkPiecesMax,
    handleProtocols: chooseProtocol,
  });
  readonly #enrolled: EnrolledKeys;
  readonly #greetings: Greetings;
  readonly #refusalsLogged: AllowedRate;
  /** Refusals since one was logged. */
  #unlogged = 0;
  /** Sockets that have not yet proven who they are. */
  readonly #greeting = new Set<WebSocket>();
  /** What each session was told last of the other routers. */
  readonly #told = new WeakMap<Session, string>();
  readonly #rounds: Timer;
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
    this.#rounds = parts.clock.every(ROSTER_MS, () => void this.#endRevoked());
  }

  /** The other routers, as they are now: agents hear of it when what they may serve has changed. */
  peers(peers: readonly RouterPeer[]): void {
    this.#peers = peers;
    for (const session of this.#parts.fleet.sessions) this.#tellPeers(session);
  }

  /** Takes over an HTTP upgrade that came in on a listener of this region. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, region: Region): void {
    if (this.#closing) return void socket.destroy();
    const address = addressBlock(this.#parts.addressOf(request));
    // An agent names its key before it says hello, so that no crowd of strangers can keep it from doing that.
    const key = request.headers[AGENT_KEY_HEADER];
    const named = typeof key === 'string' ? key : undefined;
    const greeting = this.#greetings.enter(address, named, () => socket.destroy());
    // Without an answer: there is nothing cheaper to do for a stranger who comes too often.
    if (!greeting) return void socket.destroy();
    // Also where there is no handshake.
    socket.once('close', () => greeting[Symbol.dispose]());
    this.#server.handleUpgrade(request, socket, head, (link) => {
      link.on('error', (error) => this.#warn(error.message, 'link error'));
      answerPings(link, this.#parts.clock);
      const bound = boundGreeting(socket, link);
      void this.#greet(link, region, greeting).finally(() => {
        bound[Symbol.dispose]();
        greeting[Symbol.dispose]();
      });
    });
  }

  /** Strangers can bring about any number of lines: what is not logged is counted. */
  #warn(reason: string, what: string): void {
    if (!this.#refusalsLogged.spend(1)) {
      this.#unlogged += 1;
      return;
    }
    this.#parts.log.warn({ reason, unlogged: this.#unlogged }, what);
    this.#unlogged = 0;
  }

  async #greet(socket: WebSocket, region: Region, greeting: Greeting): Promise<void> {
    const { fleet, roster, clock, log } = this.#parts;
    this.#greeting.add(socket);
    try {
      if (socket.protocol !== SUBPROTOCOL) {
        throw new Error(`this router speaks ${SUBPROTOCOL} alone: update the agent`);
      }
      const identity = await enrol(this.#parts, socket, { region, greeting });
      this.#enrolled.learn(identity.publicKey);
      if (!mayServe(identity.region, this.#parts.regions)) {
        throw new Error(`this router has no use for an agent of region ${identity.region}`);
      }
      const old = fleet.sessionOf(identity.agent);
      if (old && old.boot !== identity.boot) {
        if (await old.answers(TAKE_OVER_PING_MS)) {
          throw new Error('duplicate: another agent with this key is connected');
        }
        // Asked again: it may have been revoked meanwhile.
        if (!(await roster.find(identity.publicKey))) throw new Error('this agent is revoked');
      }
      if (this.#closing) throw new Error('this router is shutting down');
      if (socket.readyState !== socket.OPEN) return;
      fleet.sessionOf(identity.agent)?.close(CLOSE.refused, 'replaced by a newer session');
      const session = new Session(socket, identity, { clock, log, fleet });
      fleet.join(session);
      this.#welcome(session);
      this.#tellPeers(session);
    } catch (error) {
      const reason = error instanceof Error ? error.message : 'refused';
      this.#warn(reason, 'agent refused');
      socket.close(CLOSE.refused, reason.slice(0, 120));
      // A stranger that does not answer the close is not waited for.
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

  #tellPeers(session: Session): void {
    const routers = peersFor(session.region, this.#peers);
    const text = routers.join(' ');
    if ((this.#told.get(session) ?? '') === text) return;
    this.#told.set(session, text);
    session.send({ type: 'peers', routers });
  }

  /** An operator may have revoked an agent on another router than this one. */
  async #endRevoked(): Promise<void> {
    const { fleet, roster, log } = this.#parts;
    const agents = [...fleet.sessions].map(({ agent }) => agent);
    if (agents.length === 0) return;
    try {
      for (const agent of await roster.revoked(agents)) {
        const session = fleet.sessionOf(agent);
        session?.close(CLOSE.refused, 'the agent was revoked');
        // Out of the fleet now, not when its end has answered the close: it gets no new work.
        if (session) fleet.gone(session);
      }
    } catch (error) {
      log.warn({ error: String(error) }, 'it is not known which agents are revoked');
    }
  }

  /** This router is going: agents send their work elsewhere, what runs goes on. */
  drain(): void {
    this.#closing = true;
    for (const session of this.#parts.fleet.sessions) session.send({ type: 'drain', worker: null });
  }

  [Symbol.dispose](): void {
    this.#closing = true;
    this.#rounds.cancel();
    this.#enrolled[Symbol.dispose]();
    for (const session of this.#parts.fleet.sessions) session.close(CLOSE.draining, 'router stops');
    for (const socket of this.#greeting) socket.terminate();
    this.#server.close();
  }
}

/**
 * An agent of another version is let in as far as its greeting: there it can be told why it is refused, which its
 * operator reads in its log. A handshake that fails tells nothing.
 */
function chooseProtocol(offered: ReadonlySet<string>): string | false {
  if (offered.has(SUBPROTOCOL)) return SUBPROTOCOL;
  return [...offered].find((protocol) => SUBPROTOCOL_OF_ANY_VERSION.test(protocol)) ?? false;
}

/** Without it a stranger could have as large a message kept for it as an agent. */
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
