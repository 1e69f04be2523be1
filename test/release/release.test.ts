/** A release is built, installed into an empty folder, and does what the source does. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import * as procedures from '../../router/procedures.ts';
import { until, Up } from '../support/up.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const SOURCE = join(ROOT, 'bin/penstock');
const MODEL = 'qwen/qwen3-235b-a22b-instruct-2507';
const MB = 1_000_000;
/** Native packages, which are installed from the registry. */
const NATIVE = /^(?:better-sqlite3|@node-rs|node-addon-api)$/;

type Described = { components: { schemas: object } };

const run = promisify(execFile);
let folder: string;
let release: string;
let installed: string;
let penstock: string;
let agentFile: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'penstock-release-'));
  release = join(folder, 'release');
  agentFile = join(release, `penstock-agent-${manifest.version}.cjs`);
  await run(process.execPath, [join(ROOT, 'bin/release/main.ts'), '--to', release]);
  const empty = join(folder, 'empty');
  await mkdir(empty);
  const tarball = join(release, `penstock-${manifest.version}.tgz`);
  const flags = ['--prefix', empty, '--no-audit', '--no-fund', '--prefer-offline'];
  await run('npm', ['install', ...flags, tarball]);
  installed = join(empty, 'node_modules');
  penstock = join(installed, '.bin/penstock');
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

async function bytesOf(path: string): Promise<number> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = files.map(({ parentPath, name }) => stat(join(parentPath, name)));
  return (await Promise.all(sizes)).reduce((total, { size }) => total + size, 0);
}

test('the files have the sizes that were promised, and their checksums', async () => {
  expect((await stat(agentFile)).size).toBeLessThan(2 * MB);
  const packages = (await readdir(installed)).filter((name) => !NATIVE.test(name));
  const sizes = await Promise.all(
    packages.filter((name) => !name.startsWith('.')).map((name) => bytesOf(join(installed, name))),
  );
  expect(packages.filter((name) => !name.startsWith('.'))).toEqual(['penstock']);
  expect(sizes[0]).toBeLessThan(60 * MB);
  await run('sha256sum', ['--check', 'SHA256SUMS'], { cwd: release });
});

test('the bill of materials has what is shipped, and nothing that is only for development', async () => {
  const read = async (name: string) => {
    const bom = JSON.parse(await readFile(join(release, name), 'utf8')) as {
      bomFormat: string;
      components: { name: string }[];
    };
    expect(bom.bomFormat).toBe('CycloneDX');
    return bom.components.map((one) => one.name);
  };
  const all = await read(`penstock-${manifest.version}.cdx.json`);
  for (const name of ['fastify', 'react-dom', 'better-sqlite3', '@node-rs/argon2']) {
    expect(all).toContain(name);
  }
  for (const name of ['vitest', 'typescript', 'zeromq']) expect(all).not.toContain(name);
  const agent = await read(`penstock-agent-${manifest.version}.cdx.json`);
  expect(agent).toContain('undici');
  expect(agent).not.toContain('fastify');
});

test('every command has the help that it has in the source', async () => {
  const help = async (program: string, ...command: string[]) =>
    (await run(program, [...command, '--help'])).stdout;
  const overview = await help(SOURCE);
  expect(await help(penstock)).toBe(overview);
  const commands = [...overview.matchAll(/^ {2}([a-z]+) /gm)].map(([, name]) => name as string);
  expect(commands).toContain('router');
  for (const command of commands) {
    expect(await help(penstock, command)).toBe(await help(SOURCE, command));
  }
});

test('the threads of the store find the procedures of the source', async () => {
  const module = join(installed, 'penstock/router/procedures.js');
  const built = (await import(/* @vite-ignore */ pathToFileURL(module).href)) as object;
  expect(Object.keys(built).toSorted()).toEqual(Object.keys(procedures).toSorted());
});

