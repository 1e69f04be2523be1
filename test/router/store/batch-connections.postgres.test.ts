import pg from 'pg';
import { expect, test } from 'vitest';
import { StoreUnavailable } from '../../../router/store/errors.ts';
import { BatchConnections } from '../../../router/store/postgres/batch-connections.ts';
import type { BatchExecutor } from '../../../router/store/procedure.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { PostgresServer } from '../../torture/postgres-server.ts';

/** Commits a row, waits at the gate, and only then makes the commit durable. */
function gated(gate: Promise<void>): BatchExecutor<string, string> {
  return {
    name: 'gated',
    openSqlite: () => expect.unreachable(),
    openPostgres: (connection) => async (_operations, listener) => {
      await connection.query({ name: 'insert', text: 'INSERT INTO kept VALUES (1)' });
      listener.answers([[0, 'committed']]);
      listener.ready();
      await gate;
      await connection.durable();
      listener.answers([[0, 'durable']]);
    },
  };
}

test('MONEY 23: a barrier never vouches for what a server has lost that crashed since', async () => {
  // A long delay of the WAL writer, so that nothing reaches the disk by itself during the test.
  await using server = await PostgresServer.create({ settings: { wal_writer_delay: '10s' } });
  const url = await server.database('kept');
  const ask = async (text: string) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const { rows } = await client.query(text);
    await client.end();
    return rows as unknown[];
  };
  await ask('CREATE TABLE kept (n int)');
  await using batches = new BatchConnections({ url, clock: new ManualClock() });
  // After the first run the connections are open. The barrier depends on how old a connection is,
  // not on whether there is one.
  for (const run of ['first', 'second']) {
    const heard: string[] = [];
    const gate = Promise.withResolvers<void>();
    const committed = Promise.withResolvers<void>();
    const running = batches.run(gated(gate.promise), ['x'], {
      answers: ([answer]) => {
        heard.push(answer?.[1] ?? '');
        committed.resolve();
      },
      ready: () => {},
    });
    running.catch(() => {});
    await committed.promise;
    await server.kill();
    await server.start();
    gate.resolve();
    await expect(running, run).rejects.toThrow(StoreUnavailable);
    expect(heard).toEqual(['committed']);
    expect(await ask('SELECT * FROM kept')).toEqual([]);
  }
  // Commits work again after the server is back.
  const heard: string[] = [];
  await batches.run(gated(Promise.resolve()), ['x'], {
    answers: ([answer]) => void heard.push(answer?.[1] ?? ''),
    ready: () => {},
  });
  expect(heard).toEqual(['committed', 'durable']);
});

test('a connection whose prepared statement answers something else now is given up, and another one is fit', async () => {
  await using server = await PostgresServer.create({});
  const url = await server.database('changing');
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('CREATE TABLE changing AS SELECT 1 AS n');
  const lost: Error[] = [];
  await using batches = new BatchConnections({
    url,
    clock: new ManualClock(),
    onLost: (error) => lost.push(error),
  });
  const executor: BatchExecutor<string, unknown> = {
    name: 'reading',
    openSqlite: () => expect.unreachable(),
    openPostgres: (connection) => async (_operations, listener) => {
      const [row] = await connection.query({ name: 'all', text: 'SELECT * FROM changing' });
      listener.answers([[0, row]]);
    },
  };
  const heard: unknown[] = [];
  const listener = {
    answers: ([answer]: readonly unknown[]) => void heard.push(answer),
    ready() {},
  };
  await batches.run(executor, ['x'], listener);
  await client.query('ALTER TABLE changing ADD COLUMN m int DEFAULT 2');
  await batches.run(executor, ['x'], listener);
  expect(heard).toEqual([
    [0, { n: 1 }],
    [0, { n: 1, m: 2 }],
  ]);
  expect(lost).toMatchObject([{ name: 'ConnectionUnfit' }]);
  await client.end();
});

/**
 * Runs a batch that adds a row to `kept`, ends its connection in mid-transaction, and lets
 * `pausedMs` pass before the batch goes on. Returns how the batch ended.
 */
async function endConnectionOfBatch({ pausedMs }: { pausedMs: number }) {
  await using server = await PostgresServer.create({});
  const url = await server.database('interrupted');
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('CREATE TABLE kept (n int)');
  const clock = new ManualClock();
  await using batches = new BatchConnections({ url, clock });
  const [begun, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let runs = 0;
  const executor: BatchExecutor<string, string> = {
    name: 'interrupted',
    openSqlite: () => expect.unreachable(),
    openPostgres: (connection) => async (_operations, listener) => {
      runs += 1;
      await connection.query({ name: 'begin', text: 'BEGIN' });
      await connection.query({ name: 'insert', text: 'INSERT INTO kept VALUES (1)' });
      begun.resolve();
      await gate.promise;
      await connection.query({ name: 'commit', text: 'COMMIT' });
      listener.ready();
      listener.answers([[0, 'added']]);
    },
  };
  const answers: string[] = [];
  const ended = batches
    .run(executor, ['x'], {
      answers: ([answer]) => void answers.push(answer?.[1] ?? ''),
      ready: () => {},
    })
    .then(
      () => 'done',
      (error: unknown) => error,
    );
  await begun.promise;
  await client.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE application_name = 'penstock'`);
  clock.advance(pausedMs);
  gate.resolve();
  const end = await ended;
  const { rowCount: kept } = await client.query('SELECT * FROM kept');
  await client.end();
  return { end, answers, runs, kept };
}

test('a batch whose connection the server ends in mid-transaction is run once more', async () => {
  const outcome = await endConnectionOfBatch({ pausedMs: 1_000 });
  expect(outcome).toEqual({ end: 'done', answers: ['added'], runs: 2, kept: 1 });
});

test('a batch that has kept its callers waiting for two seconds fails instead', async () => {
  const { end, ...outcome } = await endConnectionOfBatch({ pausedMs: 2_000 });
  expect(end).toBeInstanceOf(StoreUnavailable);
  expect(outcome).toEqual({ answers: [], runs: 1, kept: 0 });
});

test('a batch that comes after the store was closed fails, and opens no connection', async () => {
  await using server = await PostgresServer.create();
  const batches = new BatchConnections({
    url: await server.database('closed'),
    clock: new ManualClock(),
  });
  await batches[Symbol.asyncDispose]();
  const running = batches.run(gated(Promise.resolve()), ['x'], {
    answers: () => {},
    ready: () => {},
  });
  await expect(running).rejects.toThrow('the store is closed');
});
