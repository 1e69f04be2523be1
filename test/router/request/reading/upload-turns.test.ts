/** How many bytes of large bodies one turn of the event loop reads, over real sockets. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Blocks, readBody } from '../../../../router/request/reading/body.ts';
import { READ_BYTES, UploadTurns } from '../../../../router/request/reading/upload-turns.ts';
import { Budget } from '../../../../shared/bounds/budget.ts';
import { limits } from '../../../../shared/limits.ts';
import { isRefusal } from '../../../../shared/refusals.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

const MIB = 1024 * 1024;
const BODIES = 16;

let uploads: UploadTurns;
let server: ReturnType<typeof createServer>;
let sender: ChildProcess;
let onRequest: (request: IncomingMessage) => void;

beforeEach(async () => {
  uploads = new UploadTurns();
  server = createServer((request, response) => {
    onRequest(request);
    request.on('close', () => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterEach(() => {
  sender?.kill();
  server.closeAllConnections();
  server.close();
});

const SENDER = `
  const [port, bodies, bytes] = process.argv.slice(1).map(Number);
  const body = Buffer.alloc(bytes, 'body ');
  for (let sent = 0; sent < bodies; sent++) {
    const socket = require('node:net').connect(port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write('POST / HTTP/1.1\\r\\nHost: a\\r\\nContent-Length: ' + bytes + '\\r\\n\\r\\n');
    socket.write(body);
  }`;

/** Uploads from another process, which sends while this event loop is busy. */
function upload(bodies: number, bytes: number): void {
  const { port } = server.address() as AddressInfo;
  const args = ['-e', SENDER, String(port), String(bodies), String(bytes)];
  sender = spawn(process.execPath, args, { stdio: 'inherit' });
}

async function read(request: IncomingMessage, { clock = new ManualClock() } = {}) {
  using lease = new Budget({ totalBytesMax: 512 * MIB, peerBytesMax: 512 * MIB }).lease('A');
  const stopping = new AbortController().signal;
  return await readBody(request, { clock, lease, stopping, uploads });
}

test('one turn reads little more of all large bodies than its limit, and each body whole', async () => {
  const body = Buffer.alloc(8 * MIB, 'body ');
  const reading: Promise<Blocks>[] = [];
  const all = Promise.withResolvers<void>();
  let bytes = 0;
  onRequest = (request) => {
    // Runs before the reader's own listener, so it counts each piece.
    request.on('data', (piece: Buffer) => (bytes += piece.length));
    reading.push(
      read(request).then((blocks) => {
        if (isRefusal(blocks)) throw new Error(blocks.message);
        return blocks;
      }),
    );
    if (reading.length === BODIES) all.resolve();
  };
  upload(BODIES, body.length);
  let most = 0;
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      const before = bytes;
      await nextTurn();
      most = Math.max(most, bytes - before);
    }
  })();
  await all.promise;
  // Meanwhile the senders fill the sockets' buffers.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
  const bodies = await Promise.all(reading);
  isOver = true;
  await watching;
  for (const blocks of bodies) expect(Buffer.concat(blocks).equals(body)).toBe(true);
  expect(bytes).toBe(BODIES * body.length);
  // A source that was resumed reads once before it is counted.
  expect(most).toBeLessThanOrEqual(limits.bodyTurnBytesMax + BODIES * READ_BYTES);
});

test('sources that wait are resumed in turn, as many as the limit allows', async () => {
  const perTurn = limits.bodyTurnBytesMax / READ_BYTES;
  const sources = Array.from({ length: 2 * perTurn + 1 }, () => new PassThrough().resume());
  for (const source of sources) uploads.spend(source, limits.bodyTurnBytesMax);
  const flowing = () => sources.map((source) => !source.isPaused());
  for (const resumed of [0, perTurn, 2 * perTurn, sources.length]) {
    expect(flowing()).toEqual(sources.map((_, nth) => nth < resumed));
    await nextTurn();
  }
});

test('a body that is too late while it waits for its turn is not read any further', async () => {
  const clock = new ManualClock();
  const asked = Promise.withResolvers<IncomingMessage>();
  onRequest = asked.resolve;
  upload(1, 16 * MIB);
  const request = await asked.promise;
  const reading = read(request, { clock });
  let bytes = 0;
  // Runs after the reader's own listener, so it sees whether that has paused the request.
  request.on('data', (piece: Buffer) => {
    bytes += piece.length;
    if (request.isPaused()) clock.advance(limits.bodyReadMsMax);
  });
  const refusal = await reading;
  expect(isRefusal(refusal) && refusal.message).toBe('The body did not come in time.');
  const before = bytes;
  for (let turn = 0; turn < 10; turn++) await nextTurn();
  expect(request.isPaused()).toBe(true);
  expect(bytes).toBe(before);
  expect(bytes).toBeLessThan(16 * MIB);
});
