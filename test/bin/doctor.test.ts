/** `penstock doctor` on installations that are in order, and on some that are not. */
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSimulator } from '../../agent/simulator/main.ts';
import type { Finding } from '../../bin/doctor/finding.ts';
import { systemClock as clock } from '../../shared/clock.ts';
import { makeLog } from '../../shared/log.ts';
import { systemRandom as random } from '../../shared/random.ts';
import { makeCertificate } from '../support/certificate.ts';
import { freePort } from '../support/free-port.ts';
import { Up } from '../support/up.ts';
import { run } from './run.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'penstock-doctor-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function config(name: string, settings: object): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, JSON.stringify(settings));
  return file;
}

function routerSettings(name: string) {
  return {
    listeners: [{ port: 0, region: 'global' }] as object[],
    metrics: { port: 0 },
    store: `sqlite:${join(folder, name, 'penstock.db')}`,
    catalog: 'configs/catalog.yaml',
    secrets: join(folder, name, 'secrets.json'),
  };
}

/** Returns the exit status, and of each finding its level and texts, by the thing examined. */
async function examine(file: string, ...flags: string[]) {
  const { status, stdout, stderr } = await run(['doctor', '--config', file, '--json', ...flags]);
  const { findings } = JSON.parse(stdout) as { findings: Finding[] };
  return {
    status,
    stderr,
    levels: new Set(findings.map(({ level }) => level)),
    of: (check: string) =>
      findings
        .filter((finding) => finding.check === check)
        .map(({ level, found }) => `${level}: ${found}`)
        .join('\n'),
  };
}

test('before the first start, what it will make is no fault, and nothing is made', async () => {
  const file = await config('fresh.yaml', routerSettings('fresh'));
  const found = await examine(file);
  expect({ status: found.status, stderr: found.stderr }).toEqual({ status: 0, stderr: '' });
  expect(found.of('store')).toContain('the first start creates it');
  expect(await readdir(folder)).not.toContain('fresh');
});

test('a service that runs is in order, and its store is not after another version wrote it', async () => {
  await using up = await Up.start();
  const router = await examine(join(up.data, 'router.yaml'));
  expect(router.status).toBe(0);
  expect(router.of('port: listeners[0]')).toMatch(/^ok: .* is served by a Penstock$/);
  expect(router.of('port: metrics')).toMatch(/^ok: .* is served by a Penstock$/);
  expect(router.of('clock')).toMatch(/^ok: /);
  expect(router.of('settings of the fleet')).toMatch(/^ok: /);

  const agent = await examine(join(up.data, 'agent.yaml'), '--catalog', 'configs/catalog.yaml');
  expect(agent.status).toBe(0);
  expect(agent.of(`router: ws://${new URL(up.origin).host}/agent`)).toMatch(/^ok: it accepts/);
  expect(agent.of('engine: engine')).toMatch(/^ok: vllm \S+ at \S+ generates, and lists /);
  expect(agent.of('engine: engine')).toContain('ok: it serves qwen/');

  await up.stop();
  const database = new BetterSqlite3(join(up.data, 'penstock.db'));
  const insert = 'insert into kysely_migration (name, timestamp) values (?, ?)';
  database.prepare(insert).run('9999-later', '2030');
  database.exec("update schema_state set version = '7.0.0'");
  const compatible = await examine(join(up.data, 'router.yaml'));
  expect(compatible.status).toBe(0);
  expect(compatible.of('store')).toMatch(/^warning: a later version .* 9999-later/);
  database.exec("update schema_state set needs = '9999-later'");
  const later = await examine(join(up.data, 'router.yaml'));
  expect(later.status).toBe(1);
  expect(later.of('store')).toMatch(/^fault: a later version of Penstock wrote it: 9999-later/);
  database
    .prepare("delete from kysely_migration where name in ('9999-later', '0013-identity')")
    .run();
  database.close();
  const earlier = await examine(join(up.data, 'router.yaml'));
  expect(earlier.status).toBe(0);
  expect(earlier.of('store')).toMatch(/^warning: an earlier version .* lacks 0013-identity/);
});

