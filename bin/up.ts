/**
 * `penstock up`: runs everything on one machine, as child processes in one process group: router,
 * agent, simulator, and one for each host that `--regions` adds. The router's first run creates an
 * operator, an organization with its welcome credit, a key and an agent (`first-run.ts`). A process
 * that ends is restarted. All of them end when this process ends, even by SIGKILL, because each of
 * them watches its channel to this process.
 */
import { once } from 'node:events';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { stringify } from 'yaml';
import { parseRouterConfig, readSettings, type RouterConfig } from '../router/config.ts';
import type { FirstRun } from '../router/first-run.ts';
import { systemClock as clock, sleep } from '../shared/clock.ts';
import { REGIONS, type Region } from '../shared/region.ts';
import { parseYaml } from '../shared/yaml.ts';
import type { Ready } from './child.ts';
import { showFirstSecrets } from './first-secrets.ts';
import { checkFlags } from './flags.ts';
import { HOSTS, type PlannedHost, writeHost } from './hosts.ts';
import { ManagedProcess } from './managed-process.ts';
import { ReadyFile } from './ready-file.ts';
import { SHIPPED_CATALOG } from './shipped-catalog.ts';
import { stopOnSignals } from './stopping.ts';
import { UpFlags } from './up-flags.ts';

const READY_POLL_MS = 50;

/** Runs until a signal stops it. Resolves when every child process has ended. */
export async function up(given: object): Promise<void> {
  const options = checkFlags(UpFlags, given);
  const { signal, forced } = stopOnSignals();
  const data = resolve(options.data);
  const catalog = resolve(options.catalog ?? SHIPPED_CATALOG);
  if (options.engine !== undefined) {
    const { checkEngine } = await import('./engine-check.ts');
    await checkEngine(options.engine, catalog);
  }
  await mkdir(data, { recursive: true, mode: 0o700 });
  const readyFile = options.readyFile === undefined ? null : new ReadyFile(options.readyFile);
  await readyFile?.remove();

  const config = await routerConfig(data, options, catalog);
  const group = new ProcessGroup(options, readyFile);
  forced.addEventListener('abort', () => group.kill());
  try {
    const [engine, router] = await Promise.all([
      options.engine ?? group.startSimulator(catalog),
      group.startRouter(data, config),
    ]);
    await Promise.all([
      group.startAgent(data, engine, router, config.tracing),
      ...(options.regions ? HOSTS : []).map((host) => group.startHost(data, host, catalog)),
    ]);
    await untilServing(router, signal);
    if (signal.aborted) return;
    await group.announce();
    introduce(router);
    await showFirstSecrets(data, group.firstRun);
    await new Promise((done) => signal.addEventListener('abort', done, { once: true }));
  } finally {
    await group.stop();
    await readyFile?.remove();
  }
}

type RouterFacts = Readonly<{
  /** The origin of the first listener, and the origins of all listeners by region. */
  origin: string;
  origins: ReadonlyMap<Region, string>;
  metricsUrl: string;
}>;

/**
 * The child processes, in the order in which they start, and the ready file that describes them.
 */
class ProcessGroup {
  /** What the router's first start made, if the store was empty. */
  firstRun: FirstRun | null = null;
  readonly #options: UpFlags;
  readonly #readyFile: ReadyFile | null;
  readonly #parts = new Map<string, ManagedProcess>();
  /** The URL of each engine, by the name of its agent. */
  readonly #engines = new Map<string, string>();
  #router: RouterFacts | null = null;
  #announced = false;

  constructor(options: UpFlags, readyFile: ReadyFile | null) {
    this.#options = options;
    this.#readyFile = readyFile;
  }

  async startSimulator(catalog: string): Promise<string> {
    const args = ['sim', '--catalog', catalog, '--port'];
    const part = this.#add('sim', [...args, '0']);
    const { url = '' } = await part.start();
    part.args = [...args, `${portOf(url)}`];
    return url;
  }

