/**
 * The limits on a listener's connections, and on requests that a connection sends before it has its
 * answers.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { Connections } from '../../router/connections.ts';
import { connectionsWithin, isLow } from '../../router/descriptors.ts';
import { endListener, listen } from '../../router/listen.ts';
import { RefusedConnections } from '../../router/refused-connections.ts';
import { RequestTurns } from '../../router/request-turns.ts';
import { systemClock as clock } from '../../shared/clock.ts';
import { limits } from '../../shared/limits.ts';
import { makeLog } from '../../shared/log.ts';
import { systemRandom as random } from '../../shared/random.ts';
import { ManualClock } from '../support/manual-clock.ts';

async function serve(connections: Connections, turns = new RequestTurns()) {
  const undo = new AsyncDisposableStack();
  const waiting: (() => void)[] = [];
  let asked = 0;
  const listener = await listen(
    { host: '127.0.0.1', port: 0, region: 'global' },
    {
      data: (_request, response) => response.writeHead(500).end(),
      link: (_request, socket) => socket.destroy(),
      rest: (_request, response) => {
        asked += 1;
        waiting.push(() => response.end('ok'));
      },
    },
    { clock, random, draining: new AbortController().signal, connections, turns },
  );
  undo.defer(() => endListener(listener, clock));
  const { port } = new URL(listener.origin);
  const dial = (localAddress = '127.0.0.1'): Promise<Socket> =>
    new Promise((resolve) => {
      const at = { port: Number(port), host: '127.0.0.1', localAddress };
      const socket = undo.adopt(connect(at), (open) => {
        open.destroy();
      });
      socket.on('error', () => {});
      socket.on('connect', () => resolve(socket));
    });
  return Object.assign(undo, { dial, waiting, asked: () => asked });
}

const GET = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n';

/** Returns whether a request on this connection reaches the router. */
async function isServed(socket: Socket, to: Awaited<ReturnType<typeof serve>>): Promise<boolean> {
  const before = to.asked();
  const closed = once(socket, 'close').then(() => true);
  socket.write(GET);
  while (to.asked() === before) {
    const turn = new Promise<false>((next) => setImmediate(() => next(false)));
    if (await Promise.race([closed, turn])) return false;
  }
  return true;
}

test('an address has so many connections, and gets another one when one has closed', async () => {
  const connections = new Connections(() => false, { totalMax: 9, peerMax: 2 });
  await using to = await serve(connections);
  const [first, second] = [await to.dial(), await to.dial()];
  expect([await isServed(first, to), await isServed(second, to)]).toEqual([true, true]);
  expect(await isServed(await to.dial(), to)).toBe(false);
  first.destroy();
  while (connections.count === 2) await new Promise((turn) => setImmediate(turn));
  expect(await isServed(await to.dial(), to)).toBe(true);
});

test('all addresses together have so many connections, those behind trusted proxies among them', async () => {
  const connections = new Connections(() => true, { totalMax: 3, peerMax: 1 });
  await using to = await serve(connections);
  for (let nth = 0; nth < 3; nth++) expect(await isServed(await to.dial(), to)).toBe(true);
  expect(await isServed(await to.dial(), to)).toBe(false);
});

test('the bounds of a router leave room for a crowd behind one address, and for others beside it', () => {
  expect(limits.connections.peerMax).toBeGreaterThanOrEqual(4_096);
  expect(limits.connections.totalMax).toBeGreaterThanOrEqual(4 * limits.connections.peerMax);
});

test('a low limit on open files leaves descriptors for the store and the metrics', () => {
  expect(connectionsWithin(null)).toEqual(limits.connections);
  expect(connectionsWithin(1_048_576)).toEqual(limits.connections);
  expect(connectionsWithin(4_096)).toEqual({ totalMax: 3_936, peerMax: 1_968 });
  expect(connectionsWithin(300)).toEqual({ totalMax: 140, peerMax: 70 });
  expect(connectionsWithin(128)).toEqual({ totalMax: 32, peerMax: 16 });
  expect(isLow(connectionsWithin(20_000))).toBe(false);
  expect(isLow(connectionsWithin(16_000))).toBe(true);
});

test('refused connections are counted by their bound, with one warning a minute for each', async () => {
  const manual = new ManualClock();
  const metrics = new Registry();
  const lines: object[] = [];
  const log = makeLog('test', 'warn', { write: (line) => void lines.push(JSON.parse(line)) });
  const refusals = new RefusedConnections({ clock: manual, log, metrics });
  const refused: string[] = [];
  const connections = new Connections(
    () => false,
    { totalMax: 3, peerMax: 2 },
    (bound, open) => {
      refused.push(bound);
      refusals.refused(bound, open);
    },
  );
  await using to = await serve(connections);
  const open = [await to.dial(), await to.dial()];
  for (const socket of open) expect(await isServed(socket, to)).toBe(true);
  for (let nth = 0; nth < 2; nth++) expect(await isServed(await to.dial(), to)).toBe(false);
  expect(await isServed(await to.dial('127.0.0.2'), to)).toBe(true);
  expect(await isServed(await to.dial('127.0.0.2'), to)).toBe(false);
  expect(refused).toEqual(['address', 'address', 'total']);
  expect(lines).toMatchObject([
    { bound: 'address', open: 2 },
    { bound: 'total', open: 3 },
  ]);
  manual.advance(60_000);
  expect(await isServed(await to.dial(), to)).toBe(false);
  expect(lines).toHaveLength(3);
  const page = await metrics.metrics();
  expect(page).toContain('penstock_router_connections_refused_total{bound="address"} 2');
  expect(page).toContain('penstock_router_connections_refused_total{bound="total"} 2');
});

test('a connection that sends thousands of requests ahead is closed, and few of them are looked at', async () => {
  await using to = await serve(new Connections(() => false));
  const socket = await to.dial();
  const closed = once(socket, 'close');
  socket.write(GET.repeat(2_000));
  await closed;
  expect(to.asked()).toBeLessThanOrEqual(limits.pipelinedMax);
});

test('when very many requests wait, a connection that sends requests ahead is closed', async () => {
  const turns = new RequestTurns();
  await using to = await serve(new Connections(() => false), turns);
  const [patient, greedy] = [await to.dial(), await to.dial()];
  for (let n = 0; n < limits.requestsWaitingMax * 2; n++) turns.take(new PassThrough(), () => {});
  const closed = once(greedy, 'close');
  patient.write(GET);
  greedy.write(GET.repeat(2));
  await closed;
  while (to.asked() === 0) await new Promise((turn) => setImmediate(turn));
  for (const end of to.waiting) end();
  const [answer] = await once(patient, 'data');
  expect(String(answer)).toContain('ok');
  expect(to.asked()).toBe(1);
});

test('a few requests ahead are answered in their order', async () => {
  await using to = await serve(new Connections(() => false));
  const socket = await to.dial();
  let answer = '';
  socket.on('data', (bytes) => {
    answer += String(bytes);
  });
  socket.write(GET.repeat(limits.pipelinedMax));
  while (to.asked() < limits.pipelinedMax) await new Promise((turn) => setImmediate(turn));
  for (const end of to.waiting) end();
  while (answer.split('ok').length <= limits.pipelinedMax) await once(socket, 'data');
  expect(await isServed(socket, to)).toBe(true);
});
