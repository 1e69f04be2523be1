/** A daemon drains at the first signal and stops at once at the second. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { Up, until } from '../support/up.ts';
import { PENSTOCK } from './run.ts';

const CATALOG = fileURLToPath(new URL('../../configs/catalog.yaml', import.meta.url));

interface Daemon extends AsyncDisposable {
  readonly process: ChildProcess;
  readonly origin: URL;
  /** Resolves when its log has a line with this text. */
  logged(text: string): Promise<string>;
  /** Resolves with all further log lines when it has ended. */
  rest(): Promise<string[]>;
}

type Spawned = Pick<Daemon, 'process' | 'logged' | 'rest'> & AsyncDisposable;

/** `ipc`: with a channel, as `penstock up` starts it. */
async function startRouter(channel: 'ignore' | 'ipc' = 'ignore'): Promise<Daemon> {
  const spawned = await spawnRouter(channel);
  const { origins } = JSON.parse(await spawned.logged('router ready')) as { origins: [string] };
  return { ...spawned, origin: new URL(origins[0]) };
}

async function spawnRouter(channel: 'ignore' | 'ipc', store?: string): Promise<Spawned> {
  const folder = await mkdtemp(join(tmpdir(), 'penstock-signals-'));
  const config = join(folder, 'router.yaml');
  await writeFile(
    config,
    JSON.stringify({
      listeners: [{ port: 0, region: 'global' }],
      metrics: { port: 0 },
      store: store ?? `sqlite:${join(folder, 'penstock.db')}`,
      catalog: CATALOG,
      secrets: join(folder, 'secrets.json'),
      drainGraceMs: 0,
    }),
  );
  const child = spawn(PENSTOCK, ['router', '--config', config], {
    stdio: ['ignore', 'ignore', 'pipe', channel],
  });
  const lines = createInterface({ input: child.stderr as Readable })[Symbol.asyncIterator]();
  const logged = async (text: string) => {
    for (;;) {
      const { value, done } = await lines.next();
      if (done) throw new Error(`the router ended without saying: ${text}`);
      if (value.includes(text)) return value;
    }
  };
  return {
    process: child,
    logged,
    async rest() {
      const left: string[] = [];
      for (;;) {
        const { value, done } = await lines.next();
        if (done) return left;
        left.push(value);
      }
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function exitStatus(child: ChildProcess): Promise<number | null> {
  // Shorter than a test's timeout, so that a router that does not end can still be killed.
  if (child.exitCode === null) await once(child, 'exit', { signal: AbortSignal.timeout(10_000) });
  return child.exitCode;
}

test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
  '%s ends an idle router cleanly',
  async (signal) => {
    await using router = await startRouter();
    router.process.kill(signal);
    expect(await exitStatus(router.process)).toBe(0);
  },
);

test('a router that waits for its store ends cleanly, and says what it waits for', async () => {
  const port = await freePort();
  const store = `postgres://penstock:do-not-show@127.0.0.1:${port}/x`;
  await using router = await spawnRouter('ignore', store);
  const warning = await router.logged('PostgreSQL cannot be reached');
  expect(JSON.parse(warning)).toMatchObject({
    host: '127.0.0.1',
    port,
    fault: 'connection refused (ECONNREFUSED)',
  });
  expect(warning).not.toContain('do-not-show');
  router.process.kill('SIGTERM');
  expect(await exitStatus(router.process)).toBe(0);
});

/**
 * A request that is answered before its body has arrived, so that its connection stays open after
 * the answer.
 */
async function unfinishedRequest({ origin }: Daemon): Promise<Socket> {
  const socket = new Socket();
  socket.on('error', () => {});
  socket.connect(Number(origin.port), origin.hostname);
  await once(socket, 'connect');
  socket.write('POST /api/v1/agents HTTP/1.1\r\nhost: x\r\ncontent-length: 50\r\n\r\n');
  await once(socket, 'data');
  return socket;
}

test('a second signal does not wait for what the first one waits for', async () => {
  await using router = await startRouter();
  const socket = await unfinishedRequest(router);
  router.process.kill('SIGTERM');
  await router.logged('router started to drain');
  expect(router.process.exitCode).toBeNull();
  router.process.kill('SIGTERM');
  expect(await exitStatus(router.process)).toBe(1);
  socket.destroy();
});

test('a part of `penstock up` may be told twice, by its group and its parent, and still drains', async () => {
  await using router = await startRouter('ipc');
  const socket = await unfinishedRequest(router);
  router.process.kill('SIGTERM');
  await router.logged('router started to drain');
  router.process.kill('SIGTERM');
  socket.destroy();
  expect(await exitStatus(router.process)).toBe(0);
});

test('a terminal that is gone drains a router as SIGTERM does', async () => {
  await using router = await startRouter();
  const socket = await unfinishedRequest(router);
  router.process.kill('SIGHUP');
  await router.logged('router started to drain');
  expect(router.process.exitCode).toBeNull();
  socket.destroy();
  expect(await exitStatus(router.process)).toBe(0);
});

test('no signal opens a debugger, and the one that would ends nothing', async () => {
  await using router = await startRouter();
  router.process.kill('SIGUSR1');
  router.process.kill('SIGTERM');
  const lines = await router.rest();
  expect(lines.join('\n')).not.toMatch(/debugger/i);
  expect(await exitStatus(router.process)).toBe(0);
});

test('the parts of `penstock up` have no debugger to open either, and its output no secret', async () => {
  await using up = await Up.start();
  const { first, ready } = up;
  for (const pid of Object.values(ready.pids)) {
    const flags = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0');
    expect(flags).toContain('--disable-sigusr1');
    process.kill(pid, 'SIGUSR1');
  }
  const answer = await fetch(`${up.origin}/healthz`);
  expect(answer.status).toBe(200);
  expect(up.output).not.toMatch(/debugger/i);
  const file = join(up.data, 'first-run.txt');
  await until(() => up.output.includes(file), 'where the secrets are');
  for (const secret of [first.api_key, first.operator.password, first.operator.token]) {
    expect(up.output).not.toContain(secret);
    expect(await readFile(file, 'utf8')).toContain(secret);
  }
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});