  async startRouter(data: string, config: RouterConfig): Promise<RouterFacts> {
    const file = join(data, 'router.yaml');
    await writeFile(file, stringify(config), { mode: 0o600 });
    const args = ['router', '--config', file];
    const first = ['--first-run', data, ...(this.#options.regions ? ['--enrol-hosts'] : [])];
    const part = this.#add('router', [...args, ...first]);
    const ready = await part.start();
    part.args = args;
    const { metricsUrl = '', firstRun = 'null' } = ready;
    this.firstRun = JSON.parse(firstRun) as FirstRun | null;
    const origins = (ready['origins'] ?? '').split(' ');
    // A restarted router has to keep its ports.
    const kept = parseRouterConfig(
      {
        ...config,
        listeners: config.listeners.map((listener, index) => ({
          ...listener,
          port: portOf(origins[index] as string),
        })),
        metrics: { ...config.metrics, port: portOf(metricsUrl) },
      },
      file,
    );
    await writeFile(file, stringify(kept), { mode: 0o600 });
    this.#router = {
      origin: origins[0] as string,
      origins: new Map(
        config.listeners.map(({ region }, index) => [region, origins[index] as string]),
      ),
      metricsUrl,
    };
    return this.#router;
  }

  async startAgent(
    data: string,
    engine: string,
    router: RouterFacts,
    tracing: RouterConfig['tracing'],
  ): Promise<void> {
    const file = join(data, 'agent.yaml');
    const config = {
      name: 'local',
      data: join(data, 'agent'),
      routers: [`${router.origin.replace(/^http/, 'ws')}/agent`],
      // Kept from the first run, because an interrupted start may not have used it.
      join: await joinTokenIn(file),
      metrics: { host: '127.0.0.1', port: this.#options.port === 0 ? 0 : 9465 },
      engines: [{ name: 'engine', url: engine }],
      ...(tracing && { tracing: { endpoint: tracing.endpoint, headers: tracing.headers } }),
    };
    // Written atomically, because a lost token cannot be read again.
    await writeFile(`${file}.new`, stringify(config), { mode: 0o600 });
    await rename(`${file}.new`, file);
    this.#engines.set('local', engine);
    await this.#add('agent', ['agent', '--config', file]).start();
  }

  async startHost(data: string, host: PlannedHost, catalog: string): Promise<void> {
    const origin = this.#router?.origins.get(host.region) as string;
    const file = await writeHost(data, host, { origin, catalog });
    const part = this.#add(host.name, ['host', '--config', file], ({ url = '' }) =>
      this.#engines.set(host.name, url),
    );
    await part.start();
  }

  /** Writes the ready file now, and again whenever a child process was restarted. */
  async announce(): Promise<void> {
    this.#announced = true;
    const router = this.#router;
    if (router) await this.#readyFile?.write(() => this.#facts(router));
  }

  #facts({ origin, origins, metricsUrl }: RouterFacts): object {
    const { data, regions } = this.#options;
    return {
      base_url: `${origin}/v1`,
      dashboard_url: `${origin}/`,
      metrics_url: metricsUrl,
      ...(regions ? { regions: baseUrls(origins), hosts: this.#hosts() } : {}),
      data: resolve(data),
      pid: process.pid,
      pids: Object.fromEntries([...this.#parts].map(([name, part]) => [name, part.pid])),
      ...(this.firstRun ? firstRunFacts(this.firstRun) : {}),
    };
  }

  /**
   * Stops the router first, which drains its agents and ends with the last answer, then the agents,
   * and then the engine.
   */
  async stop(): Promise<void> {
    const { router, sim, ...agents } = Object.fromEntries(this.#parts);
    await router?.stop();
    await Promise.all(Object.values(agents).map((part) => part.stop()));
    await sim?.stop();
  }

  kill(): void {
    for (const part of this.#parts.values()) part.kill();
  }

  /** Returns the URL of each engine, where the faults of a simulated one can be switched. */
  #hosts(): object {
    const first: PlannedHost = { name: 'local', region: 'global' };
    const known = [first, ...HOSTS].map(({ name, region }) => [
      name,
      { region, engine_url: this.#engines.get(name) ?? null },
    ]);
    return Object.fromEntries(known);
  }

  #add(
    name: string,
    args: readonly string[],
    onReady: (ready: Ready) => void = () => {},
  ): ManagedProcess {
    const part = new ManagedProcess(name, args, (ready) => {
      onReady(ready);
      if (this.#announced) void this.announce();
    });
    this.#parts.set(name, part);
    return part;
  }
}

async function joinTokenIn(agentConfig: string): Promise<string | null> {
  const yaml = await readFile(agentConfig, 'utf8').catch(() => '');
  const config = parseYaml(yaml) as { join?: string | null } | null;
  return config?.join ?? null;
}

async function routerConfig(
  data: string,
  { port, store, regions, settings }: UpFlags,
  catalog: string,
): Promise<RouterConfig> {
  const given = settings === undefined ? {} : await readSettings(settings);
  return parseRouterConfig(
    {
      listeners: (regions ? REGIONS : (['global'] as const)).map((region, index) => ({
        port: port === 0 ? 0 : port + index,
        region,
      })),
      metrics: { port: port === 0 ? 0 : 9464 },
      store: store ?? `sqlite:${join(data, 'penstock.db')}`,
      catalog,
      secrets: join(data, 'secrets.json'),
      payments: { provider: 'sandbox' },
      // No other router could take over the work during a grace period.
      drainGraceMs: 0,
      ...given,
    },
    settings ?? 'penstock up',
  );
}

function portOf(url: string): number {
  return Number(new URL(url).port);
}

function baseUrls(origins: ReadonlyMap<Region, string>): Record<string, string> {
  return Object.fromEntries([...origins].map(([region, origin]) => [region, `${origin}/v1`]));
}

function firstRunFacts({ operator, organization, apiKey }: FirstRun) {
  return { organization, operator, api_key: apiKey };
}

/**
 * Waits until each process of the router has a ready worker in each region, as the router's metrics
 * report it.
 */
async function untilServing(
  { origins, metricsUrl }: RouterFacts,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const [response] = (await once(get(metricsUrl), 'response')) as [IncomingMessage];
    const metrics = await text(response);
    const isServed = (region: Region) => {
      const counts = metrics.matchAll(
        new RegExp(`^penstock_router_workers_ready\\{region="${region}".*\\} (\\d+)`, 'gm'),
      );
      // One for each process of the router.
      const ready = [...counts].map(([, count]) => Number(count));
      return ready.length > 0 && Math.min(...ready) > 0;
    };
    if ([...origins.keys()].every(isServed)) return;
    await sleep(clock, READY_POLL_MS, signal);
  }
}

function introduce({ origins }: RouterFacts): void {
  const lines = [...origins].map(([region, origin]) =>
    origins.size === 1
      ? `Penstock serves at ${origin}/v1`
      : `Penstock serves ${region.padEnd(6)} at ${origin}/v1`,
  );
  lines.push(`The dashboard is at ${[...origins.values()][0]}`);
  process.stdout.write(`${lines.join('\n')}\n`);
}
