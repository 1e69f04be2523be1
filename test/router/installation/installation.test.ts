import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { parseRouterConfig, type RouterConfig } from '../../../router/config.ts';
import { ConfigError } from '../../../router/config-error.ts';
import { bootstrap, type FirstRun } from '../../../router/control/bootstrap.ts';
import { acceptSettings, compareSettings } from '../../../router/installation/accept.ts';
import { openInstallation } from '../../../router/installation/open.ts';
import { openStoreOf } from '../../../router/installation/store.ts';
import { addPepper } from '../../../router/secrets.ts';
import { BUILD } from '../../../shared/build.ts';
import { systemClock as clock } from '../../../shared/clock.ts';
import { makeLog } from '../../../shared/log.ts';
import { systemRandom as random } from '../../../shared/random.ts';
import { openAsRouter } from '../../support/installation.ts';
import { makeStorePlace, type StorePlace } from '../../support/store.ts';

// Each start opens a store with its threads, which takes a while.
vi.setConfig({ testTimeout: 120_000 });

const parts = { clock, log: makeLog('test', 'silent') };

class Site implements AsyncDisposable {
  readonly place: StorePlace;
  readonly folder: string;

  private constructor(place: StorePlace, folder: string) {
    this.place = place;
    this.folder = folder;
  }

  static async make(): Promise<Site> {
    return new Site(await makeStorePlace('empty'), await mkdtemp(join(tmpdir(), 'penstock-site-')));
  }

  file(name: string): string {
    return join(this.folder, name);
  }

  config(settings: object = {}): RouterConfig {
    const given = {
      listeners: [{ port: 0, region: 'global' }],
      store: this.place.url,
      catalog: 'catalog.yaml',
      secrets: this.file('secrets.json'),
      ...settings,
    };
    return parseRouterConfig(given, 'router.yaml');
  }

  /** Starts and stops a router's store and secrets. The first start creates the store. */
  async start(settings: object = {}): Promise<FirstRun | null> {
    const config = this.config(settings);
    const { store, pepper } = await openAsRouter(config);
    await using opened = store;
    return await bootstrap(opened, { pepper, brand: config.brand, clock, random });
  }

  /** Starts and stops as `start` does, and returns what is logged meanwhile. */
  async startLogged(): Promise<object[]> {
    const lines: object[] = [];
    const write = (line: string) => void lines.push(JSON.parse(line) as object);
    const logged = { clock, log: makeLog('test', 'warn', { write }) };
    const config = this.config();
    const [opened] = await openStoreOf(config, logged, async () => null);
    const { store } = await openInstallation(config, opened, logged);
    await store[Symbol.asyncDispose]();
    return lines;
  }

