/** A client that does not keep up receives every byte in order, however the bytes were buffered. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { Reply } from '../../../router/request/reply.ts';
import { type Clock, systemClock } from '../../../shared/clock.ts';
import type { RequestId } from '../../../shared/ids.ts';
import { limits } from '../../../shared/limits.ts';
import { seededRandom } from '../../../shared/random.ts';
import { ManualClock } from '../../support/manual-clock.ts';

/** A server whose replies the test writes. */
async function serve(clock: Clock = systemClock) {
  const parts = { requestId: 'req_1' as RequestId, api: 'chat', clock } as const;
  const undo = new AsyncDisposableStack();
  const replies: Reply[] = [];
  const server = createServer({ highWaterMark: 16 * 1024 }, (request, response) => {
    replies.push(new Reply(request, response, parts));
  });
  undo.defer(() => {
    server.closeAllConnections();
    return new Promise<void>((closed) => server.close(() => closed()));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  /** The reply to the next request, of which there are `count` then. */
  const replyTo = async (count: number): Promise<Reply> => {
    while (replies.length < count) await turn();
    return replies[count - 1] as Reply;
  };
  return Object.assign(undo, { port, replyTo });
}

async function start(clock: Clock = systemClock) {
  const served = await serve(clock);
  const asking = get({ port: served.port, agent: false });
  const reply = await served.replyTo(1);
  reply.write(': begun\n\n');
  const [answer] = (await once(asking, 'response')) as [IncomingMessage];
  return Object.assign(served, { reply, answer });
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Records as engines produce them, and sometimes one that is larger than any of the buffers. */
function* records(bytesMin: number): Generator<Buffer | string> {
  const random = seededRandom(1);
  for (let bytes = 0, n = 0; bytes < bytesMin; n++) {
    const size = n % 500 === 499 ? 100_000 : 20 + random.below(400);
    const text = `${n} ${'é'.repeat(size / 2)}\n\n`;
    bytes += size;
    yield n % 7 === 0 ? text : Buffer.from(text);
  }
}

/**
 * Events are written in three parts. The second is lent: its buffer is reused right after the
 * write.
 */
function write(reply: Reply, record: Buffer | string): void {
  if (typeof record === 'string') {
    if (record.length % 2 === 0) return reply.write(record);
    return reply.writePieces([record.slice(0, 2), Buffer.from(record.slice(2, -1)), '\n']);
  }
  const lent = Buffer.from(record.subarray(5, -4));
  reply.writeEvent(record.subarray(0, 5), lent, record.subarray(-4));
  lent.fill('!');
}

/** Waits until the sockets accept no more. */
async function stalled(reply: Reply): Promise<void> {
  for (let still = 0, last = -1; still < 50; still++) {
    await turn();
    if (reply.pendingBytes !== last) still = 0;
    last = reply.pendingBytes;
  }
}

test('a reader who stops and reads on gets every byte in order, those of the end included', async () => {
  await using link = await start();
  const { reply, answer } = link;
  const sent = createHash('sha256');
  sent.update(': begun\n\n');
  let written = 0;
  for (const record of records(12_000_000)) {
    sent.update(record);
    write(reply, record);
    written += 1;
    if (written % 100 === 0) await turn();
  }
  await stalled(reply);
  expect(reply.stalledAt).not.toBeNull();
  expect(reply.pendingBytes).toBeGreaterThan(1_000_000);
  reply.finish(['the end']);
  sent.update('the end');
  const got = createHash('sha256');
  for await (const piece of answer) got.update(piece as Buffer);
  expect(got.digest('hex')).toBe(sent.digest('hex'));
  expect(reply.disconnected).toBe(false);
});

test('one who reads slowly is seen to read, and one who has caught up does not stall', async () => {
  await using link = await start();
  const { reply, answer } = link;
  let [drains, got] = [0, 0];
  reply.listen({ disconnected() {}, drained: () => (drains += 1) });
  answer.pause();
  let sent = ': begun\n\n'.length;
  for (const record of records(12_000_000)) {
    write(reply, record);
    sent += Buffer.byteLength(record);
  }
  await stalled(reply);
  const before = { bytes: reply.pendingBytes, drains };
  answer.on('data', (piece: Buffer) => {
    got += piece.length;
  });
  answer.resume();
  while (drains < before.drains + 3) await turn();
  expect(reply.pendingBytes).toBeLessThan(before.bytes);
  while (got < sent) await turn();
  expect(reply.pendingBytes).toBe(0);
  expect(reply.stalledAt).toBeNull();
});

test.each([
  ['in a stream', (reply: Reply, text: Buffer) => reply.writePieces([text])],
  ['at its end', (reply: Reply, text: Buffer) => reply.finish([text])],
])('one who reads a long text slowly is seen to read: %s', async (_where, send) => {
  await using link = await start();
  const { reply, answer } = link;
  let got = 0;
  answer.on('data', (piece: Buffer) => {
    got += piece.length;
    if (got > 6_000_000) answer.pause();
  });
  answer.pause();
  send(reply, Buffer.alloc(24_000_000, 'x'));
  await stalled(reply);
  const before = reply.pendingBytes;
  answer.resume();
  while (got < 6_000_000) await turn();
  await stalled(reply);
  expect(reply.pendingBytes).toBeLessThan(before);
  expect(reply.pendingBytes).toBeGreaterThan(0);
});

test('the pieces of events are written at once, except long texts', async () => {
  await using link = await start();
  const { reply, answer } = link;
  const chunks: number[] = [];
  answer.on('data', (piece: Buffer) => chunks.push(piece.length));
  while (chunks.length < 1) await turn();
  const small = Array.from({ length: 100 }, (_, n) => (n % 2 === 0 ? 'é' : Buffer.from('ab')));
  reply.writePieces([...small, Buffer.alloc(2_000, 'x'), ...small]);
  while (chunks.length < 4) await turn();
  expect(chunks.slice(1)).toEqual([200, 2_000, 200]);
});

test('of the events of one turn, the first is written at once and the others together', async () => {
  await using link = await start();
  const { reply } = link;
  const event = Buffer.from('data: 1\n\n');
  while (reply.pendingBytes > 0) await turn();
  for (let turns = 0; turns < 2; turns++) {
    write(reply, event);
    expect(reply.pendingBytes).toBe(0);
    write(reply, event);
    const one = reply.pendingBytes;
    write(reply, event);
    expect(one).toBeGreaterThan(event.length);
    expect(reply.pendingBytes).toBe(2 * one);
    await turn();
    expect(reply.pendingBytes).toBe(0);
  }
});

test('one who leaves takes with him what was kept', async () => {
  await using link = await start();
  const { reply, answer } = link;
  for (const record of records(12_000_000)) write(reply, record);
  await stalled(reply);
  answer.destroy();
  while (!reply.disconnected) await turn();
  reply.write('x'.repeat(1_000_000));
  await turn();
  expect(reply.pendingBytes).toBeLessThan(1_000_000);
});

test('a client that reads its last bytes slowly is cut off after ten minutes', async () => {
  const clock = new ManualClock();
  await using rig = await start(clock);
  const { reply, answer } = rig;
  answer.on('error', () => {});
  let isClosed = false;
  reply.onClose(() => {
    isClosed = true;
  });
  reply.finish(Array.from({ length: 256 }, () => Buffer.alloc(128 * 1024)));
  const minutes = limits.lastBytesMsMax / limits.writeStallMsMax;
  for (let minute = 1; minute <= minutes; minute++) {
    expect(isClosed).toBe(false);
    const pending = reply.pendingBytes;
    while (reply.pendingBytes === pending) {
      answer.read();
      await turn();
    }
    clock.advance(limits.writeStallMsMax);
    await turn();
  }
  while (!isClosed) await turn();
  expect(clock.timers).toBe(0);
});

test('a client of HTTP/1.0, which knows no chunks, gets the events alone', async () => {
  await using served = await serve();
  const client = connect(served.port, '127.0.0.1');
  client.write('GET / HTTP/1.0\r\n\r\n');
  const reply = await served.replyTo(1);
  for (const record of ['first\n\n', 'second\n\n']) write(reply, Buffer.from(`0 12${record}`));
  reply.finish(['the end']);
  const [, body] = (await textOf(client)).split('\r\n\r\n');
  expect(body).toBe('0 12first\n\n0 12second\n\nthe end');
});

test('events of a request that came before its turn follow the answer before it', async () => {
  await using served = await serve();
  const client = connect(served.port, '127.0.0.1');
  client.write(
    'GET /1 HTTP/1.1\r\nHost: a\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
  );
  const second = await served.replyTo(2);
  const first = await served.replyTo(1);
  const event = (name: string) => Buffer.from(`data: ${name}\n\n`);
  write(second, event('2, early'));
  write(second, event('2, early, too'));
  write(first, event('1'));
  await turn();
  write(first, event('1, later'));
  first.finish(['data: 1, end\n\n']);
  // The second reply has the connection once the first has been written.
  while (first.pendingBytes > 0) await turn();
  write(second, event('2, in its turn'));
  await turn();
  write(second, event('2, later'));
  second.finish(['data: 2, end\n\n']);
  const names = [...(await textOf(client)).matchAll(/data: (.*)\n\n\r\n/g)].map(([, name]) => name);
  expect(names).toEqual([
    '1',
    '1, later',
    '1, end',
    '2, early',
    '2, early, too',
    '2, in its turn',
    '2, later',
    '2, end',
  ]);
});
