/**
 * Attacks by strangers on the HTTP frame: malformed or deceptive methods, headers, bodies and
 * addresses.
 */
import { once } from 'node:events';
import { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../../shared/clock.ts';
import { type Rig, startRig } from './rig.ts';
import { rig, shareRig } from './shared-rig.ts';

shareRig();

const ORGANIZATIONS = '/api/v1/organizations';

describe('every answer', () => {
  test.each([
    ['a list', 'GET', ORGANIZATIONS, 200],
    ['a refusal', 'POST', ORGANIZATIONS, 400],
    ['an unknown path', 'GET', '/api/v1/nothing', 404],
    ['a path that cannot be decoded', 'GET', '/api/v1/%zz', 404],
    ['one without a body', 'HEAD', ORGANIZATIONS, 200],
    ['the health check', 'GET', '/healthz', 200],
  ])('%s is kept nowhere, framed nowhere and taken for nothing else', async (...row) => {
    const [, method, path, status] = row;
    const answer = await rig.ask(method, path);
    expect(answer.status).toBe(status);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.stringMatching(/^req_/),
    });
  });

  test('lets no page of another origin read it', async () => {
    const answer = await rig.ask('GET', ORGANIZATIONS, undefined, {
      origin: 'https://elsewhere.example',
    });
    const cors = [...answer.headers.keys()].filter((name) => name.startsWith('access-control'));
    expect(cors).toEqual([]);
  });
});

test('HEAD says what GET would, needs the same caller, and has no body', async () => {
  const head = await rig.ask('HEAD', ORGANIZATIONS);
  const get = await rig.ask('GET', ORGANIZATIONS);
  expect(head.body).toBe(null);
  for (const name of ['content-type', 'content-length']) {
    expect(head.headers.get(name)).toBe(get.headers.get(name));
  }
  const nobody = await rig.ask('HEAD', ORGANIZATIONS, undefined, { authorization: 'x' });
  expect(nobody).toMatchObject({ status: 401, body: null });
});

