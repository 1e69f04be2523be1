/**
 * Starts the three routers of `configs/regions/` as separate processes on one PostgreSQL, with one
 * host in `us`.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { stringify } from 'yaml';
import { parseAgentConfig, readAgentConfig } from '../../agent/config.ts';
import { startAgent } from '../../agent/main.ts';
import { startSimulator } from '../../agent/simulator/main.ts';
import { readRouterConfig } from '../../router/config.ts';
import type { FirstRun } from '../../router/first-run.ts';
import { systemClock as clock } from '../../shared/clock.ts';
import { makeLog } from '../../shared/log.ts';
import { systemRandom as random } from '../../shared/random.ts';
import { REGIONS, type Region } from '../../shared/region.ts';
import { PENSTOCK } from '../bin/run.ts';
import { enrolHosts, prepareFirstRun } from './installation.ts';
import { until } from './up.ts';

const CATALOG = 'configs/catalog.yaml';

export type RegionRouters = AsyncDisposable &
  Readonly<{
    first: FirstRun;
    origins: Readonly<Record<Region, string>>;
    /** Runs `penstock admin … --json` against the global router and returns the parsed output. */
    admin: <T>(...args: string[]) => Promise<T>;
  }>;

/** `stores` has the store URL for each router. All URLs lead to the same store. */
export async function startRegionRouters(
  stores: Readonly<Record<Region, string>>,
): Promise<RegionRouters> {
  await using undo = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'penstock-regions-'));
  undo.defer(() => rm(folder, { recursive: true }));
  const configOf = async (region: Region) => {
    // Drops `advertise`: here each router advertises its own loopback address.
    const { advertise: _, ...shipped } = await readRouterConfig(
      `configs/regions/router.${region}.yaml`,
    );
    return {
      ...shipped,
      listeners: [{ host: '127.0.0.1', port: 0, region }] as [(typeof shipped.listeners)[0]],
      metrics: { host: '127.0.0.1', port: 0 },
      store: stores[region],
      catalog: CATALOG,
      secrets: join(folder, 'secrets.json'),
      logLevel: 'error' as const,
    };
  };
  const config = await configOf('global');
  const first = (await prepareFirstRun(config)) as FirstRun;
  const [join_ = ''] = await enrolHosts(config, [{ name: 'gpu-us-1', region: 'us' }]);

  const origins = {} as Record<Region, string>;
  for (const region of REGIONS) {
    const file = join(folder, `${region}.yaml`);
    await writeFile(file, stringify(await configOf(region)));
    const router = spawn(PENSTOCK, ['router', '--config', file], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    undo.defer(() => ended(router));
    const [ready] = (await once(router, 'message')) as [{ origin: string }];
    origins[region] = ready.origin;
  }

  const log = makeLog('test', 'silent');
  const parts = { clock, random, log };
  const engine = undo.use(
    await startSimulator({ catalog: CATALOG, port: 0, logLevel: 'silent' }, parts),
  );
  const shipped = await readAgentConfig('configs/regions/agent.us.yaml');
  const agent = parseAgentConfig(
    stringify({
      name: shipped.name,
      data: join(folder, 'agent'),
      // The routers of the example configuration: the agent's own region and the global router.
      routers: shipped.routers.map(({ url }) => {
        const origin = origins[url.includes('//us.') ? 'us' : 'global'];
        return `${origin.replace('http', 'ws')}/agent`;
      }),
      join: join_,
      metrics: { port: 0 },
      engines: [{ name: 'vllm-0', url: engine.url }],
    }),
  );
  undo.use(await startAgent(agent, parts));

  const admin = async <T>(...args: string[]): Promise<T> => {
    const { stdout } = await promisify(execFile)(
      PENSTOCK,
      ['admin', '--url', origins.global, ...args, '--json'],
      { env: { ...process.env, PENSTOCK_OPERATOR_TOKEN: first.operator.token } },
    );
    return JSON.parse(stdout) as T;
  };
  for (const region of ['global', 'us'] as const) {
    await until(async () => {
      const at = ['worker', 'list', '--url', origins[region]];
      return (await admin<{ phase: string }[]>(...at)).some(({ phase }) => phase === 'ready');
    }, `a worker at ${region}`);
  }
  const owned = undo.move();
  return { first, origins, admin, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

async function ended(router: ChildProcess): Promise<void> {
  if (router.exitCode !== null || router.signalCode !== null) return;
  router.kill('SIGTERM');
  await once(router, 'exit');
}
