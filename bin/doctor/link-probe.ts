/** Dials a router as an agent does, up to the end of the WebSocket handshake. */
import { WebSocket } from 'ws';
import { isTrusted, type Trust, tlsOptions } from '../../agent/trust.ts';
import { systemFault } from '../../shared/system-fault.ts';
import { SUBPROTOCOLS } from '../../shared/wire/protocol.ts';

const HANDSHAKE_MS_MAX = 5_000;

/** Accepts any certificate. It is for the ports of this machine. */
export const ANYONE: Trust = { pins: new Set(), ca: null };

/** Returns null if a router answers at this URL, otherwise what happened instead. */
export function probeLink(url: string, trust: Trust): Promise<string | null> {
  const socket = new WebSocket(url, [...SUBPROTOCOLS], {
    perMessageDeflate: false,
    handshakeTimeout: HANDSHAKE_MS_MAX,
    ...tlsOptions(trust),
  });
  const { promise, resolve } = Promise.withResolvers<string | null>();
  socket.on('upgrade', ({ socket: connection }) => {
    if (trust !== ANYONE && !isTrusted(trust, connection)) {
      resolve("the router's key matches no pin of the configuration");
    }
  });
  socket.on('unexpected-response', (_request, { statusCode }) => {
    resolve(`it answers with the status ${statusCode} instead of a link`);
  });
  socket.on('error', (error) => resolve(systemFault(error)));
  socket.on('open', () => resolve(null));
  return promise.finally(() => socket.terminate());
}
