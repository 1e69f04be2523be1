/** At a SIGHUP, and when its files change, a router reads them again, and never ends of it. */
import { once } from 'node:events';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { makeCertificate } from '../support/certificate.ts';
import { until } from '../support/up.ts';
import { type Daemon, exitStatus, startRouter } from './daemon.ts';

const DAY_S = 86_400;

async function dial({ origin }: Daemon): Promise<TLSSocket> {
  const socket = connectTls({
    host: origin.hostname,
    port: Number(origin.port),
    rejectUnauthorized: false,
  });
  await once(socket, 'secureConnect');
  return socket;
}

/** The name in the certificate that a new connection gets. */
async function nameShown(router: Daemon): Promise<string> {
  const socket = await dial(router);
  const { CN } = socket.getPeerCertificate().subject;
  socket.destroy();
  return String(CN);
}

async function withTls(folder: string) {
  const tls = await makeCertificate(folder, 'first');
  return { listeners: [{ port: 0, region: 'global', tls }] };
}

async function filesOf(router: Daemon): Promise<{ cert: string; key: string; folder: string }> {
  const { listeners } = parse(await readFile(router.config, 'utf8')) as {
    listeners: [{ tls: { cert: string; key: string } }];
  };
  return { ...listeners[0].tls, folder: join(router.config, '..') };
}

/** Puts another certificate in the place of the router's, as a client of ACME does. */
async function renew(router: Daemon, name: string, days: number): Promise<void> {
  const { cert, key, folder } = await filesOf(router);
  await makeCertificate(folder, name, { days });
  await rename(join(folder, `${name}.key`), key);
  await rename(join(folder, `${name}.crt`), cert);
}

async function change(router: Daemon, settings: object): Promise<void> {
  const before = parse(await readFile(router.config, 'utf8')) as object;
  await writeFile(router.config, JSON.stringify({ ...before, ...settings }));
}

async function expiry(metricsUrl: string): Promise<number> {
  const page = await (await fetch(metricsUrl)).text();
  return Number(/^penstock_router_certificate_expiry_\S+ (\S+)$/m.exec(page)?.[1]);
}

test('new connections get a renewed certificate, and open ones go on', async () => {
  await using router = await startRouter({ settings: withTls });
  const open = await dial(router);
  const before = await expiry(router.metricsUrl);
  await renew(router, 'second', 9);
  await until(async () => (await nameShown(router)) === 'second', 'the new certificate');
  open.write('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n');
  const [answer] = (await once(open, 'data')) as [Buffer];
  expect(answer.toString()).toMatch(/^HTTP\/1\.1 200 /);
  open.destroy();
  expect((await expiry(router.metricsUrl)) - before).toBeGreaterThan(6 * DAY_S);
});

test('a certificate whose key is another one is rejected, and the one before stays', async () => {
  await using router = await startRouter({ settings: withTls });
  const { cert, folder } = await filesOf(router);
  await makeCertificate(folder, 'other');
  await rename(join(folder, 'other.crt'), cert);
  await router.logged('new certificate was rejected');
  expect(await nameShown(router)).toBe('first');
  await writeFile(cert, '');
  await router.logged('new certificate was rejected');
  await rm(cert);
  await router.logged('new certificate was rejected');
  expect(await nameShown(router)).toBe('first');
});

test('after SIGHUP a router has another log level', async () => {
  await using router = await startRouter();
  await change(router, { logLevel: 'debug' });
  router.process.kill('SIGHUP');
  await router.logged('configuration was read again');
  await fetch(`${router.origin.origin}/v1/models`);
  expect(await router.logged('request refused')).toContain('missing_api_key');
});

test('a file with a fault is rejected, and what needs a new start is named', async () => {
  await using router = await startRouter();
  await writeFile(router.config, 'listeners: [');
  router.process.kill('SIGHUP');
  await router.logged('new configuration was rejected');
  await writeFile(router.config, '{}');
  router.process.kill('SIGHUP');
  await router.logged('new configuration was rejected');
  expect((await fetch(`${router.origin.origin}/healthz`)).status).toBe(200);
  router.process.kill('SIGTERM');
  expect(await exitStatus(router.process)).toBe(0);
});

test('settings that need a new start are named, and limits have to be those of the fleet', async () => {
  await using router = await startRouter();
  await change(router, { policy: 'round-robin', waiting: { requestsMax: 7 } });
  router.process.kill('SIGHUP');
  const named = JSON.parse(await router.logged('take effect at the next start')) as object;
  expect(named).toMatchObject({ settings: ['policy', 'waiting'] });
  await change(router, { limits: { key: { requestsPerMinute: 5 } } });
  router.process.kill('SIGHUP');
  const refused = JSON.parse(await router.logged('differs from that of the fleet')) as object;
  expect(refused).toMatchObject({ differences: [expect.stringContaining('limits.key')] });
});

test('all processes of a router read their files again', async () => {
  await using router = await startRouter({
    settings: async (folder) => ({ ...(await withTls(folder)), processes: 2 }),
  });
  await router.logged('all processes of the router are ready');
  await change(router, { logLevel: 'debug' });
  router.process.kill('SIGHUP');
  const levels = [
    await router.logged('configuration was read again'),
    await router.logged('configuration was read again'),
  ].map((line) => (JSON.parse(line) as { pid: number }).pid);
  expect(new Set(levels).size).toBe(2);
});