test('the file of the agent says that a Node is too old, whether it is started by a shell or by Node', async () => {
  const older = join(folder, 'older-node');
  const pretended = join(older, 'version.cjs');
  const node = join(older, 'node');
  await mkdir(older);
  await writeFile(
    pretended,
    "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '22.13.1' } });",
  );
  await writeFile(
    node,
    `#!/bin/sh\ncase $* in *--disable-sigusr1*) exit 9 ;; esac\nexec ${process.execPath} -r ${pretended} "$@"\n`,
    { mode: 0o755 },
  );
  const env = { ...process.env, PATH: `${older}:${process.env['PATH']}` };
  for (const [program, ...args] of [[agentFile], [node, agentFile]] as [string, ...string[]][]) {
    const failed = await run(program, [...args, '--version'], { env }).catch((error) => error);
    expect(failed).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^penstock-agent: Node 22\.13\.1 \(.*\) is too old: .*\n$/),
    });
  }
});

test('without zeromq, an agent that is to follow KV events says so and ends', async () => {
  const config = join(folder, 'kv-events.yaml');
  const engine =
    '{ name: e, url: "http://127.0.0.1:1", kvEvents: { endpoint: "tcp://127.0.0.1:2" } }';
  const text = `name: kv\ndata: ${folder}/kv\nrouters: [ws://127.0.0.1:1/agent]\nengines: [${engine}]\n`;
  await writeFile(config, text);
  const failed = await run(agentFile, ['--config', config]).catch((error: unknown) => error);
  expect(failed).toMatchObject({ code: 2, stderr: expect.stringMatching(/npm install zeromq/) });
});

describe('a service of the installed package', () => {
  let up: Up;
  beforeAll(async () => {
    up = await Up.start([], penstock);
  });
  afterAll(async () => {
    await up?.[Symbol.asyncDispose]();
  });

  const ask = async () => {
    const messages = [{ role: 'user', content: 'hi' }];
    return await up.post('/chat/completions', { model: MODEL, messages, max_tokens: 3 });
  };

  test('answers, charges and serves the dashboard and the API reference', async () => {
    const answer = await ask();
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ usage: { completion_tokens: 3 } });
    await until(async () => (await up.usage()).length === 1, 'the usage row');
    expect(await (await fetch(up.ready.dashboard_url)).text()).toContain('<script');
    expect(await (await fetch(`${up.origin}/docs/streaming.md`)).text()).toContain(up.origin);
    const reference = await fetch(`${up.origin}/api/docs`);
    expect(reference.url).toBe(`${up.origin}/docs/api`);
    expect(await reference.text()).toContain('<script');
    const served = (await (await fetch(`${up.origin}/api/openapi.json`)).json()) as Described;
    const documented = JSON.parse(
      await readFile(join(ROOT, 'docs/openapi.json'), 'utf8'),
    ) as Described;
    const names = (described: Described) => Object.keys(described.components.schemas);
    expect(names(served)).toEqual(names(documented));
    expect(await up.verify()).toMatchObject({ status: 0 });
  });

  test('is joined by the agent as one file', async () => {
    const { join_token: token } = await up.admin<{ join_token: string }>(
      'agent',
      'enrol',
      '--name',
      'one-file',
    );
    const local = await readFile(join(up.data, 'agent.yaml'), 'utf8');
    const config = join(folder, 'agent.yaml');
    const own = local
      .replace(/^name: .*/m, 'name: one-file')
      .replace(/^data: .*/m, `data: ${folder}/agent`)
      .replace(/^join: .*/m, `join: ${token}`);
    await writeFile(config, own);
    const agent = spawn(agentFile, ['--config', config], { stdio: 'ignore' });
    try {
      type Listed = { id: string; agent_name: string; phase: string; agent_version: string };
      const listed = async () => ((await up.api('GET', '/workers')) as { data: Listed[] }).data;
      const joined = await until(async () => {
        return (await listed()).find(
          (one) => one.agent_name === 'one-file' && one.phase === 'ready',
        );
      }, 'the worker of the agent');
      expect(joined.agent_version).toBe(manifest.version);
      const other = (await listed()).find((one) => one.agent_name === 'local');
      await up.api('POST', '/workers/drain', { id: other?.id });
      expect((await ask()).status).toBe(200);
    } finally {
      agent.kill('SIGTERM');
      await once(agent, 'exit');
    }
  });
});
