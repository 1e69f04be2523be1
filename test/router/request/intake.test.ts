/** Request bodies from badly behaved clients, over real sockets. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { adjustCredit } from '../../../router/ledger/credit.ts';
import { limits } from '../../../shared/limits.ts';
import { picoUsd } from '../../../shared/money.ts';
import { setLimits, setStatus } from '../ledger/set-organization.ts';
import { bodyOf, type Customer, MODEL, refusalOf } from './rig.ts';
import { rig, shareRig } from './shared-rig.ts';

shareRig();

const RICH = 10n ** 12n;
const MIB = 1024 * 1024;

/**
 * Sends the head of a request and the given part of its body. The client then goes on sending, or
 * waits.
 */
function begin({ value }: Customer, framing: string, body: string | Buffer = ''): Socket {
  const { hostname, port } = new URL(rig.origin);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  socket.write(
    `POST /v1/chat/completions HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${value}\r\n` +
      `Content-Type: application/json\r\n${framing}\r\n\r\n`,
  );
  socket.write(body);
  return socket;
}

/** Resolves when the socket is closed, for whatever reason. */
function closing(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.once('close', () => resolve()));
}

/** Returns the first answer, whether or not the client has sent its whole body. */
async function answerTo(socket: Socket) {
  let heard = '';
  for await (const piece of socket) {
    heard += String(piece);
    if (heard.includes('"request_id"')) break;
  }
  const [head = '', body = '{}'] = heard.split('\r\n\r\n');
  const { error } = JSON.parse(body) as { error: { code: string; message: string } };
  return {
    status: Number(head.split(' ')[1]),
    closes: /^connection: close/im.test(head),
    ...error,
  };
}

/** Returns the answer to a request whose body never arrives. */
async function answerBeforeBody(customer: Customer, bytes = MIB) {
  return await answerTo(begin(customer, `Content-Length: ${bytes}`));
}

async function memoryIsFree(): Promise<void> {
  await rig.until(() => rig.entrance.bodyBytes === 0);
}

test('in a flood without credit the next body is not read, until there is credit', async () => {
  const customer = await rig.customer(1n);
  const flood = await Promise.all(Array.from({ length: 20 }, () => rig.refused(customer)));
  expect(new Set(flood.map(String))).toEqual(new Set(['402,insufficient_credit']));
  expect(await answerBeforeBody(customer)).toMatchObject({ status: 402, closes: false });
  const { organization } = customer;
  const more = { organization, amount: picoUsd(RICH), reason: 'test', reference: 'test' };
  await adjustCredit(rig.books.parts, more);
  const { stream, seen } = await rig.begin(customer);
  stream.content(10, 1);
  stream.finish(10, 1);
  expect((await seen).done).toBe(true);
});

test('nor is it when the requests a minute are used up, until they are more', async () => {
  const customer = await rig.customer(RICH);
  const { organization } = customer;
  const setRequests = (requestsPerMinute: number) =>
    rig.books.store.call(setLimits, { organization, limits: { requestsPerMinute } });
  await setRequests(1);
  const { stream, seen } = await rig.begin(customer);
  stream.content(10, 1);
  stream.finish(10, 1);
  await seen;
  expect(await rig.refused(customer)).toEqual([429, 'rate_limited']);
  expect(await answerBeforeBody(customer)).toMatchObject({ status: 429, code: 'rate_limited' });
  await setRequests(2);
  const again = await rig.begin(customer);
  again.stream.content(10, 1);
  again.stream.finish(10, 1);
  expect((await again.seen).done).toBe(true);
});

test('nor while as many requests as may run are sending their bodies', async () => {
  const customer = await rig.customer(RICH);
  const { organization } = customer;
  await rig.books.store.call(setLimits, { organization, limits: { concurrentRequests: 1 } });
  const sending = begin(customer, 'Content-Length: 1000', '{"half":');
  await rig.until(() => rig.entrance.bodyBytes > 0);
  expect(await answerBeforeBody(customer)).toMatchObject({ status: 429, code: 'rate_limited' });
  sending.destroy();
  await memoryIsFree();
  await rig.ended();
});

test('nor of a suspended organization', async () => {
  const customer = await rig.customer(RICH);
  const { organization } = customer;
  await rig.books.store.call(setStatus, { organization, status: 'suspended' });
  expect(await answerBeforeBody(customer)).toMatchObject({
    status: 403,
    code: 'organization_suspended',
  });
});

test.each([
  ['objects', `{"model":"${MODEL}","messages":[${'{},'.repeat(MIB / 3)}{}]}`],
  ['arrays', `{"model":"${MODEL}","messages":[],"x":[${'[],'.repeat(MIB / 3)}[]]}`],
])('a megabyte of empty %s is refused by a count, sixteen times at once', async (_what, body) => {
  const customer = await rig.customer(RICH);
  const answers = await Promise.all(
    Array.from({ length: 16 }, async () => {
      const response = await rig.post(customer, {}, { body });
      return refusalOf({ status: response.status, raw: await response.text() } as never);
    }),
  );
  expect(new Set(answers.map((answer) => answer.join(' ')))).toEqual(new Set(['400 invalid_json']));
  await memoryIsFree();
});

