/**
 * How many bytes of request bodies a router keeps for strangers and for callers, and for how long.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type RequestOptions } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect, type Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { Refused } from '../../../router/control/api.ts';
import { Bodies, parseJson, type Sender } from '../../../router/control/bodies.ts';
import { watchDrips } from '../../../shared/bounds/stop-parsing.ts';
import { limits } from '../../../shared/limits.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { rig, shareRig } from './shared-rig.ts';

shareRig();

const { strangerBodyBytesMax, callerBodyBytesMax, strangerBodies } = limits;
const BYTES = Buffer.from('1\r\nx\r\n'.repeat(20_000));

/**
 * Sends the bytes unchanged, and returns everything that is received until the connection is
 * closed.
 */
async function raw(head: readonly string[], body: Uint8Array | string): Promise<string> {
  const { hostname, port } = new URL(rig.origin);
  const socket = connect(Number(port), hostname);
  let answer = '';
  socket.on('error', () => {});
  socket.on('data', (bytes) => {
    answer += bytes.toString();
  });
  socket.write(`${[...head, `host: ${hostname}`].join('\r\n')}\r\n\r\n`);
  socket.write(body);
  await once(socket, 'close');
  return answer;
}

describe.each([
  ['a sign-in', '/api/v1/sign-in', 'application/json'],
  ["a payment provider's event", '/api/v1/webhooks/stripe', 'application/json'],
  ['a request without a session', '/api/v1/organizations', 'application/json'],
  ['a request to no route', '/nothing', 'application/json'],
  [
    'a page of the sandbox',
    `/checkout/sandbox/${'0'.repeat(40)}`,
    'application/x-www-form-urlencoded',
  ],
])('%s', (_what, path, type) => {
  test('in chunks of one byte is refused, and its connection closes', async () => {
    const head = [`POST ${path} HTTP/1.1`, `content-type: ${type}`, 'transfer-encoding: chunked'];
    const answer = await raw(head, BYTES);
    // If the answer crosses bytes that are still being sent, the connection may break before the
    // answer is read.
    if (answer !== '') expect(answer).toMatch(/^HTTP\/1.1 4\d\d [^]*connection: close/i);
  });
});

describe('a route that anybody may use', () => {
  test('takes a body of a few KiB, and refuses a larger one by its length alone', async () => {
    const password = 'x'.repeat(strangerBodyBytesMax);
    const answer = await rig.ask('POST', '/api/v1/sign-in', { email: 'a@example.com', password });
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'body_too_large' } } });
    expect(answer.headers.get('connection')).toBe('close');
    const half = await raw(
      [
        'POST /api/v1/sign-in HTTP/1.1',
        'content-type: application/json',
        `content-length: ${strangerBodyBytesMax + 1}`,
      ],
      '{',
    );
    expect(half).toMatch(/^HTTP\/1.1 400 /);
  });

  test('a route for callers takes more, and has a bound, too', async () => {
    const name = 'x'.repeat(callerBodyBytesMax / 2);
    const taken = await rig.ask('POST', '/api/v1/organizations', { name });
    expect(taken.body.error).toMatchObject({ code: 'invalid_value', param: 'name' });
    const refused = await rig.ask('POST', '/api/v1/organizations', { name: name + name });
    expect(refused.body.error.code).toBe('body_too_large');
  });
});

describe('JSON', () => {
  test('of many small values is refused before it is parsed', async () => {
    const bomb = `{"name":[${'[],'.repeat(limits.controlJsonNodesMax)}[]]}`;
    const { body } = await rig.ask('POST', '/api/v1/organizations', bomb);
    expect(body.error).toMatchObject({ code: 'invalid_json' });
    expect(body.error.message).toContain(`more than ${limits.controlJsonNodesMax} values`);
    expect(() => parseJson(Buffer.from(bomb))).toThrow(Refused);
  });

  test('that is nested deep is refused before it is parsed', () => {
    const nested = (depth: number) => Buffer.from('['.repeat(depth) + ']'.repeat(depth));
    expect(parseJson(nested(limits.jsonDepthMax))).toBeInstanceOf(Array);
    expect(() => parseJson(nested(limits.jsonDepthMax + 1))).toThrow('levels deep');
  });
});

/** A server that does nothing but read bodies. */
async function reader(sender: Sender = 'stranger', bytesMax: number = strangerBodyBytesMax) {
  const undo = new AsyncDisposableStack();
  const clock = new ManualClock();
  const bodies = new Bodies(clock);
  const held: Disposable[] = [];
  let reading = 0;
  const server = createServer((asked, response) => {
    watchDrips(asked, limits.controlBodySmallPiecesMax);
    reading += 1;
    const address = String(asked.headers['x-address'] ?? '203.0.113.1');
    void (async () => {
      try {
        const body = await bodies.read(asked, { sender, address, bytesMax });
        held.push(body);
        response.end(String(body.bytes.length));
      } catch (error) {
        const refused = error as Refused;
        response.setHeader('connection', 'close');
        response.writeHead(refused.refusal.status).end(refused.message);
      }
      reading -= 1;
    })();
  });
  undo.defer(() => server.closeAllConnections());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const ask = (options: RequestOptions = {}) => {
    const asked = request({ port, host: '127.0.0.1', method: 'POST', agent: false, ...options });
    asked.on('error', () => {});
    undo.defer(() => void asked.destroy());
    const answered = once(asked, 'response') as Promise<[IncomingMessage]>;
    answered.catch(() => {});
    const answer = async () => {
      const [response] = await answered;
      let text = '';
      for await (const piece of response) text += String(piece);
      return [response.statusCode, text] as const;
    };
    return { asked, answer };
  };
  /** Resolves when this many bodies are being read. */
  const until = async (count: number) => {
    while (reading !== count) await new Promise((turn) => setImmediate(turn));
  };
  return Object.assign(undo, { bodies, clock, ask, until, port, held });
}

