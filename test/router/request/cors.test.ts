/**
 * Browsers call `/v1` from pages of any origin: the exact CORS headers on answers of every kind.
 */
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock as clock } from '../../../shared/clock.ts';
import { systemRandom as random } from '../../../shared/random.ts';
import { endListener, type Listening, listen } from '../../../router/listen.ts';
import { bodyOf, type Customer, estimate } from './rig.ts';
import { rig, shareRig } from './shared-rig.ts';

shareRig();

let front: Listening;
let customer: Customer;
beforeAll(async () => {
  customer = await rig.customer(5_000_000_000_000n);
  // Through the router's own listener, because its dispatch to the data plane is under test as
  // well.
  front = await listen(
    { host: '127.0.0.1', port: 0, region: 'global' },
    {
      data: (request, response, arrival) => rig.handle(request, response, arrival),
      link: (_request, socket) => socket.destroy(),
      rest: (_request, response) => response.writeHead(500).end(),
    },
    { clock: rig.books.clock, random, draining: new AbortController().signal },
  );
});
afterAll(() => endListener(front, clock));

const EVERY_ANSWER = ['access-control-allow-origin: *', 'access-control-expose-headers: *'];
const PAGE = { origin: 'https://console.example', 'sec-fetch-mode': 'cors' };

type Raw = Readonly<{ status: number; head: string; cors: string[]; body: string }>;

/** Sends a raw request, and returns everything that is received until the connection ends. */
async function raw(
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body = '',
): Promise<Raw> {
  const socket = connect(Number(new URL(front.origin).port), '127.0.0.1');
  const lines = Object.entries({
    host: new URL(front.origin).host,
    connection: 'close',
    'content-length': String(Buffer.byteLength(body)),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}`);
  socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
  let text = '';
  socket.setEncoding('utf8').on('data', (piece: string) => {
    text += piece;
  });
  await once(socket, 'end');
  socket.destroy();
  const end = text.indexOf('\r\n\r\n');
  const head = text.slice(0, end);
  return {
    status: Number(head.slice('HTTP/1.1 '.length).slice(0, 3)),
    head,
    cors: head.split('\r\n').filter((line) => line.startsWith('access-control-')),
    body: text.slice(end + 4),
  };
}

const preflight = (path: string, headers: Record<string, string> = {}) =>
  raw('OPTIONS', path, {
    ...PAGE,
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization,content-type,x-stainless-lang',
    ...headers,
  });

test.each(['/v1/chat/completions', '/v1/models?x=1', '/v1', '/v1/nothing/here'])(
  'a preflight for %s needs no key and is answered in always the same bytes',
  async (path) => {
    const { status, cors, head, body } = await preflight(path);
    expect(status).toBe(204);
    expect(body).toBe('');
    expect(cors).toEqual([
      'access-control-allow-origin: *',
      'access-control-allow-methods: GET, POST',
      'access-control-allow-headers: authorization, *',
      'access-control-max-age: 86400',
    ]);
    const other = await preflight('/v1/completions', {
      origin: 'null',
      'access-control-request-headers': 'x'.repeat(5_000),
    });
    expect(other.head.length).toBe(head.length);
  },
);

test('an OPTIONS that is no preflight is a method that is not there', async () => {
  const { status, cors, body } = await raw('OPTIONS', '/v1/models', PAGE);
  expect([status, JSON.parse(body).error.code]).toEqual([404, 'not_found']);
  expect(cors).toEqual(EVERY_ANSWER);
  expect((await raw('PUT', '/v1/models', PAGE)).status).toBe(404);
});

test('a preflight whose sender is gone leaves the router whole', async () => {
  for (let i = 0; i < 20; i++) {
    const socket = connect(Number(new URL(front.origin).port), '127.0.0.1');
    socket.on('error', () => {});
    await once(socket, 'connect');
    socket.write(
      'OPTIONS /v1/models HTTP/1.1\r\nhost: x\r\naccess-control-request-method: GET\r\ncontent-length: 9\r\n\r\n',
    );
    socket.resetAndDestroy();
  }
  expect((await preflight('/v1/models')).status).toBe(204);
});

test('every answer may be read by a page, those of errors included, with headers of a fixed size', async () => {
  const authorization = `Bearer ${customer.value}`;
  const json = { 'content-type': 'application/json' };
  const answers = [
    [200, await raw('GET', '/v1/models', { authorization, ...PAGE })],
    [401, await raw('GET', '/v1/models', PAGE)],
    [404, await raw('GET', '/v1/nothing', { authorization })],
    [400, await raw('POST', '/v1/completions', { authorization, ...json }, '{')],
  ] as const;
  for (const [status, answer] of answers) {
    expect(answer.status).toBe(status);
    expect(answer.cors).toEqual(EVERY_ANSWER);
    expect(answer.head).toMatch(/\r\nx-request-id: req_\w{26}\r\n/);
    expect(answer.head).not.toContain('access-control-allow-credentials');
  }
  // Nothing that a page sends is echoed in the headers.
  const plain = await raw('GET', '/v1/models', { authorization });
  expect(plain.head.length).toBe(answers[0][1].head.length);
});

test('a stream and a whole answer may be read by a page', async () => {
  for (const stream of [true, false]) {
    const fields = stream ? {} : { stream: false, stream_options: undefined };
    const headers = {
      authorization: `Bearer ${customer.value}`,
      'content-type': 'application/json',
      ...PAGE,
    };
    const answer = raw('POST', '/v1/chat/completions', headers, bodyOf(fields));
    const agent = await rig.agent.next();
    const prompt = estimate(fields);
    agent.content(prompt, 1);
    agent.finish(prompt, 1);
    const { status, cors, body } = await answer;
    expect({ status, cors }).toEqual({ status: 200, cors: EVERY_ANSWER });
    expect(body).toContain(stream ? '[DONE]' : '"usage"');
  }
});
