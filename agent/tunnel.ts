/**
 * Connects to a router through an egress proxy: CONNECT, then TLS with the router inside the tunnel.
 * The proxy sees the router's host and port, and no byte of the link in plain text.
 */
import { request as httpRequest, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import type { ClientOptions } from 'ws';
import type { Clock } from '../shared/clock.ts';
import { limits } from '../shared/limits.ts';

type TunnelParts = Readonly<{
  proxy: URL;
  clock: Clock;
  /** Aborts the tunnel while it is being established. */
  signal: AbortSignal;
}>;

/** What a request passes to the function that makes its connection. */
type Target = ConnectionOptions & Readonly<{ host: string; port: number | string }>;
type Connected = (error: Error | null, socket?: Duplex) => void;

/** The most bytes of the header of a proxy's answer. */
const HEADER_BYTES_MAX = 16 * 1024;

/**
 * Returns the options of a WebSocket that is connected through the proxy, or none without a proxy.
 */
export function tunnelOptions(
  proxy: URL | null,
  parts: Omit<TunnelParts, 'proxy'>,
): Pick<ClientOptions, 'createConnection'> {
  if (proxy === null) return {};
  // Node also accepts a function that passes on the connection later, which the types do not say.
  const createConnection: unknown = (target: Target, connected: Connected) =>
    openTunnel({ proxy, ...parts }, target, connected);
  return { createConnection: createConnection as ClientOptions['createConnection'] };
}

/**
 * Opens a tunnel, and calls `connected` once: with a TLS socket whose handshake has begun, or with an
 * Error that names the proxy and the reason. The Error has no credentials and no text of the proxy.
 */
function openTunnel(
  { proxy, clock, signal }: TunnelParts,
  target: Target,
  connected: Connected,
): void {
  const fail = (reason: string) => {
    late.cancel();
    connected(new Error(`the proxy ${proxy.host} ${reason}`));
  };
  const options = connectRequest(proxy, target);
  const request = (proxy.protocol === 'https:' ? httpsRequest : httpRequest)({
    ...options,
    signal,
  });
  const late = clock.after(limits.linkHandshakeMsMax, () =>
    request.destroy(new Error('did not answer in time')),
  );
  request.on('error', ({ message }) => fail(`failed: ${message}`));
  request.on('connect', ({ statusCode = 0 }, socket, head) => {
    late.cancel();
    if (statusCode < 200 || statusCode > 299) {
      socket.destroy();
      return fail(`refused the connection with status ${statusCode}${HINTS[statusCode] ?? ''}`);
    }
    // The first bytes of the router may come together with the proxy's answer.
    if (head.length > 0) socket.unshift(head);
    const { host } = target;
    const servername = target.servername ?? (isIP(host) ? '' : host);
    connected(null, connectTls({ ...target, path: undefined, socket, servername }));
  });
  request.end();
}

const HINTS: Readonly<Record<number, string>> = {
  403: ': it does not permit connections to the router',
  407: ': it needs other credentials',
};

function connectRequest(proxy: URL, { host, port }: Target): RequestOptions {
  const authority = `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
  const credentials = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  const authorization = `Basic ${Buffer.from(credentials).toString('base64')}`;
  return {
    method: 'CONNECT',
    host: proxy.hostname.replace(/^\[|\]$/g, ''),
    port: proxy.port || (proxy.protocol === 'https:' ? 443 : 80),
    path: authority,
    headers: {
      host: authority,
      ...(credentials !== ':' && { 'proxy-authorization': authorization }),
    },
    agent: false,
    maxHeaderSize: HEADER_BYTES_MAX,
  };
}