test('a body that does not come to an end in time is refused', async () => {
  await using to = await reader();
  const { asked, answer } = to.ask();
  asked.write('{');
  await to.until(1);
  to.clock.advance(limits.controlBodyMsMax);
  expect(await answer()).toEqual([400, 'The body did not arrive in time.']);
  expect(to.clock.timers).toBe(0);
  expect(to.bodies.heldBytes).toBe(0);
});

test('an address has so many bodies under way, and others are not kept from theirs', async () => {
  await using to = await reader();
  const { peerMax } = strangerBodies.at;
  const begun = Array.from({ length: peerMax }, () => to.ask());
  for (const { asked } of begun) asked.write('{');
  await to.until(peerMax);
  const over = to.ask();
  over.asked.end('{}');
  expect(await over.answer()).toMatchObject([429, expect.stringContaining('Your network')]);
  const other = to.ask({ headers: { 'x-address': '203.0.113.2' } });
  other.asked.end('{}');
  expect(await other.answer()).toEqual([200, '2']);
  begun[0]?.asked.end('}');
  expect(await begun[0]?.answer()).toEqual([200, '2']);
  const next = to.ask();
  next.asked.end('{}');
  expect(await next.answer()).toEqual([200, '2']);
});

test('all addresses together have so many bodies under way', async () => {
  await using to = await reader();
  const { totalMax } = strangerBodies.at;
  const from = (nth: number) => ({ headers: { 'x-address': `2001:db8:0:${nth.toString(16)}::1` } });
  for (let nth = 0; nth < totalMax; nth++) to.ask(from(nth)).asked.write('{');
  await to.until(totalMax);
  const over = to.ask(from(totalMax));
  over.asked.end('{}');
  expect((await over.answer())[0]).toBe(429);
});

test('bodies that are worked on count for their address until they are done with', async () => {
  await using to = await reader('stranger', limits.eventBodyBytesMax);
  const sent = Buffer.alloc(limits.eventBodyBytesMax, 'x');
  const send = () => {
    const { asked, answer } = to.ask();
    asked.end(sent);
    return answer();
  };
  const { peerBytesMax } = strangerBodies.bytes;
  const kept = Math.floor(peerBytesMax / limits.eventBodyBytesMax);
  const statuses: (number | undefined)[] = [];
  for (let nth = 0; nth <= kept; nth++) statuses.push((await send())[0]);
  expect(statuses.slice(0, kept - 1).every((status) => status === 200)).toBe(true);
  expect(statuses.at(-1)).toBe(429);
  expect(to.bodies.heldBytes).toBeLessThanOrEqual(peerBytesMax);
  for (const body of to.held) body[Symbol.dispose]();
  expect(to.bodies.heldBytes).toBe(0);
  expect((await send())[0]).toBe(200);
});

test('senders who leave in the middle of their bodies leave nothing behind', async () => {
  await using to = await reader();
  const sockets: Socket[] = [];
  for (let nth = 0; nth < 8; nth++) {
    const socket = connect(to.port, '127.0.0.1');
    socket.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 9000\r\n\r\n{');
    sockets.push(socket);
  }
  await to.until(8);
  for (const socket of sockets) socket.destroy();
  await to.until(0);
  expect([to.bodies.heldBytes, to.clock.timers]).toEqual([0, 0]);
});

test('a client that writes its body in a few small pieces is read', async () => {
  await using to = await reader();
  const { asked, answer } = to.ask();
  for (const piece of '{"email":"a@example.com"}') {
    asked.write(piece);
    await new Promise((turn) => setImmediate(turn));
  }
  asked.end();
  expect(await answer()).toEqual([200, '25']);
});

test('of a body in chunks of one byte not even the first reading is gone through', async () => {
  let pieces = 0;
  const server = createServer((asked) => {
    watchDrips(asked, limits.controlBodySmallPiecesMax);
    asked.on('data', () => {
      pieces += 1;
    });
  });
  await using undo = new AsyncDisposableStack();
  undo.defer(() => server.closeAllConnections());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write('POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n');
  await new Promise<void>((sent) => socket.write(BYTES, () => sent()));
  while (pieces === 0) await new Promise((turn) => setImmediate(turn));
  expect(pieces).toBeLessThanOrEqual(limits.controlBodySmallPiecesMax + 2);
  socket.destroy();
});
