/** Three routers, one per region, on one PostgreSQL, with the configurations that ship for this. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Region } from '../../shared/region.ts';
import { type RegionRouters, startRegionRouters } from '../support/region-routers.ts';
import { until } from '../support/up.ts';
import { PostgresServer } from '../torture/postgres-server.ts';

let routers: RegionRouters;
const parts = new AsyncDisposableStack();

beforeAll(async () => {
  const server = parts.use(await PostgresServer.create());
  const store = await server.database('regions');
  routers = parts.use(await startRegionRouters({ global: store, us: store, eu: store }));
});
afterAll(() => parts.disposeAsync());

async function ask(key: string, at: Region): Promise<{ status: number; code: string | null }> {
  const response = await fetch(`${routers.origins[at]}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'minimax/minimax-m3',
      max_tokens: 1,
      messages: [{ role: 'user', content: 'Hi' }],
    }),
  });
  const { error } = (await response.json()) as { error?: { code: string } };
  return { status: response.status, code: error?.code ?? null };
}

const SERVED = { status: 200, code: null };
const WRONG_REGION = { status: 401, code: 'wrong_region' };
const NO_WORKER = { status: 503, code: 'no_worker' };

async function customerOf(region: Region): Promise<{ id: string; key: string }> {
  const create = ['organization', 'create', '--name', region, '--region', region];
  const { id } = await routers.admin<{ id: string }>(...create);
  const createKey = ['key', 'create', '--name', 'k', '--organization', id];
  return { id, key: (await routers.admin<{ key: string }>(...createKey)).key };
}

test('a host of us serves the routers of us and global; the one of eu has none', async () => {
  expect(await ask((await customerOf('us')).key, 'us')).toEqual(SERVED);
  expect(await ask(routers.first.apiKey, 'global')).toEqual(SERVED);
  expect(await ask((await customerOf('eu')).key, 'eu')).toEqual(NO_WORKER);
});

test('a key is refused at the routers of other regions', async () => {
  const { key } = await customerOf('us');
  expect(await ask(key, 'eu')).toEqual(WRONG_REGION);
  expect(await ask(key, 'global')).toEqual(WRONG_REGION);
  expect(await ask(routers.first.apiKey, 'us')).toEqual(WRONG_REGION);
});

test('a move takes effect on all routers within seconds, also where the key is cached', async () => {
  const { id, key } = await customerOf('us');
  expect(await ask(key, 'us')).toEqual(SERVED);
  expect(await ask(key, 'eu')).toEqual(WRONG_REGION);
  expect(await ask(key, 'global')).toEqual(WRONG_REGION);
  await routers.admin('organization', 'region', '--organization', id, '--region', 'global');
  await until(async () => (await ask(key, 'global')).status === 200, 'global serves it', 10_000);
  await until(async () => (await ask(key, 'us')).status === 401, 'us refuses it', 10_000);
  expect(await ask(key, 'eu')).toEqual(WRONG_REGION);
});
