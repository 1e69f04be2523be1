/** Calls of the writer's thread over its socket, as the children of a router make them. */
import { existsSync, mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { WriterConnection } from '../../../router/processes/writer-connection.ts';
import { ConstraintViolated, StoreUnavailable } from '../../../router/store/errors.ts';
import { openSqliteThreads, type SqliteThreads } from '../../../router/store/sqlite/open.ts';
import { MessageSocket } from '../../../router/store/threads/message-socket.ts';
import { callOn } from '../../../router/store/threads/thread.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { LOG } from '../ledger/rig.ts';
import {
  addPerson,
  answerEach,
  answerFunction,
  endHeavy,
  hang,
  listPeople,
  throwLate,
} from '../store/registry.ts';

const registry = new URL('../store/registry.ts', import.meta.url);

let undo: AsyncDisposableStack;
let clock: ManualClock;
let threads: SqliteThreads & AsyncDisposable;
let writerSocket: string;
beforeEach(async () => {
  undo = new AsyncDisposableStack();
  clock = new ManualClock();
  const folder = mkdtempSync(join(tmpdir(), 'penstock-writer-'));
  undo.defer(() => rm(folder, { recursive: true }));
  writerSocket = join(folder, 'writer');
  const config = { file: join(folder, 'penstock.db'), registry, writerSocket };
  threads = undo.use(await openSqliteThreads(config, { clock, log: LOG }));
});
afterEach(() => undo.disposeAsync());

const connection = () => undo.use(new WriterConnection(writerSocket));
const people = () => callOn(threads.reader, listPeople, null);

const batch = (operations: string[]) =>
  ({ kind: 'batch', name: answerEach.name, operations }) as const;

test('each process gets the answers to its own calls, and the parent goes on with its own', async () => {
  const all = ['x', 'y'].flatMap((name) => {
    const one = connection();
    return [1, 2, 3].map(async (nth) => {
      const parts: unknown[] = [];
      const first = `${name}${nth}`;
      const result = await one.send(batch([first, 'b', 'c']), (part) => parts.push(...part));
      expect(parts).toEqual([
        [0, first],
        [1, 'b'],
      ]);
      expect(result).toMatchObject({ answers: [[2, 'c']] });
      await callOn(one, addPerson, first);
    });
  });
  await Promise.all([...all, callOn(threads.writer, addPerson, 'cy')]);
  expect(await people()).toEqual(['cy', 'x1', 'x2', 'x3', 'y1', 'y2', 'y3']);
});

test('what fails on the thread fails alike in the other process', async () => {
  const one = connection();
  await callOn(one, addPerson, 'ada');
  await expect(callOn(one, addPerson, 'ada')).rejects.toThrow(ConstraintViolated);
  await expect(callOn(one, throwLate, 'bob')).rejects.toThrow('changed my mind');
  await expect(callOn(one, answerFunction, null)).rejects.toThrow('could not be cloned');
  const uncloneable = one.send({ kind: 'procedure', name: addPerson.name, input: () => {} });
  await expect(uncloneable).rejects.toThrow('could not be cloned');
  expect(await people()).toEqual(['ada']);
});

test('a call that arrives in many pieces is one call', async () => {
  const long = 'x'.repeat(5_000_000);
  await Promise.all([callOn(connection(), addPerson, long), callOn(connection(), addPerson, 'a')]);
  expect((await people()).map(({ length }) => length)).toEqual([1, long.length]);
});

test('a process that is killed in the middle of a message, or sends no message, disturbs no other', async () => {
  const one = connection();
  await callOn(one, addPerson, 'ada');
  const half = Buffer.alloc(100);
  half.writeUInt32LE(1_000);
  const garbage = Buffer.alloc(100, 7);
  garbage.writeUInt32LE(96);
  const endless = Buffer.alloc(100, 0xff);
  for (const bytes of [half, garbage, endless]) {
    const socket = connect(writerSocket);
    socket.on('error', () => {});
    const closed = new Promise((resolve) => socket.on('close', resolve));
    socket.write(bytes, () => bytes === half && socket.destroy());
    await closed;
    await callOn(one, addPerson, `after ${bytes.at(-1)}`);
  }
  expect(await people()).toEqual(['ada', 'after 0', 'after 255', 'after 7']);
});

test('messages are whole, however their bytes are cut', async () => {
  const written: Buffer[] = [];
  const collect = new Writable({ write: (bytes, _, done) => (written.push(bytes), done()) });
  const sender = new MessageSocket(collect as Socket, () => {});
  const messages = [{ id: 1n }, 'x'.repeat(300), null, [new Uint8Array([1, 2])]];
  for (const message of messages) sender.send(message);
  const bytes = Buffer.concat(written);
  for (const length of [1, 2, 3, 5, 7, 100, bytes.length]) {
    const [arrived, socket] = [[] as unknown[], new PassThrough()];
    void new MessageSocket(socket as unknown as Socket, (message) => arrived.push(message));
    for (let at = 0; at < bytes.length; at += length)
      socket.emit('data', bytes.subarray(at, at + length));
    expect(arrived).toEqual(messages);
  }
});

test('calls of a writer that ends are lost, and later ones reach the next writer', async () => {
  const one = connection();
  await callOn(one, addPerson, 'ada');
  const lost = await Promise.allSettled([
    callOn(one, endHeavy, null),
    callOn(one, addPerson, 'bob'),
  ]);
  for (const call of lost) {
    expect(call).toMatchObject({ status: 'rejected', reason: expect.any(StoreUnavailable) });
  }
  await expect(callOn(one, addPerson, 'cy')).rejects.toThrow(StoreUnavailable);
  // When this is refused, the parent has noticed the end, and the timer of the restart runs.
  await expect(callOn(threads.writer, addPerson, 'cy')).rejects.toThrow(StoreUnavailable);
  clock.advance(5_000);
  await expect.poll(() => callOn(one, addPerson, 'dan').catch(String)).toBe(null);
  expect(await people()).toEqual(['ada', 'dan']);
});

test('a connection that is closed answers what was called before, and refuses the rest', async () => {
  const one = new WriterConnection(writerSocket);
  // The writer gives this call up after two seconds, and then runs the next.
  const slow = callOn(one, hang, 'bob');
  const called = callOn(one, addPerson, 'ada');
  one[Symbol.dispose]();
  await expect(slow).rejects.toThrow('hang');
  await called;
  await expect(callOn(one, addPerson, 'cy')).rejects.toThrow(StoreUnavailable);
  expect(await people()).toEqual(['ada']);
});

test('a call that comes when the store is being closed is refused, and nobody can connect after', async () => {
  const one = connection();
  await callOn(one, addPerson, 'ada');
  const closing = threads[Symbol.asyncDispose]();
  await expect
    .poll(() => callOn(one, addPerson, 'bob').catch(String))
    .toContain('StoreUnavailable');
  await closing;
  await expect(callOn(one, addPerson, 'cy')).rejects.toThrow(StoreUnavailable);
  expect(existsSync(writerSocket)).toBe(false);
});
