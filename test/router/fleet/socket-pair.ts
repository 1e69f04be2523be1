/** The two ends of a WebSocket connection, as a router and an agent have them. */
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocket, WebSocketServer } from 'ws';
import type { AgentIdentity } from '../../../router/fleet/session.ts';
import type { AgentId } from '../../../shared/ids.ts';
import { PROTOCOL_VERSIONS } from '../../../shared/wire/protocol.ts';

/** An agent that has enrolled. */
export const AGENT: AgentIdentity = {
  agent: 'agt_1' as AgentId,
  name: 'a',
  region: 'global',
  version: '1.0.0',
  boot: 'b',
  publicKey: 'k',
  protocol: PROTOCOL_VERSIONS[0],
};

/** `socket` is the router's end, and `connection` what it writes to. Disposing of `undo` ends the connection. */
export async function openSocketPair({ autoPong = true } = {}) {
  const undo = new AsyncDisposableStack();
  const server = undo.adopt(
    new WebSocketServer({ port: 0, host: '127.0.0.1', autoPong }),
    (open) => {
      for (const client of open.clients) client.terminate();
      return new Promise<void>((closed) => open.close(() => closed()));
    },
  );
  await once(server, 'listening');
  const connected = once(server, 'connection') as Promise<[WebSocket, IncomingMessage]>;
  const agent = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  agent.on('error', () => {});
  const [[socket, request]] = await Promise.all([connected, once(agent, 'open')]);
  return { undo, agent, socket, connection: request.socket };
}
