/** Strangers on `/agent`, over real sockets, while an enrolled agent dials. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { limits } from '../../../shared/limits.ts';
import { OPCODE, RawPeer } from '../../torture/raw-peer.ts';
import { type AgentKey, DialingAgent, newAgentKey } from './dialing-agent.ts';
import { type Rig, startRig } from './rig.ts';
import { SUBPROTOCOLS } from '../../../shared/wire/protocol.ts';
import { greetingLimits } from '../../../router/fleet/greeting-limits.ts';

const { strangers } = greetingLimits;

let rig: Rig;
let sockets: Socket[];
beforeEach(async () => {
  rig = await startRig();
  sockets = [];
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await rig[Symbol.asyncDispose]();
});

/**
 * Requests a WebSocket upgrade as if from this address. Resolves when the socket is upgraded or cut
 * off.
 */
async function dial(address = '203.0.113.9'): Promise<Socket> {
  const { hostname, port } = new URL(rig.origin);
  const socket = connect(Number(port), hostname);
  sockets.push(socket);
  socket.on('error', () => {});
  socket.write(
    `GET /agent HTTP/1.1\r\nHost: ${hostname}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
      `Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n` +
      `Sec-WebSocket-Protocol: ${SUBPROTOCOLS.join()}\r\nX-Forwarded-For: ${address}\r\n\r\n`,
  );
  await Promise.race([once(socket, 'data'), once(socket, 'close')]);
  return socket;
}

async function enrolled(): Promise<AgentKey> {
  const { body } = await rig.ask('POST', '/api/v1/agents', { name: 'host', region: 'global' });
  const key = newAgentKey();
  const agent = await DialingAgent.dial(rig.origin, key, body.join_token);
  agent[Symbol.dispose]();
  await agent.closed;
  return key;
}

test('of a crowd of silent strangers from one address a few are let in, and they soon go', async () => {
  const crowd = await Promise.all(Array.from({ length: 150 }, () => dial()));
  const isOpen = (socket: Socket) => !socket.closed;
  expect(crowd.filter(isOpen).length).toBeLessThanOrEqual(strangers.peerMax);
  expect(crowd.filter(isOpen).length).toBeGreaterThan(0);
  await Promise.all(crowd.filter(isOpen).map((socket) => once(socket, 'close')));
});

test('an agent that is enrolled gets in at once while strangers have all the places of its address', async () => {
  const key = await enrolled();
  // Both come from the rig's own address, as if behind one NAT.
  await Promise.all(Array.from({ length: 2 * strangers.peerMax }, () => dial('127.0.0.1')));
  using agent = await DialingAgent.dial(rig.origin, key, null);
  expect([...rig.fleet.sessions]).toHaveLength(1);
  expect(agent).toBeDefined();
});

test('a stranger who sends its greeting byte by byte is cut off', async () => {
  const socket = await dial();
  const closed = once(socket, 'close');
  socket.setNoDelay(true);
  // A text frame of 9,000 bytes, whose bytes are sent one by one.
  socket.write(Buffer.from([0x81, 0xfe, 0x23, 0x28, 0, 0, 0, 0]));
  for (let nth = 0; nth < 9_000 && !socket.closed; nth++) {
    socket.write('x');
    await new Promise((turn) => setTimeout(turn, 1));
  }
  await closed;
  expect(socket.bytesWritten).toBeLessThan(9_000);
});

test('an agent whose message comes in thousands of frames is cut off', async () => {
  const { body } = await rig.ask('POST', '/api/v1/agents', { name: 'host', region: 'global' });
  using peer = await RawPeer.dial(rig.origin);
  await peer.join(newAgentKey(), body.join_token);
  peer.frame(OPCODE.text, '{', { final: false });
  for (let nth = 0; nth < 2 * limits.linkFragmentsMax; nth++) {
    peer.frame(OPCODE.more, ' ', { final: false });
  }
  await peer.closed;
  while ([...rig.fleet.sessions].length > 0) await new Promise((turn) => setImmediate(turn));
});
