/**
 * The limits on a listener's connections, and on requests that a connection sends before it has its
 * answers.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { Connections } from '../../router/connections.ts';
import { endListener, listen } from '../../router/listen.ts';
import { systemClock as clock } from '../../shared/clock.ts';
import { limits } from '../../shared/limits.ts';
import { systemRandom as random } from '../../shared/random.ts';

async function serve(connections: Connections) {
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
    { clock, random, draining: new AbortController().signal, connections },
  );
  undo.defer(() => endListener(listener, clock));
  const { port } = new URL(listener.origin);
  const dial = (): Promise<Socket> =>
    new Promise((resolve) => {
      const socket = undo.adopt(connect(Number(port), '127.0.0.1'), (open) => {
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

test('a connection that sends thousands of requests ahead is closed, and few of them are looked at', async () => {
  await using to = await serve(new Connections(() => false));
  const socket = await to.dial();
  const closed = once(socket, 'close');
  socket.write(GET.repeat(2_000));
  await closed;
  expect(to.asked()).toBeLessThanOrEqual(limits.pipelinedMax);
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
