/**
 * The service under torture: N routers on one store, simulated engines and their agents, each in a
 * separate process as an operator would run it. An oracle judges what the clients saw.
 */
import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { stringify } from 'yaml';
import { parseRouterConfig } from '../../router/config.ts';
import { prepareFirstRun } from '../support/installation.ts';
import { ClientLog } from '../support/client-log.ts';
import { until } from '../support/up.ts';
import { openReader, readBooks } from './books.ts';
import { atExit } from './leftovers.ts';
import { Office } from './office.ts';
import { judge, type Verdict } from './oracle.ts';
import type { FarHost } from './far-host.ts';
import type { PostgresServer } from './postgres-server.ts';
import { PENSTOCK, Process } from './process.ts';

export const CATALOG = fileURLToPath(new URL('../../configs/catalog.yaml', import.meta.url));
/** One for each process of a router. */
const WORKERS_READY = /^penstock_router_workers\{phase="ready".*\} (\d+)$/gm;
/** Allowance for a late heartbeat or a late poll on a busy machine. */
const SLACK_MS = 4_000;
const HOLD_TTL_MS = 6_000;
const STOP_MS_MAX = 3_000;

export type FleetOptions = Readonly<{
  /** The server to create a database on. Without it the store is SQLite. */
  postgres?: PostgresServer | null;
  /** More than one router needs PostgreSQL. */
  routers?: number;
  /** The number of agents, each with its own worker. */
  agents?: number;
  /** The number of engines. Agents are assigned to them in turn. Default: 1. */
  engines?: number;
  /** The hosts of the first agents and of their engines. These hosts can be cut off. */
  farHosts?: readonly FarHost[];
  /** The number of routers whose address an agent is given. Default: all. */
  addresses?: number;
  holdTtlMs?: number;
  drainGraceMs?: number;
  /** The folder of SQLite's file. Default: the fleet's folder. */
  sqliteFolder?: string;
  /** The speed of the simulated engine. */
  tokenMs?: number;
  tokensPerChunk?: number;
  /** How many requests the engine runs at once, and how many may queue. Any more are refused. */
  maxRunning?: number;
  maxQueued?: number;
  /** The models that the engine serves. Default: the whole catalog. */
  models?: readonly string[];
  routerEnv?: NodeJS.ProcessEnv;
  /** The processes of each router. Default: as `npm run torture -- --processes N` says, or 1. */
  processes?: number;
  /** The programs of routers and agents, if they are of another release. */
  programs?: Readonly<{ routers?: string; agents?: string }>;
  /** Whether the client's log keeps what was received. False for scenes with gigabytes of it. */
  keepsBytes?: boolean;
}>;

type RouterFile = Readonly<{ listeners: readonly object[] } & Record<string, unknown>>;

export class Router {
  readonly process: Process;
  readonly #file: string;
  #config: RouterFile;
  /** Listeners in addition to the first. */
  readonly #others: readonly object[];
  origin = '';
  metricsUrl = '';

  constructor(file: string, config: RouterFile, env: NodeJS.ProcessEnv) {
    this.#file = file;
    this.#config = config;
    this.#others = config.listeners.slice(1);
    this.process = new Process('router', ['router', '--config', file], env);
  }

  /** The base URL for clients. */
  get base(): string {
    return `${this.origin}/v1`;
  }

