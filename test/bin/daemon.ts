/** A router as a service manager starts it: without a channel to its parent. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { PENSTOCK } from './run.ts';

const CATALOG = fileURLToPath(new URL('../../configs/catalog.yaml', import.meta.url));

type Ready = Readonly<{ origins: [string]; metrics: string | null }>;

export interface Daemon extends AsyncDisposable {
  readonly process: ChildProcess;
  readonly origin: URL;
  /** Empty if the router is several processes. */
  readonly metricsUrl: string;
  /** Its configuration file. */
  readonly config: string;
  /** Resolves when its log has a line with this text. */
  logged(text: string): Promise<string>;
  /** Resolves with all further log lines when it has ended. */
  rest(): Promise<string[]>;
}

/** The configuration of a router with all of its files in a folder. */
export function configIn(folder: string) {
  return {
    listeners: [{ port: 0, region: 'global' }] as object[],
    metrics: { port: 0 },
    store: `sqlite:${join(folder, 'penstock.db')}`,
    catalog: CATALOG,
    secrets: join(folder, 'secrets.json'),
    drainGraceMs: 0,
  };
}

type Spawned = Omit<Daemon, 'origin' | 'metricsUrl'>;

type Options = Readonly<{
  /** `ipc`: with a channel, as `penstock up` starts it. */
  channel?: 'ignore' | 'ipc';
  /** Settings besides those of `configIn`, for a router whose files are in this folder. */
  settings?: (folder: string) => object | Promise<object>;
  /** Environment variables besides those of the tests. */
  env?: NodeJS.ProcessEnv;
}>;

/** Resolves when the router is ready. */
export async function startRouter(options: Options = {}): Promise<Daemon> {
  const spawned = await spawnRouter(options);
  const ready = JSON.parse(await spawned.logged('router ready')) as Ready;
  return { ...spawned, origin: new URL(ready.origins[0]), metricsUrl: ready.metrics ?? '' };
}

/** Resolves when the process has been started. */
export async function spawnRouter({
  channel = 'ignore',
  settings = () => ({}),
  env = {},
}: Options): Promise<Spawned> {
  const folder = await mkdtemp(join(tmpdir(), 'penstock-daemon-'));
  const config = join(folder, 'router.yaml');
  await writeFile(config, JSON.stringify({ ...configIn(folder), ...(await settings(folder)) }));
  const child = spawn(PENSTOCK, ['router', '--config', config], {
    stdio: ['ignore', 'ignore', 'pipe', channel],
    env: { ...process.env, ...env },
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
    config,
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

export async function exitStatus(child: ChildProcess): Promise<number | null> {
  // Shorter than a test's timeout, so that a router that does not end can still be killed.
  if (child.exitCode === null) await once(child, 'exit', { signal: AbortSignal.timeout(10_000) });
  return child.exitCode;
}
