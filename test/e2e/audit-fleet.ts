/**
 * A fleet on real sockets, all in this process: a router with a given audit, and hosts, each an
 * agent with its own simulated engine.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { parseAgentConfig } from '../../agent/config.ts';
import { startAgent } from '../../agent/main.ts';
import { startSimulator } from '../../agent/simulator/main.ts';
import { parseRouterConfig } from '../../router/config.ts';
import type { FirstRun } from '../../router/first-run.ts';
import { prepareFirstRun } from '../support/installation.ts';
import { openStoreOf } from '../../router/installation/store.ts';
import { runRouter } from '../../router/main.ts';
import type { WorkerEntry } from '../../shared/api/workers.ts';
import { systemClock as clock } from '../../shared/clock.ts';
import { makeLog } from '../../shared/log.ts';
import { systemRandom as random } from '../../shared/random.ts';
import { until } from '../support/up.ts';

export const MODEL = 'qwen/qwen3-235b-a22b-instruct-2507';
const CATALOG = new URL('../../configs/catalog.yaml', import.meta.url).pathname;
const log = makeLog('test', 'silent');

export type Host = Readonly<{ agent: string; worker: string; engine: string }>;

export interface AuditFleet extends AsyncDisposable {
  readonly first: FirstRun;
  readonly hosts: readonly Host[];
  /** Switches on a fault of a host's engine. */
  fault(host: Host, fault: object): Promise<void>;
  /** Sends a chat request and reads the answer to its end. */
  chat(content: string, fields?: object): Promise<Response>;
  alarmsOf(host: Host): Promise<readonly string[]>;
  metrics(): Promise<string>;
}

export async function startFleet(
  hosts: number,
  audit: object,
  region: 'global' | 'us' = 'global',
): Promise<AuditFleet> {
  await using undo = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'penstock-audit-'));
  undo.defer(() => rm(folder, { recursive: true, force: true }));
  const config = parseRouterConfig(
    {
      listeners: [{ port: 0, region }],
      metrics: { port: 0 },
      store: `sqlite:${join(folder, 'penstock.db')}`,
      catalog: CATALOG,
      secrets: join(folder, 'secrets.json'),
      logLevel: 'silent',
      audit,
    },
    'test',
  );
  const first = await prepareFirstRun(config);
  if (!first) throw new Error('an empty store was not founded');
  const { origin, metricsUrl } = await serve(undo, config);
  const bearer = (token: string) => ({
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
  });
  const manage = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${origin}/api/v1${path}`, {
      method,
      headers: bearer(first.operator.token),
      ...(body && { body: JSON.stringify(body) }),
    });
    expect(response.status).toBeLessThan(300);
    return await response.json();
  };
  if (region !== 'global') {
    await manage('PATCH', `/organizations/${first.organization.id}`, { region });
  }
  const started: Host[] = [];
  for (let i = 0; i < hosts; i++) {
    const name = `host-${i}`;
    const enrolled = (await manage('POST', '/agents', { name, region })) as {
      id: string;
      join_token: string;
    };
    const engine = await startHost(undo, { name, origin, folder, join: enrolled.join_token });
    started.push({ agent: enrolled.id, worker: `${enrolled.id}/engine`, engine });
  }
  const workers = async () => (await manage('GET', '/workers')) as { data: WorkerEntry[] };
  await until(
    async () => (await workers()).data.filter(({ phase }) => phase === 'ready').length === hosts,
    'all hosts ready',
  );
  const owned = undo.move();
  return {
    first,
    hosts: started,
    async fault({ engine }, fault) {
      const body = JSON.stringify(fault);
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(`${engine}/sim/faults`, { method: 'PUT', headers, body });
      expect(response.status).toBe(200);
    },
    async chat(content, fields = {}) {
      const messages = [{ role: 'user', content }];
      const response = await fetch(`${origin}/v1/chat/completions`, {
        method: 'POST',
        headers: bearer(first.apiKey),
        body: JSON.stringify({ model: MODEL, messages, ...fields }),
      });
      expect(response.status).toBe(200);
      await response.clone().text();
      return response;
    },
    async alarmsOf(host) {
      const { data } = await workers();
      const alarms = data.find(({ id }) => id === host.worker)?.alarms ?? [];
      return alarms.flatMap(({ kind, count }) => Array.from({ length: count }, () => kind));
    },
    metrics: async () => (await fetch(metricsUrl)).text(),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

async function serve(undo: AsyncDisposableStack, config: ReturnType<typeof parseRouterConfig>) {
  const stop = new AbortController();
  const ready = Promise.withResolvers<{ origins: readonly string[]; metricsUrl: string | null }>();
  const { signal } = stop;
  const [store] = await openStoreOf(config, { clock, log }, async () => null);
  const running = runRouter(config, store, {
    log,
    signal,
    readAgain: async () => config,
    onReady: ready.resolve,
  });
  running.catch(ready.reject);
  const { origins, metricsUrl } = await ready.promise;
  undo.defer(async () => {
    stop.abort();
    await running;
  });
  return { origin: origins[0] as string, metricsUrl: metricsUrl ?? '' };
}

/** The engine is fast, because these tests look only at counts. */
async function startHost(
  undo: AsyncDisposableStack,
  { name, origin, folder, join: token }: Record<'name' | 'origin' | 'folder' | 'join', string>,
): Promise<string> {
  const parts = { clock, random, log };
  const simulator = undo.use(
    await startSimulator(
      { catalog: CATALOG, port: 0, logLevel: 'silent', tokenMs: 0.2, prefillUs: 1 },
      parts,
    ),
  );
  const config = parseAgentConfig(
    JSON.stringify({
      name,
      data: join(folder, name),
      routers: [`${origin.replace('http', 'ws')}/agent`],
      join: token,
      metrics: { port: 0 },
      engines: [{ name: 'engine', url: simulator.url }],
    }),
  );
  undo.use(await startAgent(config, parts));
  return simulator.url;
}
