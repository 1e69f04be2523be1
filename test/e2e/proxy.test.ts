/** An agent behind an egress proxy joins through it, with TLS from end to end. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { ConnectProxy, CREDENTIALS } from '../support/connect-proxy.ts';
import { until } from '../support/up.ts';
import { origin, other, own, withAgent, workers } from './shared-tls.ts';

let proxy: ConnectProxy;
beforeAll(async () => {
  proxy = await ConnectProxy.start();
});
beforeEach(() => {
  proxy.fault = null;
  proxy.requests.length = 0;
  proxy.first.length = 0;
});
afterAll(() => proxy[Symbol.asyncDispose]());

const authority = () => new URL(origin).host;
/** Without the environment's own proxies. Calls to engines would use `http_proxy`. */
const environment = (proxyUrl: string, more: NodeJS.ProcessEnv = {}) => ({
  https_proxy: proxyUrl,
  http_proxy: proxyUrl,
  no_proxy: '',
  NO_PROXY: '',
  ...more,
});
/** The first byte of a TLS handshake. */
const TLS_HANDSHAKE = 22;

const JOINING: readonly [string, () => object][] = [
  ['its setting', () => ({ config: { proxy: proxy.url } })],
  ['the environment', () => ({ env: environment(proxy.url) })],
];
test.each(JOINING)('an agent joins through the proxy of %s', async (_name, setting) => {
  for (const trust of [{ ca: own.cert }, { pin: own.pin }]) {
    await withAgent(
      trust,
      async (agent) => {
        await until(async () => (await workers()) === 1, 'the worker');
        expect(agent.output).not.toContain(CREDENTIALS.password);
      },
      setting(),
    );
    await until(async () => (await workers()) === 0, 'no worker');
  }
  // The router is all that the proxy is asked for, so the engine is called directly.
  expect(new Set(proxy.requests)).toEqual(new Set([authority()]));
  expect(proxy.first.map((bytes) => bytes[0])).toEqual(proxy.first.map(() => TLS_HANDSHAKE));
});

const DIRECT: readonly [string, () => object][] = [
  [
    'NO_PROXY lists',
    () => ({ env: environment(proxy.url, { no_proxy: `other.example,${authority()}` }) }),
  ],
  [
    'the agent is set to dial directly',
    () => ({ config: { proxy: 'none' }, env: environment(proxy.url) }),
  ],
];
test.each(DIRECT)('a router that %s is dialled without the proxy', async (_name, setting) => {
  await withAgent(
    { ca: own.cert },
    async () => void (await until(async () => (await workers()) === 1, 'the worker')),
    setting(),
  );
  await until(async () => (await workers()) === 0, 'no worker');
  expect(proxy.requests).toEqual([]);
});

test('a router with another key than the pinned one is told nothing through a proxy', async () => {
  const setting = { config: { proxy: proxy.url } };
  await withAgent(
    { pin: other.pin },
    async (agent) => {
      await until(() => agent.output.includes('matched no pin'), 'the fault');
      expect(await workers()).toBe(0);
    },
    setting,
  );
});

const FAULTS: readonly [string, string, (() => void) | null][] = [
  ['demands other credentials', 'refused the connection with status 407: it needs other', null],
  [
    'does not permit the router',
    'refused the connection with status 403: it does not permit',
    () => {
      proxy.fault = (socket) => socket.end('HTTP/1.1 403 No\u001b[31m\r\n\r\n');
    },
  ],
  [
    'sends rubbish',
    'failed: Parse Error',
    () => {
      proxy.fault = (socket) => socket.end('rubbish'.repeat(100));
    },
  ],
  [
    'sends a header without end',
    'failed: Parse Error: Header overflow',
    () => {
      proxy.fault = (socket) => socket.write(`HTTP/1.1 200 OK\r\nx: ${'x'.repeat(100_000)}`);
    },
  ],
  [
    'closes the connection',
    'failed: socket hang up',
    () => {
      proxy.fault = (socket) => socket.destroy();
    },
  ],
];
test.each(FAULTS)(
  'a proxy that %s is named in the log, and tried again',
  async (_name, said, set) => {
    set?.();
    const setting = { config: { proxy: set ? proxy.url : proxy.bareUrl } };
    await withAgent(
      { ca: own.cert },
      async (agent) => {
        await until(() => proxy.requests.length > 1, 'another try');
        await until(() => agent.output.includes(said), said);
        expect(agent.output).toContain(`the proxy 127.0.0.1:${proxy.port} `);
        expect(agent.output).not.toContain(CREDENTIALS.password);
        expect(agent.output).not.toContain(encodeURIComponent(CREDENTIALS.password));
      },
      setting,
    );
  },
);

test('a proxy in the environment that cannot be used ends the start, and is not quoted', async () => {
  const env = environment('socks5://egress:secret@127.0.0.1:1');
  const start = withAgent({ ca: own.cert }, () => Promise.resolve(), { env });
  await expect(start).rejects.toThrow(/HTTPS_PROXY or ALL_PROXY\) must be a URL such as/);
  await expect(start).rejects.not.toThrow(/secret/);
});
