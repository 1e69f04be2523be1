/**
 * The Host header: a request names exactly one host, and outside the public API an expected one.
 */
import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { Metrics, serveMetrics as serveAgentMetrics } from '../../agent/metrics.ts';
import { Readiness } from '../../agent/readiness.ts';
import { serveMetrics } from '../../router/metrics/serve.ts';
import { systemClock } from '../../shared/clock.ts';
import { startRig } from './control/rig.ts';

async function raw(origin: string, head: string): Promise<string> {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  socket.end(`${head}\r\nConnection: close\r\n\r\n`);
  return await text(socket);
}

async function ask(url: string, host: string): Promise<number> {
  const asked = request(url, { headers: { host } });
  asked.end();
  const [response] = await once(asked, 'response');
  response.resume();
  return response.statusCode;
}

test('two Host headers are refused, whatever the version, on requests and on the link', async () => {
  await using rig = await startRig();
  const two = 'Host: a\r\nHost: b';
  for (const version of ['1.0', '1.1']) {
    expect(await raw(rig.origin, `GET /healthz HTTP/${version}\r\n${two}`)).toMatch(
      /^HTTP\/1.1 400/,
    );
  }
  const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13';
  const link = `GET /agent HTTP/1.1\r\n${two}\r\n${upgrade}\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==`;
  expect(await raw(rig.origin, link)).toMatch(/^HTTP\/1.1 400/);
  expect(await raw(rig.origin, 'GET /healthz HTTP/1.0')).toMatch(/^HTTP\/1.1 200/);
  expect(await raw(rig.origin, 'GET /healthz HTTP/1.1')).toMatch(/^HTTP\/1.1 400/);
});

test('metrics answer to localhost, addresses and the names that are configured', async () => {
  const at = { host: '127.0.0.1', port: 0, allowedHosts: ['router-1.internal'] };
  await using router = await serveMetrics(async () => [], at);
  using metrics = new Metrics(systemClock);
  const parts = { metrics, readiness: new Readiness() };
  await using agent = await serveAgentMetrics(parts, at);
  for (const url of [router.url, `http://127.0.0.1:${agent.port}/metrics`]) {
    for (const host of ['localhost:1', '127.0.0.1', 'router-1.internal:9464']) {
      expect(await ask(url, host)).toBe(200);
    }
    expect(await ask(url, 'evil.example')).toBe(403);
  }
});

test('the management API and the dashboard answer to their own names, and probes to any', async () => {
  const more = { allowedHosts: ['console.example.com'] };
  await using rig = await startRig(systemClock, ['global'], more);
  for (const path of ['/api/v1/me', '/']) {
    expect(await ask(rig.origin + path, 'evil.example')).toBe(403);
    expect(await ask(rig.origin + path, 'console.example.com')).not.toBe(403);
    expect(await ask(rig.origin + path, 'localhost')).not.toBe(403);
  }
  for (const path of ['/healthz', '/readyz']) {
    expect(await ask(rig.origin + path, 'pod-7')).toBe(200);
  }
});
