/** Webhooks are sent to public addresses only, whatever a name resolves to, and only over TLS. */
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isPublicAddress } from '../../../router/control/webhooks/addresses.ts';
import { WebhookSender } from '../../../router/control/webhooks/send.ts';
import { systemClock } from '../../../shared/clock.ts';
import { makeCertificate } from '../../support/certificate.ts';
import { DnsServer } from '../../support/dns-server.ts';
import { signIn } from './people.ts';
import { startRig } from './rig.ts';
import { Receiver } from '../../support/webhook-receiver.ts';

const PUBLIC = ['8.8.8.8', '1.1.1.1', '99.255.255.255', '172.32.0.1', '2606:4700::1111', '2a00::1'];

const NOT_PUBLIC = [
  '127.0.0.1',
  '127.255.255.254',
  '0.0.0.0',
  '10.0.0.1',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  // Metadata of clouds.
  '169.254.169.254',
  '100.100.100.200',
  '168.63.129.16',
  'fd00:ec2::254',
  '192.0.0.192',
  '198.18.0.1',
  '203.0.113.5',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  'fe80::1',
  'fe80::1%eth0',
  'fc00::1',
  'ff02::1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::ffff:8.8.8.8',
  '::127.0.0.1',
  // Addresses that contain 127.0.0.1 or 10.0.0.1: NAT64, 6to4 and Teredo.
  '64:ff9b::7f00:1',
  '64:ff9b:1::a00:1',
  '2002:7f00:1::',
  '2001:0:7f00:1::',
  '2001:db8::1',
  'localhost',
  '',
];

test.each(PUBLIC)('%s is public', (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

test.each(NOT_PUBLIC)('"%s" is not public', (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

const POSTING = { headers: {}, body: '{}' };
const strict = { clock: systemClock, settings: { allowPrivateAddresses: false } };

test.each([
  'http://127.0.0.1:PORT/',
  'http://2130706433:PORT/',
  'http://0x7f.1:PORT/',
  'http://[::ffff:127.0.0.1]:PORT/',
  'http://[::1]:PORT/',
  'http://0.0.0.0:PORT/',
])('no request is sent to %s', async (url) => {
  await using receiver = await Receiver.start();
  using sender = new WebhookSender(strict);
  const target = url.replace('PORT', String(receiver.port));
  expect(await sender.send({ url: target, ...POSTING })).toMatchObject({
    status: null,
    fault: 'private_address',
  });
  expect(receiver.received).toEqual([]);
});

test('no request is sent to a name that has an address that is not public, and the fault is that of an unknown name', async () => {
  await using receiver = await Receiver.start();
  await using names = await DnsServer.start({
    'inside.example': ['127.0.0.1'],
    'mapped.example': ['::ffff:127.0.0.1'],
    'six.example': ['::1'],
    'both.example': ['93.184.215.14', '127.0.0.1'],
    'metadata.example': ['169.254.169.254'],
    'nothing.example': [],
  });
  using sender = new WebhookSender({ ...strict, resolver: names.resolver() });
  const faultOf = async (name: string) =>
    (await sender.send({ url: `http://${name}:${receiver.port}/`, ...POSTING })).fault;
  for (const name of ['inside', 'mapped', 'six', 'both', 'metadata']) {
    expect([name, await faultOf(`${name}.example`)]).toEqual([name, 'dns']);
  }
  expect(await faultOf('nothing.example')).toBe('dns');
  expect(await faultOf('unknown.example')).toBe('dns');
  expect(receiver.received).toEqual([]);
});

test('the switch allows addresses that are not public, names among them', async () => {
  await using receiver = await Receiver.start();
  using sender = new WebhookSender({
    clock: systemClock,
    settings: { allowPrivateAddresses: true },
  });
  const url = `http://localhost:${receiver.port}/`;
  expect(await sender.send({ url, ...POSTING })).toMatchObject({ status: 204, fault: null });
});

test('a router that stops cuts its attempts, which are not counted as failures of the endpoint', async () => {
  await using receiver = await Receiver.start();
  receiver.answer = () => undefined;
  const sender = new WebhookSender({
    clock: systemClock,
    settings: { allowPrivateAddresses: true },
  });
  const sending = sender.send({ url: receiver.url(), ...POSTING });
  await expect.poll(() => receiver.received.length).toBe(1);
  sender[Symbol.dispose]();
  await expect(sending).rejects.toThrow('the router stops');
});

test('a host whose certificate is not trusted, or that does not speak TLS, gets no event', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'penstock-webhooks-'));
  const { cert, key } = await makeCertificate(folder, 'self');
  let requests = 0;
  const server: Server = createServer(
    { cert: await readFile(cert), key: await readFile(key) },
    (_request, response) => {
      requests += 1;
      response.end();
    },
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  await using plain = await Receiver.start();
  using sender = new WebhookSender({
    clock: systemClock,
    settings: { allowPrivateAddresses: true },
  });
  const { port } = server.address() as AddressInfo;
  const send = (at: number) => sender.send({ url: `https://127.0.0.1:${at}/`, ...POSTING });
  expect(await send(port)).toMatchObject({ status: null, fault: 'tls' });
  expect(await send(plain.port)).toMatchObject({ status: null, fault: 'tls' });
  expect(requests).toBe(0);
  server.closeAllConnections();
  server.close();
  await rm(folder, { recursive: true });
});

test('an endpoint is refused at once if its URL could never be delivered to', async () => {
  await using rig = await startRig();
  const admin = await signIn(rig, { role: 'org-admin' });
  const path = `/api/v1/organizations/${rig.first.organization.id}/webhooks`;
  const create = async (url: string) => {
    const { status, body } = await admin.ask('POST', path, { url, events: ['balance.low'] });
    return status === 201 ? 'created' : `${body.error.param}: ${body.error.message}`;
  };
  expect(await create('http://example.com/')).toBe('url: The URL must begin with https://.');
  for (const host of ['127.0.0.1', '[::1]', '169.254.169.254', '2130706433', '[::ffff:10.0.0.1]']) {
    expect(await create(`https://${host}/`)).toMatch(/^url: The address in the URL is not public/);
  }
  expect(await create('ftp://example.com/')).toMatch(/^url: Enter a URL such as/);
  expect(await create('hooks')).toMatch(/^url: Enter a URL such as/);
  expect(await create('https://user:pass@example.com/')).toMatch(/^url: Remove the user name/);
  expect(await create('https://example.com/#part')).toMatch(/^url: Remove the part/);
  expect(await create(`https://example.com/${'x'.repeat(2048)}`)).toMatch(/^url: Enter at most/);
  expect(await create('https://EXAMPLE.com')).toBe('created');
  const [made] = (await admin.ask('GET', path)).body.data;
  expect(made).toMatchObject({ url: 'https://example.com/', state: 'active' });
  const changed = await admin.ask('PATCH', `${path}/${made.id}`, { url: 'https://10.0.0.1/' });
  expect(changed.status).toBe(400);
});
