/** A server that accepts and keeps connections, and answers nothing any more. */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Announcements } from '../../../router/store/postgres/announcements.ts';
import { BatchConnections } from '../../../router/store/postgres/batch-connections.ts';
import { connect } from '../../../router/store/postgres/connect.ts';
import { Pool } from '../../../router/store/postgres/pool.ts';
import { type BatchExecutor, readProcedure } from '../../../router/store/procedure.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { PostgresServer } from '../../torture/postgres-server.ts';
import { LOG } from '../ledger/rig.ts';

const ONE: BatchExecutor<string, string> = {
  name: 'one',
  openSqlite: () => expect.unreachable(),
  openPostgres: (connection) => async (_operations, listener) => {
    await connection.query({ name: 'one', text: 'SELECT 1' });
    listener.answers([[0, 'done']]);
  },
};
const READ = readProcedure('readNothing', async () => null);

const openSockets = () =>
  process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;

test('a frozen server does not keep a store from closing, and none of its connections stays', async () => {
  await using server = await PostgresServer.create({});
  const url = await server.database('frozen');
  const clock = new ManualClock();
  const before = openSockets();
  const parts = { url, clock, log: LOG, onLost: () => {} };
  const pool = new Pool({ ...parts, connectionsMax: 2 });
  const batches = new BatchConnections(parts);
  const announcements = new Announcements(parts);
  await pool.call(READ, null);
  await batches.run(ONE, ['x'], { answers: () => {}, ready: () => {} });
  await announcements.listen();
  expect(openSockets()).toBe(before + 4);

  await server.pause();
  const closing = [pool, batches, announcements].map((part) => part[Symbol.asyncDispose]());
  await turn();
  clock.advance(1_000);
  await Promise.all(closing);
  await expect.poll(openSockets).toBe(before);
});

test('a connection whose server falls silent before it is set up is given up', async () => {
  const asked = Promise.withResolvers<void>();
  const server = createServer((socket) => {
    socket.once('data', () => {
      // "Authentication is not needed", and "ready".
      socket.write(Buffer.from('5200000008000000005a0000000549', 'hex'));
      socket.once('data', () => asked.resolve());
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const clock = new ManualClock();
  const url = `postgres://penstock@127.0.0.1:${port}/silent`;
  const connecting = connect({ url, clock }, { application_name: 'silent' }, () => {});
  await asked.promise;
  clock.advance(2_000);
  await expect(connecting).rejects.toThrow('a new connection took longer than 2000 ms');
  server.close();
  await once(server, 'close');
});
