/** The command line: its texts, errors and exit statuses. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { run } from './run.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'penstock-bin-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function file(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
}

const ROUTER = `
listeners: [{ host: 127.0.0.1, port: 0, region: global }]
store: sqlite:/nowhere/penstock.db
catalog: catalog.yaml
secrets: /nowhere/secrets.json
`;

const AGENT = `
name: test
data: /nowhere
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

test('the version is the one of the package', async () => {
  expect(await run(['--version'])).toMatchObject({ status: 0, stdout: '0.1.0\n' });
});

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

  test('a bad file is refused with every fault', async () => {
    const bad = AGENT.replace('127.0.0.1:8080', 'router.example').replace('http:', 'ftp:');
    const config = await file('bad-agent.yaml', bad);
    const { status, stderr } = await run(['agent', '--config', config]);
    expect(status).toBe(2);
    for (const fault of ['bad-agent.yaml', 'wss://', 'http://']) expect(stderr).toContain(fault);
  });
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
