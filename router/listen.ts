/**
 * The HTTP servers. Requests to the data plane and `/agent` are dispatched here; Fastify gets all others.
 * The data plane never waits for the control plane.
 */
import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';
import { SMALL_PIECES_MAX } from '../shared/bounds/chunk-buffer.ts';
import { closeUnread, stopParsing, watchDrips } from '../shared/bounds/stop-parsing.ts';
import type { Clock } from '../shared/clock.ts';
import { mintId } from '../shared/ids.ts';
import { limits } from '../shared/limits.ts';
import { openPort } from '../shared/open-port.ts';
import type { Random } from '../shared/random.ts';
import { Refusal } from '../shared/refusals.ts';
import type { Region } from '../shared/region.ts';
import { Connections } from './connections.ts';
import { isLinkPath } from './fleet/link-path.ts';
import type { LiveCertificate } from './live-certificate.ts';
import type { Arrival } from './request/call.ts';
import { isOfDataPlane } from './request/routes.ts';
import { RequestTurns } from './request-turns.ts';

const TLS_HANDSHAKE_MS = 10_000;

export type Routes = Readonly<{
  data: (request: IncomingMessage, response: ServerResponse, arrival: Arrival) => void;
  link: (request: IncomingMessage, socket: Duplex, head: Buffer, region: Region) => void;
  rest: (request: IncomingMessage, response: ServerResponse) => void;
}>;

export type Listening = Readonly<{
  region: Region;
  origin: string;
  certificate: LiveCertificate | null;
  server: Server | TlsServer;
  /** All open connections, including those that were upgraded to agent links. */
  sockets: ReadonlySet<Socket>;
  /** Resolves when the server is closed and its last connection has ended. */
  closed: Promise<unknown>;
}>;

export type ListenAt = Readonly<{
  host: string;
  port: number;
  region: Region;
  /** Without a certificate, the listener speaks plain HTTP. */
  certificate?: LiveCertificate | null;
}>;

function makeServer(
  certificate: LiveCertificate | null,
  options: ServerOptions,
  answer: RequestListener,
): Server | TlsServer {
  if (!certificate) return createServer(options, answer);
  const { cert, key } = certificate.current;
  const server = createTlsServer(
    { ...options, cert, key, handshakeTimeout: TLS_HANDSHAKE_MS },
    answer,
  );
  // Connections that are open keep the certificate of their handshake.
  certificate.onChange((renewed) =>
    server.setSecureContext({ cert: renewed.cert, key: renewed.key }),
  );
  return server;
}

