/** The catalog as an organization sees it: its prices, and the models that are served to it now. */
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { LiveCatalog } from '../../../router/catalog/live.ts';
import { readCatalog } from '../../../shared/catalog.ts';
import { systemClock } from '../../../shared/clock.ts';
import { ZERO } from '../../../shared/money.ts';
import { ScriptedAgent } from '../request/scripted-agent.ts';
import { signIn } from './people.ts';
import { log } from './rig.ts';
import { rig, shareRig } from './shared-rig.ts';

shareRig();

const FILE = 'configs/catalog.yaml';
const MODEL = 'qwen/qwen3-235b-a22b-instruct-2507';

async function organization(fields: object = {}): Promise<string> {
  const { body } = await rig.ask('POST', '/api/v1/organizations', { name: 'Other', ...fields });
  return `/api/v1/organizations/${body.id}`;
}

async function modelOf(own: string, id = MODEL) {
  const { body } = await rig.ask('GET', `${own}/models`);
  return body.data.find((model: { id: string }) => model.id === id);
}

test('every model of the catalog is listed as GET /v1/models has it, billed at its list price', async () => {
  const viewer = await signIn(rig, { role: 'viewer' });
  const path = `/api/v1/organizations/${rig.first.organization.id}/models`;
  const { status, body } = await viewer.ask('GET', path);
  expect(status).toBe(200);
  const catalog = [...(await readCatalog(FILE)).values()];
  expect(body).toEqual({
    data: catalog.map(({ thinking: _ours, ...entry }) => ({
      ...entry,
      billed: entry.pricing,
      agreed: false,
      available: false,
    })),
    has_more: false,
    next: null,
  });
});

test('the catalog comes in pages, too, in its own order', async () => {
  const own = await organization();
  const seen: string[] = [];
  for (let after = ''; ; ) {
    const { body } = await rig.ask('GET', `${own}/models?limit=4${after}`);
    seen.push(...body.data.map(({ id }: { id: string }) => id));
    if (!body.has_more) break;
    after = `&after=${encodeURIComponent(body.next)}`;
  }
  expect(seen).toEqual([...(await readCatalog(FILE)).keys()]);
  const odd = await rig.ask('GET', `${own}/models?after=no/such`);
  expect([odd.status, odd.body.error.param]).toEqual([400, 'after']);
});

test('a price that was agreed is what the organization is billed, and no other organization', async () => {
  const [own, other] = [await organization(), await organization()];
  const rate = { prompt: '0.0000001', completion: '0.0000003', input_cache_read: '0' };
  expect((await rig.ask('PUT', `${own}/rates/${MODEL}`, rate)).status).toBe(200);
  const listed = await modelOf(other);
  expect(listed).toMatchObject({ billed: listed.pricing, agreed: false });
  expect(await modelOf(own)).toMatchObject({ billed: rate, agreed: true, pricing: listed.pricing });
  await rig.ask('DELETE', `${own}/rates/${MODEL}`);
  expect(await modelOf(own)).toMatchObject({ billed: listed.pricing, agreed: false });
});

test('a model is available where a ready worker of the region serves it', async () => {
  const [own, eu] = [await organization(), await organization({ region: 'eu' })];
  const available = async () => [(await modelOf(own)).available, (await modelOf(eu)).available];
  expect(await available()).toEqual([false, false]);
  const parts = { clock: systemClock, log };
  const here = new ScriptedAgent(rig.fleet, parts, 'here');
  here.report([MODEL]);
  expect(await available()).toEqual([true, false]);
  const there = new ScriptedAgent(rig.fleet, parts, 'there', 'eu');
  there.report([MODEL]);
  expect(await available()).toEqual([true, true]);
  expect((await modelOf(eu, 'qwen/qwen3.5-397b-a17b')).available).toBe(false);
  here.drop();
  expect(await available()).toEqual([true, true]);
  there.drop();
  expect(await available()).toEqual([false, false]);
});

test('strangers see no models, and operators alone how the catalog is', async () => {
  const own = await organization();
  const stranger = await signIn(rig);
  expect((await stranger.ask('GET', `${own}/models`)).status).toBe(404);
  const admin = await signIn(rig, { role: 'org-admin' });
  expect((await admin.ask('GET', '/api/v1/catalog')).status).toBe(403);
  const { status, body } = await rig.ask('GET', '/api/v1/catalog');
  expect(status).toBe(200);
  expect(body).toEqual({
    models: (await readCatalog(FILE)).size,
    loaded: expect.any(String),
    fault: null,
  });
});

test('a catalog says what is wrong with its file until that is put right', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'penstock-catalog-'));
  try {
    const file = join(folder, 'catalog.yaml');
    await copyFile(FILE, file);
    const price = { prompt: ZERO, completion: ZERO, cached: ZERO };
    await using catalog = await LiveCatalog.open(file, {
      clock: systemClock,
      log,
      fixPrices: async (models) =>
        new Map([...models.keys()].map((model) => [model, { id: 'prc_1' as never, model, price }])),
    });
    const good = catalog.status;
    expect(good).toEqual({
      models: (await readCatalog(FILE)).size,
      loaded: expect.any(Number),
      fault: null,
    });
    const fault = () => catalog.status.fault;
    const text = await readFile(FILE, 'utf8');
    await writeFile(file, 'models: []');
    await expect.poll(fault, { timeout: 10_000 }).toContain('models');
    expect(catalog.status).toMatchObject({ models: good.models, loaded: good.loaded });
    await writeFile(file, text);
    await expect.poll(fault, { timeout: 10_000 }).toBeNull();
    // The file is deleted, and then restored unchanged.
    await rm(file);
    await expect.poll(fault, { timeout: 10_000 }).toContain('ENOENT');
    await writeFile(file, text);
    await expect.poll(fault, { timeout: 10_000 }).toBeNull();
  } finally {
    await rm(folder, { recursive: true });
  }
});
