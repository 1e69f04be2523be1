/** A daemon drains at the first signal and stops at once at the second. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { Up, until } from '../support/up.ts';
import { configIn, type Daemon, exitStatus, spawnRouter, startRouter } from './daemon.ts';
import { PENSTOCK } from './run.ts';

test.each(['SIGTERM', 'SIGINT', 'SIGQUIT'] as const)(
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
  await using router = await spawnRouter({ settings: () => ({ store }) });
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
  await using router = await startRouter({ channel: 'ipc' });
  const socket = await unfinishedRequest(router);
  router.process.kill('SIGTERM');
  await router.logged('router started to drain');
  router.process.kill('SIGTERM');
  socket.destroy();
  expect(await exitStatus(router.process)).toBe(0);
});

test('a terminal that is gone drains a router as SIGTERM does', async () => {
  await using undo = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'penstock-terminal-'));
  undo.defer(() => rm(folder, { recursive: true, force: true }));
  const [config, log] = [join(folder, 'router.yaml'), join(folder, 'log')];
  await writeFile(config, JSON.stringify(configIn(folder)));
  const run = `exec ${PENSTOCK} router --config ${config} 2>${log}`;
  const terminal = spawn('script', ['-qfc', run, '/dev/null'], { stdio: 'ignore' });
  undo.defer(() => void terminal.kill('SIGKILL'));
  const isLogged = async (text: string) => (await readFile(log, 'utf8')).includes(text);
  await until(() => isLogged('router ready').catch(() => false), 'the router');
  terminal.kill('SIGKILL');
  await until(() => isLogged('router stopped accepting requests'), 'the drain');
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