export async function listen(
  at: ListenAt,
  routes: Routes,
  parts: Readonly<{
    clock: Clock;
    random: Random;
    draining: AbortSignal;
    /** The connection limits that all listeners of this router share. */
    connections?: Connections;
    /** The turns that requests take on all of them. */
    turns?: RequestTurns;
  }>,
): Promise<Listening> {
  const { region, certificate = null } = at;
  const { connections = new Connections(() => false), turns = new RequestTurns() } = parts;
  /** The number of unfinished responses of each socket. */
  const answering = new WeakMap<Duplex, number>();
  const server = makeServer(
    certificate,
    {
      maxHeaderSize: limits.headerBytesMax,
      headersTimeout: 10_000,
      requestTimeout: limits.bodyReadMsMax,
      connectionsCheckingInterval: 2_000,
      keepAliveTimeout: 75_000,
      noDelay: true,
      highWaterMark: limits.socketBufferBytes,
      // The handler below answers requests without a Host header, with an error body of our own.
      requireHostHeader: false,
      // Other upgrades that clients offer (h2c) are ignored.
      shouldUpgradeCallback: (request) => isLinkPath(request.url ?? ''),
    },
    (request, response) => {
      const { socket } = request;
      const underWay = (answering.get(socket) ?? 0) + 1;
      // One read from a socket can contain two thousand pipelined requests.
      if (underWay > turns.pipelinedMax) {
        stopParsing(request);
        return void socket.destroy();
      }
      answering.set(socket, underWay);
      response.on('close', () => {
        const left = (answering.get(socket) ?? 1) - 1;
        if (left > 0) answering.set(socket, left);
        else answering.delete(socket);
      });
      closeUnread(request, response);
      // Close the connection, so that the client's next request opens one to a running router.
      if (parts.draining.aborted) response.shouldKeepAlive = false;
      if (!namesOneHost(request)) {
        const id = mintId('request', parts.clock, parts.random);
        return badRequest(response, id);
      }
      const isOfData = isOfDataPlane(request.url ?? '');
      watchDrips(request, isOfData ? SMALL_PIECES_MAX : limits.controlBodySmallPiecesMax);
      // Taken now: the time of a request includes its wait for a turn.
      const arrival = { region, created: parts.clock.now(), arrived: parts.clock.monotonic() };
      turns.take(socket, () => {
        if (isOfData) routes.data(request, response, arrival);
        else routes.rest(request, response);
      });
    },
  );
  server.on('upgrade', (request, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    if (!namesOneHost(request)) {
      return rejectSocket(socket, mintId('request', parts.clock, parts.random));
    }
    routes.link(request, socket, head, region);
  });
  server.on('checkExpectation', (_request, response: ServerResponse) => {
    badRequest(response, mintId('request', parts.clock, parts.random));
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    // A browser opens connections ahead of need. It would read what came before its request as the
    // answer to that.
    if (socket.bytesRead === 0) return socket.destroy();
    // In the middle of a response, the client would read an error as part of the response.
    if (error.code === 'ECONNRESET' || !socket.writable || answering.has(socket)) {
      return socket.destroy();
    }
    // Without a completed TLS handshake the client could not read an error.
    if (socket instanceof TLSSocket && socket.getProtocol() === null) return socket.destroy();
    rejectSocket(socket, mintId('request', parts.clock, parts.random));
  });
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    if (!connections.admit(socket)) return;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await openPort(server, at, `the region ${region}`);
  const { port } = server.address() as AddressInfo;
  const host = at.host.includes(':') ? `[${at.host}]` : at.host;
  const origin = `http${certificate ? 's' : ''}://${host}:${port}`;
  return { region, origin, certificate, server, sockets, closed: once(server, 'close') };
}

/** Node accepts two Host headers, and proxies disagree on which counts. HTTP/1.0 needs none. */
function namesOneHost(request: IncomingMessage): boolean {
  const count = hostHeaders(request);
  return count === 1 || (count === 0 && request.httpVersion === '1.0');
}

function hostHeaders(request: IncomingMessage): number {
  let count = 0;
  const { rawHeaders } = request;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count;
}

function errorBody(requestId: string): string {
  return JSON.stringify(new Refusal('bad_request').body(requestId));
}

/** Sends a 400 on a socket: for an unparsable request, or an upgrade without one valid Host. */
function rejectSocket(socket: Duplex, requestId: string): void {
  const body = errorBody(requestId);
  socket.end(
    'HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-type: application/json\r\n' +
      `x-request-id: ${requestId}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    () => socket.destroy(),
  );
}

function badRequest(response: ServerResponse, requestId: string): void {
  response.writeHead(400, {
    'content-type': 'application/json; charset=utf-8',
    'x-request-id': requestId,
    connection: 'close',
  });
  response.end(errorBody(requestId));
}

/**
 * Accepts no new connections. Those that are open can still be used: the `close` of an HTTP server
 * would also end the idle ones, on which a client may be sending a request right now.
 */
export function stopListening(server: Listening['server']): void {
  NetServer.prototype.close.call(server);
}

/** How long clients may take to read their last bytes after the router stops. */
const LAST_BYTES_MS = 5_000;

/**
 * Closes a listener on which no request is in flight. The connections that remain are idle, or wait
 * for their client to read the end of a response.
 */
export async function endListener(
  { server, sockets, closed }: Listening,
  clock: Clock,
): Promise<void> {
  if (server.listening) server.close();
  server.closeIdleConnections();
  const sweep = clock.every(50, () => server.closeIdleConnections());
  const giveUp = clock.after(LAST_BYTES_MS, () => {
    for (const socket of sockets) socket.destroy();
  });
  await closed;
  sweep.cancel();
  giveUp.cancel();
}