test('faults of a router are found together, and no password is shown', async () => {
  const stranger = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
  await once(stranger, 'listening');
  const { port } = stranger.address() as AddressInfo;
  const settings = routerSettings('faulty');
  const secrets = join(folder, 'open-secrets.json');
  await writeFile(secrets, '{}');
  await chmod(secrets, 0o644);
  const expiring = { days: 3, address: 'DNS:one.example' };
  const tls = await makeCertificate(folder, 'one.example', expiring);
  const file = await config('faulty.yaml', {
    ...settings,
    listeners: [{ port, region: 'global', tls }],
    store: `postgres://penstock:do-not-show@127.0.0.1:${await freePort()}/x`,
    catalog: 'no-catalog.yaml',
    secrets,
    advertise: 'wss://localhost:1/agent',
  });
  const { status, stderr, of } = await examine(file);
  stranger.close();
  expect({ status, stderr }).toEqual({ status: 1, stderr: 'penstock: there are 4 faults\n' });
  expect(of('files')).toMatch(
    /^fault: catalog no-catalog\.yaml: .*\nfault: secrets: .* is damaged/,
  );
  expect(of('secrets')).toMatch(/^warning: other users have access to .* mode is 644$/);
  expect(of('store')).toBe('fault: it cannot be read: connection refused (ECONNREFUSED)');
  expect(of('port: listeners[0]')).toBe(`fault: 127.0.0.1:${port} is taken by another program`);
  expect(of(`certificate: ${join(folder, 'one.example.crt')}`)).toMatch(/^warning: it expires on /);
  expect(of('certificate: names')).toMatch(/^warning: no certificate .* names localhost/);
  expect(of('advertise')).toMatch(/^warning: no router answers .*connection refused/);
  const text = await run(['doctor', '--config', file]);
  expect(text.stdout).toMatch(/^fault {4}store: it cannot be read: .*\. Start the database, /m);
  expect(text.stdout).not.toContain('do-not-show');
});

test('an agent without a key, a router and an engine has three faults', async () => {
  const port = await freePort();
  const settings = {
    name: 'test',
    data: join(folder, 'agent'),
    routers: [`ws://127.0.0.1:${port}/agent`],
    metrics: { port: 0 },
    engines: [{ name: 'engine', url: `http://127.0.0.1:${port}` }],
  };
  const { status, of } = await examine(await config('agent.yaml', settings));
  expect(status).toBe(1);
  expect(of('key')).toContain('no join token');
  expect(of(`router: ws://127.0.0.1:${port}/agent`)).toContain('connection refused');
  expect(of('engine: engine')).toContain('is not serving: it does not answer');
});

test('an engine with flags and names that do not fit gets a finding for each', async () => {
  await using sim = await startSimulator(
    { port: 0, model: ['mine'], promptTokensDetails: false },
    { clock, random, log: makeLog('test', 'silent') },
  );
  const settings = {
    name: 'test',
    data: join(folder, 'agent'),
    join: 'penstock-join-x',
    routers: ['ws://127.0.0.1:1/agent'],
    metrics: { port: 0 },
    engines: [{ name: 'engine', url: sim.url, models: { 'a/b': 'absent' } }],
  };
  const file = await config('flags.yaml', settings);
  const { of } = await examine(file, '--catalog', 'configs/catalog.yaml');
  const found = of('engine: engine');
  expect(found).toContain('ok: vllm');
  expect(found).toContain(
    'warning: cached tokens are not reported (--enable-prompt-tokens-details',
  );
  expect(found).toContain('fault: models maps a/b to absent, which the engine does not list');
  expect(found).toContain('fault: no model of the catalog is served: the engine lists mine');
});

test('a configuration that cannot be read is a fault of the usage', async () => {
  const file = await config('none.yaml', { listeners: [] });
  expect((await run(['doctor', '--config', file])).status).toBe(2);
  expect((await run(['doctor', '--config', join(folder, 'absent.yaml')])).status).toBe(2);
  expect((await run(['doctor', '--config', file, '--agent'])).status).toBe(2);
});
