/**
 * Outside loopback a link uses TLS, and the agent verifies its router by a certificate authority or
 * by its pinned key.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { expect, test } from 'vitest';
import { WebSocketServer } from 'ws';
import { stringify } from 'yaml';
import { until } from '../support/up.ts';
import { CATALOG } from '../torture/fleet.ts';
import { MODEL } from '../torture/load.ts';
import { Process } from '../torture/process.ts';
import { first, folder, origin, other, own, router, withAgent, workers } from './shared-tls.ts';

const TRUSTED: readonly [string, () => object][] = [
  ['an authority of its own', () => ({ ca: own.cert })],
  ['the key that is pinned, whoever certified it', () => ({ pin: own.pin })],
  ['one of several pins', () => ({ pin: [other.pin, own.pin] })],
  ['both', () => ({ ca: own.cert, pin: own.pin })],
];
test.each(TRUSTED)('an agent knows its router by %s', async (_name, trust) => {
  await withAgent(trust(), async () => {
    await until(async () => (await workers()) === 1, 'the worker');
    const dispatcher = new Agent({ connect: { ca: await readFile(own.cert) } });
    const { statusCode, body } = await request(`${origin}/v1/chat/completions`, {
      method: 'POST',
      dispatcher,
      headers: { authorization: `Bearer ${first.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: MODEL, messages: [{ role: 'user', content: 'Hi' }] }),
    });
    expect(statusCode).toBe(200);
    expect(await body.json()).toHaveProperty('usage');
    await dispatcher.close();
  });
  await until(async () => (await workers()) === 0, 'no worker');
});

const UNTRUSTED: readonly [string, () => object, string][] = [
  ['that nobody has certified', () => ({}), 'self-signed'],
  ['that another authority would have certified', () => ({ ca: other.cert }), 'self-signed'],
  ['with another key than the pinned one', () => ({ pin: other.pin }), 'matched no pin'],
  [
    'that is certified, with another key than the pinned one',
    () => ({ ca: own.cert, pin: other.pin }),
    'matched no pin',
  ],
];
test.each(UNTRUSTED)('a router %s is told nothing', async (_name, trust, said) => {
  await withAgent(trust(), async (agent) => {
    await until(() => agent.output.includes(said), said);
    expect(await workers()).toBe(0);
  });
});

test.each([
  ['another key, hears nothing, not even who is there', () => other.pin, 0],
  ['the pinned key, hears a hello', () => own.pin, 1],
])('who answers in place of a router, with %s', async (_name, pin, heard) => {
  const server = createServer({ cert: await readFile(own.cert), key: await readFile(own.key) });
  const impostor = new WebSocketServer({ server });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const messages: string[] = [];
  const over = new Promise((resolve) => {
    impostor.on('connection', (socket) => {
      socket.on('close', resolve);
      socket.on('message', (data) => {
        messages.push((data as Buffer).toString());
        socket.terminate();
      });
    });
  });
  await withAgent({ url: `wss://127.0.0.1:${port}/agent`, pin: pin() }, async () => {
    await over;
  });
  expect(messages.length).toBe(heard);
  impostor.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

test('bytes that are no TLS are hung up on, and the router goes on', async () => {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname, () => socket.write('GET / HTTP/1.1\r\n\r\n'));
  await new Promise((resolve) => socket.on('error', () => {}).on('close', resolve));
  expect(router.isRunning).toBe(true);
  expect(await workers()).toBe(0);
});

test('a certificate that cannot be read ends the start with a fault that names the file', async () => {
  const listeners = [{ port: 0, region: 'global', tls: { cert: own.cert, key: other.key } }];
  const config = {
    listeners,
    metrics: { port: 0 },
    store: `sqlite:${join(folder, 'unused.db')}`,
    catalog: CATALOG,
    secrets: join(folder, 'secrets.json'),
  };
  await writeFile(join(folder, 'wrong.yaml'), stringify(config));
  const wrong = new Process('router', ['router', '--config', join(folder, 'wrong.yaml')]);
  const start = wrong.start();
  await expect(start).rejects.toThrow(/status 2/);
  await expect(start).rejects.toThrow(/other\.key cannot be used/);
});