  /** Returns the message with which a start is refused. */
  async refusal(settings: object): Promise<string> {
    const error = await this.start(settings).then(
      () => null,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(ConfigError);
    return (error as ConfigError).message;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.place[Symbol.asyncDispose]();
    await rm(this.folder, { recursive: true });
  }
}

const secret = () => randomBytes(32).toString('base64');

test('a router with other secrets is refused, by the name of the secret and never its value', async () => {
  await using site = await Site.make();
  await site.start();
  const own = JSON.parse(await readFile(site.file('secrets.json'), 'utf8'));
  const other = site.file('other.json');
  await writeFile(other, JSON.stringify({ ...own, pepper: secret() }));
  const pepperRefused = await site.refusal({ secrets: other });
  expect(pepperRefused).toContain("secrets: pepper is not the fleet's");
  expect(pepperRefused).not.toContain('cacheSalt');
  await writeFile(other, JSON.stringify({ ...own, cacheSalt: secret() }));
  const saltRefused = await site.refusal({ secrets: other });
  expect(saltRefused).toContain("secrets: cacheSalt is not the fleet's");
  for (const text of [pepperRefused, saltRefused]) {
    expect(text).not.toContain(own.pepper);
    expect(text).not.toContain(own.cacheSalt);
  }
  await site.start();
});

test('the store is closed when what is done while it opens fails', async () => {
  await using site = await Site.make();
  await site.start();
  const load = () => Promise.reject(new Error('no such module'));
  await expect(openStoreOf(site.config(), parts, load)).rejects.toThrow('no such module');
  // A store that were still open would refuse another router.
  await site.start();
});

test('a first run whose secrets cannot be kept changes nothing, and is made again', async () => {
  await using site = await Site.make();
  const config = site.config();
  const { store, pepper } = await openAsRouter(config);
  await using opened = store;
  const run = { pepper, brand: config.brand, clock, random };
  const fullDisk = () => Promise.reject(new Error('the disk is full'));
  await expect(bootstrap(opened, run, fullDisk)).rejects.toThrow('the disk is full');
  const kept: FirstRun[] = [];
  const made = await bootstrap(opened, run, async (minted) => void kept.push(minted));
  expect(kept).toEqual([made]);
  expect(made).not.toBeNull();
});

test('a router without a secrets file makes none on a store that is in use', async () => {
  await using site = await Site.make();
  await site.start();
  const missing = site.file('missing.json');
  const refused = await site.refusal({ secrets: missing });
  expect(refused).toContain(missing);
  expect(refused).toContain('the store is in use already');
  expect(existsSync(missing)).toBe(false);
});

test('other shared settings are refused with both values, and private ones are not looked at', async () => {
  await using site = await Site.make();
  await site.start();
  const refused = await site.refusal({
    holdTtlMs: 5_000,
    brand: 'acme',
    limits: { organization: { requestsPerMinute: 1 } },
    payments: { provider: 'sandbox' },
  });
  expect(refused).toContain('holdTtlMs is 5000 here, and 30000 in the fleet');
  expect(refused).toContain('brand is "acme" here, and "penstock" in the fleet');
  expect(refused).toContain('limits.organization is');
  expect(refused).toContain('payments.provider is "sandbox" here, and "none" in the fleet');
  expect(refused).not.toContain('limits.key');
  await site.start({ drainGraceMs: 0, policy: 'round-robin', logLevel: 'warn' });
});

test('the terms of the welcome credit are shared as amounts, however they are written', async () => {
  await using site = await Site.make();
  await site.start({ welcome: { amount: '2.50' } });
  await site.start({ welcome: { amount: 2.5 } });
  expect(await site.refusal({ welcome: { amount: '2.51' } })).toContain('welcome is');
});

test('an installation from before the fingerprint adopts what it has on its next start', async () => {
  await using site = await Site.make();
  await site.start();
  await site.place.sql('DELETE FROM fleet_settings');
  expect(await site.refusal({ secrets: site.file('missing.json') })).toContain('in use already');
  await site.start({ holdTtlMs: 20_000 });
  expect(await site.refusal({})).toContain('holdTtlMs is 30000 here, and 20000 in the fleet');
});

test('what the store keeps of the secrets is of no use without them', async () => {
  await using site = await Site.make();
  await site.start();
  const own = JSON.parse(await readFile(site.file('secrets.json'), 'utf8'));
  const bytes = await site.place.bytes();
  for (const text of [own.pepper, own.cacheSalt]) {
    expect(bytes).not.toContain(text);
    expect(bytes).not.toContain(Buffer.from(text, 'base64').toString('hex'));
  }
});

test('a setting is changed for the whole fleet on purpose', async () => {
  await using site = await Site.make();
  await site.start();
  const changed = { holdTtlMs: 5_000 };
  expect(await compareSettings(site.config(changed), parts)).toEqual([
    'holdTtlMs is 5000 here, and 30000 in the fleet',
  ]);
  expect(await acceptSettings(site.config(changed), parts)).toHaveLength(1);
  await site.start(changed);
  expect(await site.refusal({})).toContain('holdTtlMs is 30000 here, and 5000 in the fleet');
});

test('a pepper that was added is used once the fleet is told so, and the older one is still known', async () => {
  await using site = await Site.make();
  await site.start();
  const before = await readFile(site.file('secrets.json'), 'utf8');
  await addPepper(site.file('secrets.json'));
  await writeFile(site.file('before.json'), before);
  // Both files must work together while the new one is rolled out to one router after another.
  await site.start({ secrets: site.file('before.json') });
  const config = site.config();
  const newestTag = async () => {
    const { store, secrets, pepper } = await openAsRouter(config);
    await store[Symbol.asyncDispose]();
    expect(pepper.all).toHaveLength(2);
    return { used: pepper.newest.tag, inFile: secrets.peppers.map(({ tag }) => tag) };
  };
  const early = await newestTag();
  expect(early.used).toBe(early.inFile[1]);
  await acceptSettings(config, parts);
  const late = await newestTag();
  expect(late.used).toBe(late.inFile[0]);
  expect(await site.refusal({ secrets: site.file('before.json') })).toContain(
    "secrets: pepper is not the fleet's",
  );
});

test('a router on a store of a later version says that it is older, whether it can run or not', async () => {
  await using site = await Site.make();
  await site.start();
  await site.place.sql(
    "INSERT INTO kysely_migration (name, timestamp) VALUES ('9999-later', '2100-01-01')",
    "UPDATE schema_state SET version = '7.0.0'",
  );
  expect(await site.startLogged()).toContainEqual(
    expect.objectContaining({
      msg: 'this Penstock is older than its store, on which it can still run: update it',
      version: BUILD.version,
      later: '7.0.0',
    }),
  );
  await site.place.sql("UPDATE schema_state SET needs = '9999-later'");
  await expect(site.start()).rejects.toMatchObject({
    name: 'StoreMismatched',
    message: expect.stringContaining('written by a later version, 7.0.0'),
  });
});
