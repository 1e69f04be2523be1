/** A process starts fast if it loads only what it uses: the packages that each part may load. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { type ReadyFile, until } from '../support/up.ts';
import { PENSTOCK, run } from './run.ts';

const HOOK = new URL('note-packages.ts', import.meta.url).pathname;

/** Returns the packages that each process and thread has loaded, without packages of packages. */
async function packagesIn(folder: string): Promise<Record<string, string[]>> {
  const loaded: Record<string, string[]> = {};
  for (const name of await readdir(folder)) {
    const noted = (await readFile(join(folder, name), 'utf8')).trimEnd().split('\n');
    loaded[name] = [...new Set(noted)].filter((one) => one in manifest.dependencies).toSorted();
  }
  return loaded;
}

test('no part of `penstock up`, and no admin command, loads a package that it does not use', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'penstock-packages-'));
  const noted = await mkdtemp(join(tmpdir(), 'penstock-noted-'));
  const env = { NODE_OPTIONS: `--import ${HOOK}`, NOTED: noted };
  const file = join(folder, 'ready.json');
  const up = spawn(PENSTOCK, ['up', '--port', '0', '--data', folder, '--ready-file', file], {
    env: { ...process.env, ...env },
    stdio: 'ignore',
  });
  try {
    await until(() => existsSync(file), 'the ready file', 60_000);
    const { dashboard_url, operator } = JSON.parse(await readFile(file, 'utf8')) as ReadyFile;
    const admin = ['admin', '--url', dashboard_url, 'organization', 'list'];
    const listed = await run(admin, { ...env, PENSTOCK_OPERATOR_TOKEN: operator.token });
    expect(listed.status).toBe(0);
    expect(await packagesIn(noted)).toMatchObject({
      admin: ['commander', 'undici', 'zod'],
      // prom-client loads the API of OpenTelemetry. Nobody asks for traces here.
      agent: [
        '@opentelemetry/api',
        'commander',
        'eventsource-parser',
        'pino',
        'prom-client',
        'proxy-from-env',
        'undici',
        'ws',
        'yaml',
        'zod',
      ],
      // Not nodemailer, stripe or pg, which the configuration does not ask for.
      router: [
        '@fastify/static',
        '@fastify/swagger',
        '@node-rs/argon2',
        '@opentelemetry/api',
        'better-sqlite3',
        'commander',
        'fastify',
        'fastify-type-provider-zod',
        'kysely',
        'lru-cache',
        'node-cache',
        'otpauth',
        'pino',
        'prom-client',
        'ws',
        'yaml',
        'zod',
      ],
      'penstock-store-reader': ['better-sqlite3', 'kysely'],
      'penstock-store-writer': ['better-sqlite3', 'kysely'],
      sim: [
        '@msgpack/msgpack',
        '@opentelemetry/api',
        'commander',
        'pino',
        'prom-client',
        'yaml',
        'zod',
      ],
      up: ['commander', 'pino', 'yaml', 'zod'],
    });
  } finally {
    up.kill('SIGTERM');
    if (up.exitCode === null) await once(up, 'exit');
    await rm(folder, { recursive: true, force: true });
    await rm(noted, { recursive: true, force: true });
  }
});
