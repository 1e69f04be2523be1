/** What the daemons tell systemd: the datagrams that arrive at the socket of NOTIFY_SOCKET. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { spawnRouter } from './daemon.ts';
import { PENSTOCK } from './run.ts';

/** Prints a line for each datagram. Node has no sockets for them. */
const RECEIVE = `
import socket, sys
manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
manager.bind(sys.argv[1])
print('listening', flush=True)
while True:
    print(manager.recv(4096).decode(), flush=True)
`;

interface Listener extends AsyncDisposable {
  readonly env: Readonly<Record<string, string>>;
  readonly folder: string;
  /** Resolves with the next message that is not of the watchdog. */
  next(): Promise<string>;
  /** Resolves when a beat for the watchdog arrives. */
  beat(): Promise<void>;
}

async function startSystemd(): Promise<Listener> {
  const folder = await mkdtemp(join(tmpdir(), 'penstock-notify-'));
  const socket = join(folder, 'notify');
  const receiver = spawn('python3', ['-c', RECEIVE, socket], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: receiver.stdout })[Symbol.asyncIterator]();
  const read = async (isWanted: (line: string) => boolean) => {
    for (;;) {
      const { value, done } = await lines.next();
      if (done) throw new Error('the receiver of messages has ended');
      if (isWanted(value)) return value;
    }
  };
  await read((line) => line === 'listening');
  return {
    env: { NOTIFY_SOCKET: socket, WATCHDOG_USEC: '300000' },
    folder,
    // `systemd-notify` waits until a message has been read, by a barrier.
    next: () => read((line) => !/^(?:WATCHDOG|BARRIER)=/.test(line)),
    beat: async () => void (await read((line) => line === 'WATCHDOG=1')),
    async [Symbol.asyncDispose]() {
      receiver.kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

test('a router tells systemd when it is ready, reloads and stops', async () => {
  await using systemd = await startSystemd();
  await using router = await spawnRouter({ env: systemd.env });
  expect(await systemd.next()).toBe('STATUS=starting');
  expect(await systemd.next()).toBe('READY=1');
  expect(await systemd.next()).toMatch(/^STATUS=accepting requests at http:\/\/127\.0\.0\.1:\d+$/);
  router.process.kill('SIGHUP');
  expect(await systemd.next()).toBe('RELOADING=1');
  expect(await systemd.next()).toBe('READY=1');
  await systemd.beat();
  await systemd.beat();
  router.process.kill('SIGTERM');
  expect(await systemd.next()).toBe('STOPPING=1');
  expect(await systemd.next()).toBe('STATUS=finishing the last answers');
});

test('the parent of several processes is the one that tells systemd', async () => {
  await using systemd = await startSystemd();
  await using router = await spawnRouter({
    env: systemd.env,
    settings: () => ({ processes: 2 }),
  });
  expect(await systemd.next()).toBe('STATUS=starting');
  expect(await systemd.next()).toBe('READY=1');
  expect(await systemd.next()).toContain('accepting requests');
  router.process.kill('SIGTERM');
  expect(await systemd.next()).toBe('STOPPING=1');
});

test('an agent is ready before its engines are, and they cannot speak for it', async () => {
  await using systemd = await startSystemd();
  const config = join(systemd.folder, 'agent.yaml');
  const seen = join(systemd.folder, 'seen');
  const engine = {
    name: 'engine',
    url: 'http://127.0.0.1:9',
    command: ['/bin/sh', '-c', `echo "socket:$NOTIFY_SOCKET:"; exec sleep 60`],
    output: seen,
  };
  await writeFile(
    config,
    JSON.stringify({
      name: 'host',
      data: systemd.folder,
      routers: ['ws://127.0.0.1:9/agent'],
      metrics: { port: 0 },
      engines: [engine],
    }),
  );
  const agent = spawn(PENSTOCK, ['agent', '--config', config], {
    stdio: 'ignore',
    env: { ...process.env, ...systemd.env },
  });
  try {
    expect(await systemd.next()).toBe('READY=1');
    expect(await systemd.next()).toMatch(/^STATUS=running, .*\/readyz$/);
    await systemd.beat();
    await expect.poll(() => readFile(seen, 'utf8').catch(() => '')).toContain('socket::');
  } finally {
    agent.kill();
    if (agent.exitCode === null) await once(agent, 'exit');
  }
});

test('a daemon runs on where systemd-notify is missing, and says so', async () => {
  await using systemd = await startSystemd();
  // The programs that bin/penstock needs.
  for (const name of ['dirname', 'readlink']) {
    await symlink(`/usr/bin/${name}`, join(systemd.folder, name));
  }
  await using router = await spawnRouter({ env: { ...systemd.env, PATH: systemd.folder } });
  await router.logged('systemd is not told about this process');
  await router.logged('router ready');
});
