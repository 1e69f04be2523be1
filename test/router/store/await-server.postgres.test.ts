/** A start waits for a server that is not there yet, for a bounded time. */
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, inject, test } from 'vitest';
import { awaitServer, WAIT_MS_MAX } from '../../../router/store/postgres/await-server.ts';
import { makeLog } from '../../../shared/log.ts';
import { freePort } from '../../support/free-port.ts';
import { ManualClock } from '../../support/manual-clock.ts';

/** Waits for `url`. `turns` advances the clock a second at a time until that has ended. */
function wait(url: string) {
  const clock = new ManualClock();
  const lines: { msg: string }[] = [];
  const log = makeLog('test', 'info', { write: (line) => void lines.push(JSON.parse(line)) });
  const stopping = new AbortController();
  let ended = false;
  const waiting = awaitServer(url, { clock, log, signal: stopping.signal }).finally(() => {
    ended = true;
  });
  waiting.catch(() => {});
  const turns = async () => {
    while (!ended) {
      await turn();
      clock.advance(1_000);
    }
  };
  return { clock, lines, stopping, waiting, turns, messages: () => lines.map(({ msg }) => msg) };
}

async function absent(): Promise<string> {
  return `postgres://penstock:do-not-show@127.0.0.1:${await freePort()}/x`;
}

test('a server that does not come is waited for a minute, with one warning, and then named', async () => {
  const url = await absent();
  const { clock, lines, waiting, turns } = wait(url);
  await turns();
  const at = `127.0.0.1:${new URL(url).port}`;
  await expect(waiting).rejects.toThrow(
    `PostgreSQL at ${at} could not be reached for 60 s: connection refused (ECONNREFUSED)`,
  );
  expect(clock.monotonic()).toBeGreaterThanOrEqual(WAIT_MS_MAX);
  expect(lines).toHaveLength(1);
  expect(JSON.stringify(lines)).not.toContain('do-not-show');
});

test('a server that comes late is used', async () => {
  const url = new URL(inject('postgres').url);
  const real = { host: url.hostname, port: Number(url.port) };
  url.port = `${await freePort()}`;
  const { clock, waiting, messages } = wait(url.href);
  await expect.poll(() => messages().length).toBe(1);
  const server = createServer((near) => {
    const far = connect(real);
    near.on('error', () => far.destroy()).pipe(far);
    far.on('error', () => near.destroy()).pipe(near);
  });
  server.listen(Number(url.port), '127.0.0.1');
  await once(server, 'listening');
  clock.advance(1_000);
  await waiting;
  expect(messages()[1]).toBe('PostgreSQL accepts connections');
  server.close();
});

test('a stop ends the wait without an error', async () => {
  const { waiting, stopping, messages } = wait(await absent());
  await expect.poll(() => messages().length).toBe(1);
  stopping.abort();
  await waiting;
});

test('a database that the server does not have is not waited for', async () => {
  const url = new URL(inject('postgres').url);
  url.pathname = '/absent';
  const { waiting, messages } = wait(url.href);
  await expect(waiting).rejects.toThrow('database "absent" does not exist (3D000)');
  expect(messages()).toEqual([]);
});