test('a body in chunks of one byte is refused, its connection closed and its memory free', async () => {
  const customer = await rig.customer(RICH);
  const socket = begin(customer, 'Transfer-Encoding: chunked', '1\r\n \r\n'.repeat(200_000));
  const closed = closing(socket);
  const answer = await answerTo(socket);
  expect(answer).toMatchObject({ status: 400, code: 'bad_request', closes: true });
  expect(answer.message).toContain('pieces that are too small');
  await closed;
  await memoryIsFree();
});

test('a body in chunks of one byte counts against the limit of a minute, and a client that leaves does not', async () => {
  const customer = await rig.customer(RICH);
  const { organization } = customer;
  await rig.books.store.call(setLimits, { organization, limits: { requestsPerMinute: 1 } });
  for (let nth = 0; nth < 3; nth++) {
    const leaving = begin(customer, 'Content-Length: 4000000', Buffer.alloc(MIB, ' '));
    await rig.until(() => rig.entrance.bodyBytes >= MIB);
    leaving.destroy();
    await memoryIsFree();
  }
  const drip = () => begin(customer, 'Transfer-Encoding: chunked', '1\r\n \r\n'.repeat(200_000));
  for (let nth = 0; nth < 2; nth++) {
    expect(await answerTo(drip())).toMatchObject({ status: 400, code: 'bad_request' });
  }
  expect(await answerBeforeBody(customer)).toMatchObject({ status: 429, code: 'rate_limited' });
  await memoryIsFree();
});

test('a refusal before the body, too, takes no drip of one byte: the connection is closed', async () => {
  const stranger = { value: 'nobody' } as Customer;
  const socket = begin(stranger, 'Transfer-Encoding: chunked', '1\r\n \r\n'.repeat(200_000));
  const closed = closing(socket);
  socket.resume();
  await closed;
});

test.each([
  ['a preflight', 'OPTIONS /v1/models HTTP/1.1\r\nAccess-Control-Request-Method: GET'],
  ['a list of models', 'GET /v1/models HTTP/1.1'],
])(
  'a body that drips behind %s, which is answered without it, closes the connection',
  async (_what, line) => {
    const { value } = await rig.customer(RICH);
    const { hostname, port } = new URL(rig.origin);
    const socket = connect(Number(port), hostname)
      .on('error', () => {})
      .resume();
    const framing = `Host: a\r\nAuthorization: Bearer ${value}\r\nTransfer-Encoding: chunked`;
    socket.write(`${line}\r\n${framing}\r\n\r\n`);
    const drips = Buffer.from('1\r\nx\r\n'.repeat(1_000));
    const drip = () => socket.write(drips, () => socket.writable && setImmediate(drip));
    drip();
    await closing(socket);
  },
);

test('a body of declared length behind a list of models is thrown away, and the connection goes on', async () => {
  const { value } = await rig.customer(RICH);
  const { hostname, port } = new URL(rig.origin);
  const socket = connect(Number(port), hostname).on('error', () => {});
  const ask = (body: string) =>
    socket.write(
      `GET /v1/models HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${value}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
  let answers = 0;
  socket.on('data', (piece) => {
    answers += String(piece).split('HTTP/1.1 200 ').length - 1;
  });
  ask('x'.repeat(1_000));
  await rig.until(() => answers === 1);
  ask('');
  await rig.until(() => answers === 2);
  socket.destroy();
});

test('half a body and a body that is broken off give their memory back', async () => {
  const customer = await rig.customer(RICH);
  const half = begin(customer, 'Content-Length: 4000000', Buffer.alloc(2 * MIB, ' '));
  await rig.until(() => rig.entrance.bodyBytes >= 2 * MIB);
  half.destroy();
  await memoryIsFree();
  // A body that never ends is refused when its time is up.
  const slow = begin(customer, 'Content-Length: 4000000', Buffer.alloc(MIB, ' '));
  await rig.until(() => rig.entrance.bodyBytes >= MIB);
  await rig.pass(limits.bodyReadMsMax);
  expect(await answerTo(slow)).toMatchObject({ status: 400, code: 'bad_request', closes: true });
  await memoryIsFree();
});

test('a client that waits for 100 Continue is told to go on, or refused', async () => {
  const customer = await rig.customer(RICH);
  const socket = begin(customer, 'Content-Length: 7\r\nExpect: 100-continue');
  const [first] = (await once(socket, 'data')) as [Buffer];
  expect(String(first)).toMatch(/^HTTP\/1\.1 100 /);
  socket.write('[1,2,3]');
  expect(await answerTo(socket)).toMatchObject({ status: 400, code: 'invalid_json' });
  await memoryIsFree();
});

test('a client that is refused before its body is read sends it on, sees the error, and asks again on its connection', async () => {
  const customer = await rig.customer(1n);
  expect(await rig.refused(customer)).toEqual([402, 'insufficient_credit']);
  const body = bodyOf({ user: 'x'.repeat(8 * MIB) });
  const framing = `Content-Length: ${body.length}`;
  const socket = begin(customer, framing, body);
  socket.write(`GET /v1/nothing HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
  let heard = '';
  for await (const piece of socket) heard += String(piece);
  expect([...heard.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual([
    '402',
    '404',
  ]);
});

test('half of a surrogate pair reaches no engine, and the error names its field', async () => {
  const customer = await rig.customer(RICH);
  const response = await rig.post(customer, { stop: ['\ud83d'] });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({
    error: { code: 'invalid_value', param: 'stop[0]' },
  });
});