  /** Starts the router, or starts it again at the same address. */
  async start(): Promise<void> {
    await writeFile(this.#file, stringify(this.#config));
    const { origin = '', metricsUrl = '' } = await this.process.start();
    this.origin = origin;
    this.metricsUrl = metricsUrl;
    const port = (url: string) => Number(new URL(url).port);
    this.#config = {
      ...this.#config,
      listeners: [{ port: port(origin), region: 'global' }, ...this.#others],
      metrics: { port: port(metricsUrl) },
    };
  }

  /** Resolves when each process of the router has at least this many ready workers. */
  async serving(workers = 1): Promise<void> {
    const processes = Number(this.#config['processes'] ?? 1);
    await until(
      async () => {
        const page = await fetch(this.metricsUrl).then((answer) => answer.text());
        const counts = [...page.matchAll(WORKERS_READY)].map(([, count]) => Number(count));
        return Math.min(...counts) >= workers && counts.length >= processes;
      },
      `a worker at ${this.origin}\n${this.process.output}`,
      60_000,
    );
  }
}

export class Fleet implements AsyncDisposable {
  static #count = 0;
  readonly #routers: Router[];
  readonly sims: readonly Process[];
  readonly agents: readonly Process[];
  /** Where each agent serves its metrics. */
  readonly agentMetricsUrls: string[] = [];
  readonly office: Office;
  readonly log: ClientLog;
  readonly folder: string;
  readonly storeUrl: string;
  readonly holdTtlMs: number;
  /** The models that the engine serves. If empty: the whole catalog. */
  readonly models: readonly string[];
  /**
   * `apart`: requests whose charges their scene judges itself. `stopped`: requests whose
   * organization was suspended.
   */
  readonly apart = new Set<string>();
  readonly stopped = new Set<string>();
  readonly #engines: string[] = [];
  readonly #farHosts: readonly FarHost[];
  readonly #config: RouterFile;
  readonly #addresses: number;
  readonly #joinTokens = new Map<number, string>();
  readonly #calledOff: () => void;
  #isKept = false;

  private constructor(
    made: { folder: string; storeUrl: string; operatorToken: string },
    parts: { routers: Router[]; sims: readonly Process[]; config: RouterFile },
    options: FleetOptions,
  ) {
    this.folder = made.folder;
    this.#calledOff = atExit(() => {
      if (!this.#isKept) rmSync(this.folder, { recursive: true, force: true });
    });
    this.storeUrl = made.storeUrl;
    this.holdTtlMs = options.holdTtlMs ?? HOLD_TTL_MS;
    this.models = options.models ?? [];
    this.#routers = parts.routers;
    this.sims = parts.sims;
    this.#config = parts.config;
    this.#addresses = options.addresses ?? parts.routers.length;
    this.#farHosts = options.farHosts ?? [];
    this.agents = Array.from({ length: options.agents ?? 1 }, (_, index) => {
      const file = join(made.folder, `agent-${index}.yaml`);
      const prefix = this.#farHosts[index]?.prefix ?? [];
      return new Process(`agent ${index}`, ['agent', '--config', file], {}, prefix);
    });
    this.office = new Office(() => this.router(0).origin, made.operatorToken);
    const { keepsBytes = true } = options;
    this.log = new ClientLog(join(made.folder, 'client.log'), { keepsBytes });
  }

  static async start(options: FleetOptions = {}): Promise<Fleet> {
    const folder = await mkdtemp(join(tmpdir(), 'penstock-torture-'));
    const { holdTtlMs = HOLD_TTL_MS, drainGraceMs = 0, routerEnv = {} } = options;
    const { postgres, farHosts = [] } = options;
    const storeUrl = postgres
      ? await postgres.database(`torture_${process.pid}_${++Fleet.#count}`)
      : `sqlite:${join(options.sqliteFolder ?? folder, 'penstock.db')}`;
    const config = {
      listeners: [
        { port: 0, region: 'global' },
        ...[...new Set(farHosts)].map(({ listener }) => listener),
      ],
      metrics: { port: 0 },
      store: storeUrl,
      catalog: CATALOG,
      secrets: join(folder, 'secrets.json'),
      holdTtlMs,
      drainGraceMs,
      processes: options.processes ?? Number(process.env['TORTURE_PROCESSES'] ?? 1),
      // No rate limits: they are tested elsewhere, and would only hide the load here.
      limits: { organization: { requestsPerMinute: null, concurrentRequests: null } },
    };
    const { routers: program = PENSTOCK, agents: agentProgram = PENSTOCK } = options.programs ?? {};
    const operatorToken =
      program === PENSTOCK ? await firstOperator(config) : await createOperator(program, config);
    const routers = Array.from(
      { length: options.routers ?? 1 },
      (_, index) => new Router(join(folder, `router-${index}.yaml`), config, routerEnv),
    );
    const fleet = new Fleet(
      { folder, storeUrl, operatorToken },
      { routers, sims: makeSims(options), config },
      options,
    );
    for (const router of routers) router.process.program = program;
    for (const agent of fleet.agents) agent.program = agentProgram;
    try {
      await fleet.#startAll();
    } catch (error) {
      await fleet[Symbol.asyncDispose]();
      throw error;
    }
    return fleet;
  }

  get routers(): readonly Router[] {
    return this.#routers;
  }

  /** Starts one more router, whose address no agent was given. */
  async addRouter(): Promise<Router> {
    const file = join(this.folder, `router-${this.#routers.length}.yaml`);
    const router = new Router(file, this.#config, {});
    this.#routers.push(router);
    await router.start();
    return router;
  }

  /**
   * Simulates maintenance of a host: its agent finishes its requests and stops, then the engine and
   * the agent restart.
   */
  async restartHost(index: number, msMax: number): Promise<number | null> {
    const [agent, sim] = [this.agents[index], this.sims[index]];
    if (!agent || !sim) throw new Error(`there is no host ${index} with an engine of its own`);
    const status = await agent.stop(msMax);
    await sim.stop(msMax);
    await this.#startEngine(sim, index);
    await this.#startAgent(agent, index);
    return status;
  }

  router(index: number): Router {
    const router = this.routers[index % this.routers.length];
    if (!router) throw new Error('a fleet has a router');
    return router;
  }

  /** Resolves when every router has a worker for each agent, and `more` in addition. */
  async serving(more = 0): Promise<void> {
    const workers = this.agents.length + more;
    await Promise.all(this.routers.map((router) => router.serving(workers)));
  }

  get sim(): Process {
    const [first] = this.sims;
    if (!first) throw new Error('a fleet has an engine');
    return first;
  }

  /** Switches on faults of an engine. Engines on far hosts cannot be reached. */
  async fault(faults: object, nth = 0): Promise<void> {
    const answer = await fetch(`${this.#engines[nth]}/sim/faults`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(faults),
    });
    if (!answer.ok) throw new Error(`faults: ${answer.status} ${await answer.text()}`);
  }

  /** Returns how many requests each fault of an engine has hit. */
  async faults(nth = 0): Promise<{ taken: Record<string, number> }> {
    const answer = await fetch(`${this.#engines[nth]}/sim/faults`);
    return (await answer.json()) as { taken: Record<string, number> };
  }

  /** Returns an engine's own request counts. */
  async engine(nth = 0): Promise<{ running: number; waiting: number; started: number }> {
    const answer = await fetch(`${this.#engines[nth]}/sim/requests`);
    return (await answer.json()) as { running: number; waiting: number; started: number };
  }

  /**
   * Waits until no hold is left, for at most twice the holds' time to live, and returns how long
   * that took in ms. Holds that remain are for `judge` to report.
   */
  async settled(): Promise<number> {
    const start = performance.now();
    const holds = async () => {
      await using reader = await openReader(this.storeUrl);
      const [row] = await reader.rows<{ n: bigint }>('SELECT count(*) AS n FROM holds');
      return row?.n === 0n;
    };
    await until(holds, 'no hold', 2 * this.holdTtlMs + SLACK_MS).catch(() => {});
    return Math.round(performance.now() - start);
  }

  /**
   * Runs `penstock ledger verify`. Returns null when it finds nothing, and its output otherwise.
   */
  verify(): Promise<string | null> {
    return new Promise((resolve) => {
      const args = ['ledger', 'verify', '--store', this.storeUrl];
      execFile(this.router(0).process.program, args, (error, out, err) => {
        resolve(error ? `ledger verify: ${out}${err}` : null);
      });
    });
  }

  /** Compares the client log with the books, after all holds had time to expire. */
  async judge({ crashes }: { crashes: boolean }): Promise<Verdict & { waitedMs: number }> {
    const waitedMs = await this.settled();
    const { apart, stopped } = this;
    const rules = { crashes, apart, stopped };
    const { counts, violations } = judge(this.log.calls, await readBooks(this.storeUrl), rules);
    const difference = await this.verify();
    return {
      counts,
      waitedMs,
      violations: difference === null ? violations : [...violations, difference],
    };
  }

  /**
   * Keeps the folder with the client's log and the output of the routers, so that a violation can
   * be investigated.
   */
  async keep(): Promise<string> {
    this.#isKept = true;
    for (const [index, { process }] of this.routers.entries()) {
      await writeFile(join(this.folder, `router-${index}.log`), process.output);
    }
    return this.folder;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.log[Symbol.asyncDispose]();
    const parts = [...this.routers.map((router) => router.process), ...this.agents, ...this.sims];
    await Promise.all(parts.map((part) => part.stop(STOP_MS_MAX)));
    if (!this.#isKept) await rm(this.folder, { recursive: true, force: true });
    this.#calledOff();
  }

  async #startAll(): Promise<void> {
    await Promise.all([
      ...this.sims.map((sim, index) => this.#startEngine(sim, index)),
      ...this.routers.map((router) => router.start()),
    ]);
    await Promise.all(this.agents.map((agent, index) => this.#startAgent(agent, index)));
    await this.serving();
  }

  async #startEngine(sim: Process, index: number): Promise<void> {
    const { url = '' } = await sim.start();
    this.#engines[index] = url;
  }

  async #joinToken(index: number, name: string): Promise<string> {
    const known = this.#joinTokens.get(index);
    if (known !== undefined) return known;
    const made = await this.office.call<{ join_token: string }>('POST', '/agents', { name });
    this.#joinTokens.set(index, made.join_token);
    return made.join_token;
  }

  async #startAgent(agent: Process, index: number): Promise<void> {
    const config = {
      name: agent.name,
      data: join(this.folder, `agent-${index}`),
      routers: this.#farHosts[index]
        ? [this.#farHosts[index].routerUrl]
        : this.routers
            .slice(0, this.#addresses)
            .map(({ origin }) => `${origin.replace(/^http/, 'ws')}/agent`),
      join: await this.#joinToken(index, agent.name),
      metrics: { port: 0 },
      engines: [{ name: 'engine', url: this.#engines[index % this.#engines.length] }],
    };
    const file = join(this.folder, `agent-${index}.yaml`);
    await writeFile(file, stringify(config), { mode: 0o600 });
    const { metricsUrl = '' } = await agent.start();
    this.agentMetricsUrls[index] = metricsUrl;
  }
}

type StoreConfig = Readonly<{ store: string; secrets: string }>;

async function firstOperator(config: StoreConfig & object): Promise<string> {
  const first = await prepareFirstRun(
    parseRouterConfig({ ...config, logLevel: 'warn' }, 'torture'),
  );
  if (!first) throw new Error('the store is not empty');
  return first.operator.token;
}

/** Creates the store with a program of another release. */
async function createOperator(program: string, { store, secrets }: StoreConfig): Promise<string> {
  const args = ['operator', 'create', '--store', store, '--secrets', secrets, '--json'];
  const { stdout } = await promisify(execFile)(program, [...args, '--email', 'op@example.com']);
  return (JSON.parse(stdout) as { token: string }).token;
}

function makeSims(options: FleetOptions): Process[] {
  const { engines = 1, farHosts = [] } = options;
  return Array.from({ length: engines }, (_, index) => {
    return new Process(`sim ${index}`, simArgs(options), {}, farHosts[index]?.prefix ?? []);
  });
}

function simArgs(options: FleetOptions): string[] {
  const { tokenMs = 20, tokensPerChunk = 1, models = [], maxRunning, maxQueued } = options;
  const args = ['sim', '--port', '0', '--catalog', CATALOG, '--token-ms', String(tokenMs)];
  args.push('--tokens-per-chunk', String(tokensPerChunk));
  if (maxRunning !== undefined) args.push('--max-running', String(maxRunning));
  if (maxQueued !== undefined) args.push('--max-queued', String(maxQueued));
  if (models.length > 0) args.push('--model', ...models);
  return args;
}
