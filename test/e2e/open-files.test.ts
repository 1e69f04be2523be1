/** A router whose limit on open files is low refuses connections, and stays reachable. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { PENSTOCK } from '../bin/run.ts';

type Router = AsyncDisposable & Readonly<{ origin: URL; metrics: string; lines: string[] }>;

async function startRouter(openFilesMax: number): Promise<Router> {
  const folder = await mkdtemp(join(tmpdir(), 'penstock-open-files-'));
  const config = join(folder, 'router.yaml');
  await writeFile(
    config,
    JSON.stringify({
      listeners: [{ port: 0, region: 'global' }],
      metrics: { port: 0 },
      store: `sqlite:${join(folder, 'penstock.db')}`,
      catalog: 'configs/catalog.yaml',
      secrets: join(folder, 'secrets.json'),
      drainGraceMs: 0,
    }),
  );
  const command = `ulimit -n ${openFilesMax}; exec "$@"`;
  const child = spawn('sh', ['-c', command, 'sh', PENSTOCK, 'router', '--config', config], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const lines: string[] = [];
  const ready = Promise.withResolvers<string>();
  createInterface({ input: child.stderr }).on('line', (line) => {
    lines.push(line);
    if (line.includes('"router ready"')) ready.resolve(line);
  });
  child.once('exit', () => ready.reject(new Error(`the router ended:\n${lines.join('\n')}`)));
  const { origins, metrics } = JSON.parse(await ready.promise) as {
    origins: [string];
    metrics: string;
  };
  return {
    origin: new URL(origins[0]),
    metrics,
    lines,
    async [Symbol.asyncDispose]() {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Opens connections from a loopback address. Resolves when each is open or refused. */
async function crowd({ origin }: Router, localAddress: string, count: number): Promise<Socket[]> {
  const at = { port: Number(origin.port), host: '127.0.0.1', localAddress };
  const dialled = Array.from({ length: count }, () => connect(at).on('error', () => {}));
  await Promise.all(
    dialled.map((socket) => new Promise((done) => socket.on('connect', done).on('close', done))),
  );
  return dialled;
}

/** Returns the answer to GET /readyz for a client at this address; null if it got none. */
function readyz({ origin }: Router, localAddress: string): Promise<string | null> {
  return new Promise((resolve) => {
    const asked = get({ host: '127.0.0.1', port: origin.port, path: '/readyz', localAddress });
    asked.on('response', (response) => resolve(text(response)));
    asked.on('error', () => resolve(null));
  });
}

async function refused({ metrics }: Router, bound: 'address' | 'total'): Promise<number> {
  const page = await (await fetch(metrics)).text();
  const name = 'penstock_router_connections_refused_total';
  return Number(new RegExp(`^${name}\\{bound="${bound}"\\} (\\d+)$`, 'm').exec(page)?.[1]);
}

test('under ulimit -n 300, a crowd is refused, and health checks and metrics are answered', async () => {
  await using router = await startRouter(300);
  const low = router.lines.find((line) => line.includes('limit on open files is low'));
  expect(JSON.parse(low ?? '{}')).toMatchObject({ openFilesMax: 300, connectionsMax: 140 });

  const one = await crowd(router, '127.0.0.1', 500);
  await expect.poll(() => refused(router, 'address')).toBe(430);
  expect(await readyz(router, '127.0.0.2')).toContain('status');

  const other = await crowd(router, '127.0.0.2', 500);
  await expect.poll(() => refused(router, 'total')).toBeGreaterThan(0);
  expect(await readyz(router, '127.0.0.3')).toBeNull();
  const warnings = router.lines.filter((line) => line.includes('connections were refused'));
  expect(warnings).toHaveLength(2);

  for (const socket of [...one, ...other]) socket.destroy();
  await expect.poll(() => readyz(router, '127.0.0.1')).toContain('status');
});
