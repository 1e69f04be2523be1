/** How many bytes of large bodies one turn of the event loop reads, over real sockets. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  Agent,
  createServer,
  type IncomingMessage,
  type ServerResponse,
  request as post,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Blocks, readBody } from '../../../../router/request/reading/body.ts';
import { drain } from '../../../../router/request/reading/drain.ts';
import {
  PAUSED_BYTES_MAX,
  READ_BYTES,
  UploadTurns,
} from '../../../../router/request/reading/upload-turns.ts';
import { Budget } from '../../../../shared/bounds/budget.ts';
import type { OrganizationId } from '../../../../shared/ids.ts';
import { limits } from '../../../../shared/limits.ts';
import { isRefusal, type Refusal } from '../../../../shared/refusals.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

const MIB = 1024 * 1024;
const BODIES = 16;
const A = 'org_a' as OrganizationId;
const B = 'org_b' as OrganizationId;

let server: ReturnType<typeof createServer>;
let sender: ChildProcess;
let onRequest: (request: IncomingMessage, response: ServerResponse) => void;

beforeEach(async () => {
  server = createServer((request, response) => onRequest(request, response));
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
  sender?.kill();
  const { port } = server.address() as AddressInfo;
  const args = ['-e', SENDER, String(port), String(bodies), String(bytes)];
  sender = spawn(process.execPath, args, { stdio: 'inherit' });
}

async function read(
  request: IncomingMessage,
  uploads: UploadTurns<OrganizationId>,
  { clock = new ManualClock(), budgetBytes = 512 * MIB } = {},
) {
  const budget = new Budget({ totalBytesMax: budgetBytes, peerBytesMax: budgetBytes });
  using lease = budget.lease('A');
  const stopping = new AbortController().signal;
  const discards = new UploadTurns<string>();
  const parts = { clock, lease, stopping, organization: A, uploads, discards };
  return await readBody(request, parts);
}

/** The most bytes that are read of all bodies in one turn, once their senders have waited. */
async function mostInATurn<Answer>(
  body: Buffer,
  readOne: (request: IncomingMessage) => Promise<Answer>,
): Promise<Readonly<{ most: number; answers: readonly Answer[] }>> {
  const reading: Promise<Answer>[] = [];
  const all = Promise.withResolvers<void>();
  let bytes = 0;
  onRequest = (request) => {
    request.on('data', (piece: Buffer) => (bytes += piece.length));
    reading.push(readOne(request));
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
  // Meanwhile the sender fills the sockets' buffers.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
  const answers = await Promise.all(reading);
  isOver = true;
  await watching;
  expect(bytes).toBe(BODIES * body.length);
  return { most, answers };
}

test('one turn reads little more of all large bodies than its limit, and each body whole', async () => {
  const body = Buffer.alloc(8 * MIB, 'body ');
  const uploads = new UploadTurns<OrganizationId>(READ_BYTES);
  const { most, answers } = await mostInATurn(body, (request) => read(request, uploads));
  for (const blocks of answers) {
    if (isRefusal(blocks)) throw new Error(blocks.message);
    expect(Buffer.concat(blocks).equals(body)).toBe(true);
  }
  // The first read of a body is not counted, and the second is not held back.
  expect(most).toBeLessThanOrEqual(READ_BYTES + BODIES * 2 * READ_BYTES);
});

test('bodies that are discarded take turns, too', async () => {
  const discards = new UploadTurns<string>(READ_BYTES);
  const { most, answers } = await mostInATurn(Buffer.alloc(8 * MIB, 'body '), (request) =>
    drain(request, discards),
  );
  expect(answers).toEqual(Array.from({ length: BODIES }, () => true));
  expect(most).toBeLessThanOrEqual(READ_BYTES + BODIES * 2 * READ_BYTES);
});

test('organizations take turns with their uploads', async () => {
  const uploads = new UploadTurns<OrganizationId>(2 * READ_BYTES);
  const bodies = Array.from({ length: 5 }, () => new PassThrough().resume());
  const order = [A, A, A, B, B] as const;
  for (const [nth, body] of bodies.entries()) {
    uploads.spend(order[nth] as OrganizationId, body, 2 * READ_BYTES);
  }
  const paused = () => bodies.map((body) => body.isPaused());
  expect(paused()).toEqual([true, true, true, true, true]);
  await nextTurn();
  expect(paused()).toEqual([false, true, true, false, true]);
  await nextTurn();
  expect(paused()).toEqual([false, false, true, false, false]);
  await nextTurn();
  expect(paused()).toEqual([false, false, false, false, false]);
});

test('a body that is too late while it waits for its turn is not read any further', async () => {
  const clock = new ManualClock();
  const asked = Promise.withResolvers<IncomingMessage>();
  onRequest = asked.resolve;
  upload(1, 16 * MIB);
  const request = await asked.promise;
  const reading = read(request, new UploadTurns(READ_BYTES), { clock });
  let bytes = 0;
  // Runs after the reader's own listener, so it sees whether that has paused the request.
  request.on('data', (piece: Buffer) => {
    bytes += piece.length;
    if (request.isPaused()) clock.advance(limits.bodyReadMsMax);
  });
  const refusal = await reading;
  expect(isRefusal(refusal) && refusal.message).toBe('The body did not arrive in time.');
  const before = bytes;
  for (let turn = 0; turn < 10; turn++) await nextTurn();
  expect(request.isPaused()).toBe(true);
  expect(bytes).toBe(before);
});

test('a connection serves the next request after a body that was paused', async () => {
  const uploads = new UploadTurns<OrganizationId>(READ_BYTES);
  const lengths: number[] = [];
  const { port } = server.address() as AddressInfo;
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const blocks = await read(request, uploads);
    if (isRefusal(blocks)) throw new Error(blocks.message);
    lengths.push(Buffer.concat(blocks).length);
    response.end('ok');
  };
  onRequest = (request, response) => void serve(request, response);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  for (const bytes of [1 * MIB, 100, 2 * MIB]) {
    const asked = post({ port, agent, method: 'POST' });
    asked.end(Buffer.alloc(bytes));
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    answer.resume();
    await once(answer, 'end');
  }
  agent.destroy();
  expect(lengths).toEqual([1 * MIB, 100, 2 * MIB]);
});

test('what Node keeps of a body that is paused counts against the budget', async () => {
  const answers: (Blocks | Refusal)[] = [];
  const bytes = 3 * READ_BYTES;
  // The block for the bytes, and what the chunk buffer itself takes.
  const gathered = bytes + 1024;
  for (const budgetBytes of [gathered, gathered + PAUSED_BYTES_MAX]) {
    const asked = Promise.withResolvers<IncomingMessage>();
    onRequest = asked.resolve;
    upload(1, bytes);
    answers.push(await read(await asked.promise, new UploadTurns(READ_BYTES), { budgetBytes }));
  }
  expect(answers.map((answer) => isRefusal(answer) && answer.code)).toEqual([
    'rate_limited',
    false,
  ]);
});
