/** The secrets of a first run outlive a start that fails after they were made. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseRouterConfig } from '../../router/config.ts';
import { prepareFirstRun } from '../support/installation.ts';
import { type ReadyFile, until } from '../support/up.ts';
import { PENSTOCK, run } from './run.ts';

test('a first start that finds its port in use loses no secret: the next one says where they are', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'penstock-first-'));
  const [data, settings] = [join(folder, 'data'), join(folder, 'settings.yaml')];
  const busy = createServer().listen(0, '127.0.0.1');
  await once(busy, 'listening');
  const { port } = busy.address() as AddressInfo;
  await writeFile(settings, JSON.stringify({ metrics: { port } }));
  const failed = await run(['up', '--port', '0', '--data', data, '--settings', settings]);
  busy.close();
  expect(failed.status).not.toBe(0);
  expect(failed.stderr).toContain(
    `cannot listen on 127.0.0.1:${port} for metrics: address already in use (EADDRINUSE)`,
  );

  const file = join(data, 'first-run.txt');
  const secrets = await readFile(file, 'utf8');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const key = /API key +(\S+)/.exec(secrets)?.[1] as string;

  const readyFile = join(folder, 'ready.json');
  const up = spawn(PENSTOCK, ['up', '--port', '0', '--data', data, '--ready-file', readyFile], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  try {
    let output = '';
    up.stdout.on('data', (text: Buffer) => {
      output += text.toString();
    });
    await until(() => output.includes(file), 'where the secrets are', 60_000);
    expect(output).not.toContain(key);
    const { base_url } = JSON.parse(await readFile(readyFile, 'utf8')) as ReadyFile;
    const answer = await fetch(`${base_url}/key`, { headers: { authorization: `Bearer ${key}` } });
    expect(answer.status).toBe(200);
  } finally {
    up.kill('SIGTERM');
    if (up.exitCode === null) await once(up, 'exit');
    await rm(folder, { recursive: true, force: true });
  }
});

test('a data folder that is not that of the first run of the store is refused', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'penstock-first-'));
  const secrets = join(folder, 'secrets.json');
  const store = `sqlite:${join(folder, 'penstock.db')}`;
  const [data, settings] = [join(folder, 'data'), join(folder, 'settings.yaml')];
  const listeners = [{ port: 0, region: 'global' }];
  try {
    const payments = { provider: 'sandbox' };
    const config = { listeners, store, secrets, payments, catalog: 'catalog.yaml' };
    await prepareFirstRun(parseRouterConfig(config, 'test'));
    await writeFile(settings, JSON.stringify({ secrets }));
    const where = ['--data', data, '--store', store, '--settings', settings];
    const { status, stderr } = await run(['up', '--port', '0', ...where]);
    expect(status).toBe(2);
    expect(stderr).toContain(`${data} is not the data folder of its first run`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
