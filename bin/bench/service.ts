/** The service under test: a given one, or a private `penstock up` that the benchmark starts. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { request } from 'undici';
import { systemClock as clock, sleep } from '../../shared/clock.ts';
import { charge, formatUsd, parseUsd, ZERO } from '../../shared/money.ts';
import { ManagedProcess } from '../managed-process.ts';
import { SHIPPED_CATALOG } from '../shipped-catalog.ts';
import type { Seen } from './client.ts';

const PENSTOCK = fileURLToPath(new URL('../penstock', import.meta.url));
const CREDIT_USD = '10000';

export type Service = Readonly<{ url: string; key: string; metricsUrl: string | null }>;

/** A private service, which also reports what it charged and verifies its ledger. */
export interface PrivateService extends Service, AsyncDisposable {
  charged(): Promise<bigint>;
  verify(): Promise<string>;
}

type Ready = {
  base_url: string;
  metrics_url: string;
  api_key: string;
  organization: { id: string };
  operator: { token: string };
};

/** The times of the engine of `penstock up`, which are divided by the speed of the trace. */
const TOKEN_MS = 10;
const PREFILL_US = 50;

/**
 * Starts a router, an agent and a simulator that is as fast as the trace is sped up, on free ports
 * and with plenty of credit.
 */
export async function startPrivateService(
  speed: number,
  store: string | undefined,
): Promise<PrivateService> {
  const sim = new ManagedProcess('sim', simArgs(speed), () => {});
  const { url: engine = '' } = await sim.start();
  const folder = await mkdtemp(join(tmpdir(), 'penstock-bench-'));
  const readyFile = join(folder, 'ready.json');
  const data = join(folder, 'data');
  const up = spawn(
    PENSTOCK,
    ['up', '--port', '0', '--data', data, '--ready-file', readyFile, '--engine', engine].concat(
      store === undefined ? [] : ['--store', store],
    ),
    {
      stdio: ['ignore', 'ignore', 'ignore'],
    },
  );
  let text: string | null = null;
  while (text === null) {
    if (up.exitCode !== null) throw new Error('the private service did not start');
    await sleep(clock, 50);
    text = await readFile(readyFile, 'utf8').catch(() => null);
  }
  const ready = JSON.parse(text) as Ready;
  const organization = ready.organization.id;
  const admin = async (...args: string[]): Promise<string> => {
    const url = new URL(ready.base_url).origin;
    const { stdout } = await promisify(execFile)(PENSTOCK, ['admin', '--url', url, ...args], {
      env: { ...process.env, PENSTOCK_OPERATOR_TOKEN: ready.operator.token },
      maxBuffer: 1024 * 1024 * 1024,
    });
    return stdout;
  };
  await admin(
    'credit',
    'adjust',
    '--organization',
    organization,
    '--amount',
    CREDIT_USD,
    '--reason',
    'bench',
  );
  // The limits are raised, because the service is measured and not its limits.
  const free = ['--requests-per-minute', '100000000', '--concurrent-requests', '1000000'];
  await admin('organization', 'limits', '--organization', organization, ...free);
  return {
    url: ready.base_url,
    key: ready.api_key,
    metricsUrl: ready.metrics_url,
    async charged() {
      const rows = JSON.parse(
        await admin('usage', 'list', '--organization', organization, '--json'),
      ) as { cost: string }[];
      return rows.reduce((sum, { cost }) => sum + (parseUsd(cost) ?? ZERO), 0n);
    },
    async verify() {
      const where = store === undefined ? ['--data', data] : ['--store', store];
      const { stdout } = await promisify(execFile)(PENSTOCK, ['ledger', 'verify', ...where]);
      return stdout.trim();
    },
    async [Symbol.asyncDispose]() {
      up.kill('SIGTERM');
      await once(up, 'exit');
      await sim.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function simArgs(speed: number): string[] {
  const tokenMs = (TOKEN_MS / speed).toFixed(6);
  const prefillUs = (PREFILL_US / speed).toFixed(6);
  const times = ['--token-ms', tokenMs, '--prefill-us', prefillUs];
  return ['sim', '--port', '0', '--catalog', SHIPPED_CATALOG, ...times];
}

/** Returns the price of the clients' usage at the catalog's prices, in pico-USD. */
export async function priceOf(
  service: Service,
  model: string,
  seen: readonly Seen[],
): Promise<bigint> {
  const { body } = await request(`${service.url}/models`, {
    headers: { authorization: `Bearer ${service.key}` },
  });
  const { data } = (await body.json()) as {
    data: {
      id: string;
      pricing: { prompt: string; completion: string; input_cache_read: string };
    }[];
  };
  const pricing = data.find(({ id }) => id === model)?.pricing;
  if (!pricing) throw new Error(`${model} is not in the catalog`);
  const price = {
    prompt: parseUsd(pricing.prompt) ?? ZERO,
    completion: parseUsd(pricing.completion) ?? ZERO,
    cached: parseUsd(pricing.input_cache_read) ?? ZERO,
  };
  return seen.reduce(
    (sum, { promptTokens: prompt, cachedTokens: cached, completionTokens: completion }) =>
      sum + charge(price, { prompt, cached, completion }),
    0n,
  );
}

export function sameMoney(charged: bigint, seen: bigint): string {
  const equal = charged === seen ? 'equal' : `DIFFERENT by ${formatUsd(charged - seen)}`;
  return `charged USD ${formatUsd(charged)}; price × usage seen USD ${formatUsd(seen)}: ${equal}`;
}
