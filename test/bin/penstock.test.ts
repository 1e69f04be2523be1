/** The command line: its texts, errors and exit statuses. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { readCatalog } from '../../shared/catalog.ts';
import { PENSTOCK, run } from './run.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'penstock-bin-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function file(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text.replaceAll('FOLDER', folder));
  return path;
}

const ROUTER = `
listeners: [{ host: 127.0.0.1, port: 0, region: global }]
store: sqlite:FOLDER/store/penstock.db
catalog: configs/catalog.yaml
secrets: FOLDER/secrets/secrets.json
`;

const AGENT = `
name: test
data: FOLDER/agent
routers: ['ws://127.0.0.1:8080/agent']
engines: [{ name: engine, url: 'http://127.0.0.1:8000' }]
`;

test('help names every command and ends clean', async () => {
  const { status, stdout } = await run(['--help']);
  expect(status).toBe(0);
  for (const word of [
    'up',
    'router',
    'agent',
    'sim',
    'doctor',
    'ledger',
    'fleet',
    'operator',
    'secrets',
    'admin',
    'top',
    'bench',
  ]) {
    expect(stdout).toMatch(new RegExp(`^  ${word} `, 'm'));
  }
});

test('the version is the one of the package, and the source says that it is the source', async () => {
  expect(await run(['--version'])).toMatchObject({
    status: 0,
    stdout: `${manifest.version} (source)\n`,
  });
});

test.each([
  ['penstock.ts', 'the source', "install Node 24 or later, or run 'npm ci' in "],
  ['penstock.js', 'a release', 'install Node 24 or later\n'],
])(
  'with only an old Node, bin/penstock beside %s (%s) says what to install',
  async (main, _, advice) => {
    const installation = join(folder, main);
    await mkdir(join(installation, 'bin'), { recursive: true });
    await cp(PENSTOCK, join(installation, 'bin/penstock'));
    await writeFile(join(installation, 'bin', main), '');
    const oldNode = join(installation, 'node');
    await writeFile(oldNode, '#!/bin/sh\necho 20\n', { mode: 0o755 });
    const started = promisify(execFile)(join(installation, 'bin/penstock'), ['--version'], {
      env: { PATH: `${installation}:/usr/bin:/bin` },
    });
    const { code, stderr } = (await started.catch((error: unknown) => error)) as {
      code: number;
      stderr: string;
    };
    expect(code).toBe(2);
    expect(stderr).toContain(`Node 20 (${oldNode}) is too old: ${advice}`);
  },
);

test.each([
  ['no command', []],
  ['an unknown command', ['fly']],
  ['an unknown flag', ['up', '--porto', '1']],
  ['a flag without its value', ['router', '--config']],
  ['half a command', ['admin', 'key']],
  ['an unknown verb', ['admin', 'key', 'steal']],
])('%s is a usage error', async (_what, args) => {
  const { status, stdout, stderr } = await run(args);
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).not.toBe('');
});

describe('router', () => {
  test('--check accepts a good file and starts nothing', async () => {
    const config = await file('router.yaml', ROUTER);
    const { status, stdout } = await run(['router', '--config', config, '--check']);
    expect({ status, stdout }).toEqual({ status: 0, stdout: `${config} is valid\n` });
    expect(await readdir(folder)).not.toContain('store');
  });

  test('--check names every file that is not as it must be, with its setting', async () => {
    const bad = ROUTER.replace(
      'region: global',
      'region: global, tls: { cert: no.crt, key: no.key }',
    )
      .replace('configs/catalog.yaml', 'FOLDER/no-catalog.yaml')
      .replace('FOLDER/secrets/', 'FOLDER/bad-')
      .replace('FOLDER/store', 'FOLDER/bad-secrets.json');
    await file('bad-secrets.json', '{"pepper":"do-not-show"}');
    const config = await file('bad-files.yaml', bad);
    const { status, stdout, stderr } = await run(['router', '--config', config, '--check']);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr.split('\n').slice(1, -1)).toEqual([
      `✖ catalog ${folder}/no-catalog.yaml: cannot be read: no such file or directory (ENOENT)`,
      `✖ secrets: ${folder}/bad-secrets.json: the file is damaged; without it no API key is accepted, so restore it`,
      `✖ store: ${folder}/bad-secrets.json is not a folder`,
      '✖ listeners: tls.cert: no.crt cannot be read: no such file or directory (ENOENT)',
    ]);
  });

  test('the shipped example says which of its files must be made', async () => {
    const { status, stderr } = await run(['router', '--config', 'configs/router.yaml', '--check']);
    expect(status).toBe(2);
    expect(stderr).toContain('✖ catalog /etc/penstock/catalog.yaml: cannot be read: no such file');
  });

  test('a start without its catalog fails with the name of the file', async () => {
    const config = await file('router.yaml', ROUTER.replace('configs/', 'configs/no-'));
    const { status, stderr } = await run(['router', '--config', config]);
    expect(status).toBe(1);
    expect(stderr).toContain('penstock: catalog configs/no-catalog.yaml: cannot be read: no such');
  });

  test('a bad file is refused with every fault', async () => {
    const bad = ROUTER.replace('port: 0', 'port: 70000').replace('sqlite:', 'mysql:');
    const config = await file('bad.yaml', `${bad}colour: blue\n`);
    const { status, stderr } = await run(['router', '--config', config, '--check']);
    expect(status).toBe(2);
    for (const fault of ['bad.yaml', 'port', 'sqlite:PATH', 'colour']) {
      expect(stderr).toContain(fault);
    }
  });

  test('a file that is not there, and no file at all, are faults of the usage', async () => {
    expect((await run(['router', '--config', join(folder, 'none.yaml')])).status).toBe(2);
    const { status, stderr } = await run(['router', '--port', '99999']);
    expect(status).toBe(2);
    expect(stderr).toContain('--config is missing');
    expect(stderr).toContain('--port must be a port from 0 to 65535');
  });
});

test('up --regions wants three ports in a row', async () => {
  const { status, stderr } = await run(['up', '--regions', '--port', '65534', '--data', folder]);
  expect(status).toBe(2);
  expect(stderr).toContain('--port leaves no room');
});

describe('agent', () => {
  test('--check accepts a good file and starts nothing', async () => {
    const config = await file('agent.yaml', AGENT);
    const { status, stdout } = await run(['agent', '--config', config, '--check']);
    expect({ status, stdout }).toEqual({ status: 0, stdout: `${config} is valid\n` });
  });

  test('--check names every file that is not as it must be, with its setting', async () => {
    const router = "{ url: 'wss://router.example/agent', ca: no.pem }";
    const engine = "command: ['true'], output: no-logs/engine.out, cwd: no-folder, name: engine";
    const bad = AGENT.replace("'ws://127.0.0.1:8080/agent'", router)
      .replace('name: engine', engine)
      .replace('FOLDER/agent', 'FOLDER/agent.yaml/data');
    await file('agent.yaml', AGENT);
    const config = await file('bad-files.yaml', bad);
    const { status, stderr } = await run(['agent', '--config', config, '--check']);
    expect(status).toBe(2);
    expect(stderr.split('\n').slice(1, -1)).toEqual([
      `✖ data: ${folder}/agent.yaml/data cannot be made: ${folder}/agent.yaml is not a folder`,
      '✖ routers: ca: no.pem cannot be used: no such file or directory (ENOENT)',
      '✖ engines: engine: output: no-logs cannot be written to: no such file or directory (ENOENT)',
      '✖ engines: engine: cwd: no-folder cannot be entered: no such file or directory (ENOENT)',
    ]);
  });

  test('a bad file is refused with every fault', async () => {
    const bad = AGENT.replace('127.0.0.1:8080', 'router.example').replace('http:', 'ftp:');
    const config = await file('bad-agent.yaml', bad);
    const { status, stderr } = await run(['agent', '--config', config]);
    expect(status).toBe(2);
    for (const fault of ['bad-agent.yaml', 'wss://', 'http://']) expect(stderr).toContain(fault);
  });
});

test('sim alone serves the shipped catalog', async () => {
  const sim = spawn(PENSTOCK, ['sim', '--port', '0'], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  try {
    const [{ url }] = (await once(sim, 'message')) as [{ url: string }];
    const { data } = (await (await fetch(`${url}/v1/models`)).json()) as { data: object[] };
    expect(data).toHaveLength((await readCatalog('configs/catalog.yaml')).size);
  } finally {
    sim.kill('SIGKILL');
  }
});

describe('ledger verify', () => {
  test('a store that is not there is a fault of the usage', async () => {
    const { status, stderr } = await run(['ledger', 'verify', '--data', folder]);
    expect(status).toBe(2);
    expect(stderr).toContain('penstock.db');
  });

  test('--data and --store exclude each other', async () => {
    const { status } = await run(['ledger', 'verify', '--data', 'a', '--store', 'sqlite:b']);
    expect(status).toBe(2);
  });
});