/** Sends bytes that no client would send, and returns the answer. */
function raw(lines: readonly string[], body = ''): Promise<string> {
  const { hostname, port } = new URL(rig.origin);
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let answer = '';
  const socket = new Socket();
  socket.on('data', (bytes) => {
    answer += bytes.toString();
  });
  socket.on('end', () => resolve(answer));
  socket.on('error', reject);
  socket.connect(Number(port), hostname, () => {
    const head = [
      ...lines,
      `host: ${hostname}:${port}`,
      'connection: close',
      `authorization: Bearer ${rig.first.operator.token}`,
      `content-length: ${Buffer.byteLength(body)}`,
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  });
  return promise;
}

describe('a body', () => {
  const POST = `POST ${ORGANIZATIONS} HTTP/1.1`;

  test('of two types is read as the first of them, and only if that is JSON', async () => {
    const [json, form] = [
      'content-type: application/json',
      'content-type: application/x-www-form-urlencoded',
    ] as const;
    expect(await raw([POST, json, form], '{"name":"Twice"}')).toMatch(/^HTTP\/1.1 201 /);
    expect(await raw([POST, form, json], '{"name":"Twice"}')).toMatch(/^HTTP\/1.1 400 /);
  });

  test.each([
    'text/plain',
    'application/json, text/plain',
    'application/jsonp',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    ';',
  ])('of the type %j is not read: a form of another page could have sent it', async (type) => {
    const answer = await rig.ask('POST', ORGANIZATIONS, '{"name":"x"}', { 'content-type': type });
    expect(answer.body.error.code).toBe('bad_request');
  });

  test('without a type is not read', async () => {
    expect(await raw([POST], '{"name":"Typeless"}')).toMatch(/^HTTP\/1.1 400 /);
  });

  test('reaches no prototype', async () => {
    for (const key of ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty']) {
      const answer = await rig.ask('POST', ORGANIZATIONS, `{"name":"x","${key}":{"polluted":1}}`);
      expect(answer.body.error).toMatchObject({ code: 'unsupported_parameter', param: key });
    }
    expect('polluted' in {}).toBe(false);
  });

  test('in pieces of deep nesting is no fault of ours', async () => {
    const deep = '{"name":'.repeat(50_000);
    expect((await rig.ask('POST', ORGANIZATIONS, deep)).body.error.code).toBe('invalid_json');
    const closed = (depth: number) => `{"name":${'['.repeat(depth)}${']'.repeat(depth)}}`;
    const { body } = await rig.ask('POST', ORGANIZATIONS, closed(100));
    expect(body.error).toMatchObject({ code: 'invalid_value', param: 'name' });
    const deeper = await rig.ask('POST', ORGANIZATIONS, closed(5_000));
    expect(deeper.body.error).toMatchObject({
      code: 'invalid_json',
      message: expect.stringContaining('levels deep'),
    });
  });

  test('that is no UTF-8 is read with replacements', async () => {
    const bytes = Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xff]), Buffer.from('"}')]);
    const answer = await fetch(rig.origin + ORGANIZATIONS, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${rig.first.operator.token}`,
        'content-type': 'application/json',
      },
      body: bytes,
    });
    expect(await answer.json()).toMatchObject({ name: '\u{fffd}' });
  });
});

test('a query reaches no prototype, and a parameter that comes twice is refused', async () => {
  for (const [query, code] of [
    ['__proto__=1', 'unsupported_parameter'],
    ['__proto__[limit]=1', 'unsupported_parameter'],
    ['constructor=1', 'unsupported_parameter'],
    ['limit=1&limit=2', 'invalid_value'],
    ['limit[]=1', 'unsupported_parameter'],
    ['limit=%00', 'invalid_value'],
    ['after=%ff', 'invalid_value'],
  ]) {
    const answer = await rig.ask('GET', `${ORGANIZATIONS}?${query}`);
    expect([query, answer.body.error?.code]).toEqual([query, code]);
  }
});

test('a NUL is refused wherever it stands, before a store could stumble over it', async () => {
  const own = `${ORGANIZATIONS}/${rig.first.organization.id}`;
  expect((await rig.ask('GET', `${own}/rates?after=a%00b`)).body.error).toMatchObject({
    code: 'invalid_value',
    param: 'after',
  });
  expect((await rig.ask('DELETE', `${own}/rates/qwen/a%00b`)).status).toBe(404);
  const id = { id: 'agt_\0/engine' };
  expect((await rig.ask('POST', '/api/v1/workers/drain', id)).body.error).toMatchObject({
    code: 'invalid_value',
    param: 'id',
  });
});

describe('the address in the audit log', () => {
  const lineOf = async (own: Rig, forwarded: string) => {
    const answer = await own.ask(
      'POST',
      ORGANIZATIONS,
      { name: 'Forwarded' },
      { 'x-forwarded-for': forwarded },
    );
    return await own.place.sql(
      `select address from audit where request = '${answer.headers.get('x-request-id')}'`,
    );
  };

  test("is the socket's, whatever a header says, where no proxy is trusted", async () => {
    expect(await lineOf(rig, '203.0.113.9')).toEqual([{ address: '127.0.0.1' }]);
  });

  test('is the one before the trusted proxies, and none that a client invents', async () => {
    await using own = await startRig(systemClock, ['global'], {
      trustedProxies: ['127.0.0.1', '10.0.0.0/8'],
    });
    expect(await lineOf(own, '203.0.113.9')).toEqual([{ address: '203.0.113.9' }]);
    expect(await lineOf(own, '198.51.100.1, 203.0.113.9, 10.2.3.4')).toEqual([
      { address: '203.0.113.9' },
    ]);
    expect(await lineOf(own, '10.1.1.1, 203.0.113.9')).toEqual([{ address: '203.0.113.9' }]);
  });
});

test('a connection that sends nothing is closed without a word, as a browser may use it later', async () => {
  const { port, hostname: host } = new URL(rig.origin);
  const silent = new Socket().connect(Number(port), host);
  const heard: Buffer[] = [];
  silent.on('data', (data) => void heard.push(data));
  await once(silent, 'close');
  expect(Buffer.concat(heard).toString()).toBe('');
}, 60_000);
