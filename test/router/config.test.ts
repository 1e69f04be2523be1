import { mkdtemp, readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readAgentConfig } from '../../agent/config.ts';
import { parseRouterConfig, readRouterConfig } from '../../router/config.ts';
import { ConfigError } from '../../router/config-error.ts';
import { openSecrets } from '../../router/secrets.ts';
import { REGIONS } from '../../shared/region.ts';

const good = {
  listeners: [{ port: 0, region: 'global' }],
  store: 'sqlite:x.db',
  catalog: 'c',
  secrets: 's',
};

const DEFAULT_LIMITS = {
  organization: { requestsPerMinute: 10_000, tokensPerMinute: null, concurrentRequests: 1_000 },
  key: { requestsPerMinute: null, tokensPerMinute: null, concurrentRequests: null },
};

test('the shipped example is good', async () => {
  const config = await readRouterConfig('configs/router.yaml');
  expect(config.listeners[0]).toEqual({ host: '127.0.0.1', port: 8080, region: 'global' });
  expect(config.limits).toEqual(DEFAULT_LIMITS);
});

test('the shipped example of a fleet on PostgreSQL is good', async () => {
  const config = await readRouterConfig('configs/router.postgres.yaml');
  expect(config.store).toMatch(/^postgres:/);
  expect(config.advertise).toBe('wss://router-1.example.com/agent');
});

test('a listener may have a certificate, whole, and agents are not sent where they would not go', () => {
  const [listener] = good.listeners;
  const withTls = (tls: object) => ({ ...good, listeners: [{ ...listener, tls }] });
  const files = { cert: 'a.crt', key: 'a.key' };
  expect(parseRouterConfig(withTls(files), 'test').listeners[0]?.tls).toEqual(files);
  expect(() => parseRouterConfig(withTls({ cert: 'a.crt' }), 'test')).toThrow('tls.key');
  const advertise = 'ws://router.example/agent';
  expect(() => parseRouterConfig({ ...good, advertise }, 'test')).toThrow(/wss:\/\/ unless/);
  const local = 'ws://127.0.0.1:1/agent';
  expect(parseRouterConfig({ ...good, advertise: local }, 'test').advertise).toBe(local);
});

test('more than one process needs a URL at which agents reach each of them', () => {
  const apart = { ...good, listeners: [{ host: '0.0.0.0', port: 443, region: 'global' }] };
  expect(parseRouterConfig(apart, 'test').processes).toBe(1);
  for (const processes of [2, 'auto']) {
    expect(parseRouterConfig({ ...good, processes }, 'test').processes).toBe(processes);
    expect(() => parseRouterConfig({ ...apart, processes }, 'test')).toThrow(
      /is needed with more than one process/,
    );
    const advertise = 'wss://router.example/agent';
    const reachable = { ...apart, processes, advertise };
    expect(parseRouterConfig(reachable, 'test').processes).toBe(processes);
  }
  expect(() => parseRouterConfig({ ...good, processes: 0 }, 'test')).toThrow('processes');
  const withQuery = { ...good, processes: 2, advertise: 'wss://router.example/agent?x=1' };
  expect(() => parseRouterConfig(withQuery, 'test')).toThrow('must have no query');
});

test.each(REGIONS)('the shipped example of the router of region %s is good', async (region) => {
  const config = await readRouterConfig(`configs/regions/router.${region}.yaml`);
  const { listeners, advertise, ...shared } = config;
  expect(listeners.map((listener) => listener.region)).toEqual([region]);
  // The address in the region's own agent configuration, which the other routers pass on to their
  // agents.
  const { routers } = await readAgentConfig(`configs/regions/agent.${region}.yaml`);
  expect(advertise).toBe(routers[0]?.url);
  // The settings that the routers of all regions must share.
  const {
    listeners: _first,
    advertise: _at,
    ...first
  } = await readRouterConfig('configs/regions/router.global.yaml');
  expect(shared).toEqual(first);
});

test('a file that is no YAML is refused without quoting it: a URL may have a password in it', async () => {
  const file = join(await mkdtemp(join(tmpdir(), 'penstock-config-')), 'router.yaml');
  await writeFile(file, 'store: postgres://penstock:hunter2@db: 5432/x');
  const reading = readRouterConfig(file);
  await expect(reading).rejects.toThrow(ConfigError);
  await expect(reading).rejects.toThrow(`${file}: line 1, column 8: a line has a second key`);
  await expect(reading).rejects.not.toThrow('hunter2');
});

test('what is left out has a default', () => {
  const config = parseRouterConfig(good, 'test');
  expect(config).toMatchObject({ brand: 'penstock', policy: 'least-ttft', holdTtlMs: 30_000 });
  expect(config.metrics).toEqual({ host: '127.0.0.1', port: 9464 });
  expect(config.limits).toEqual(DEFAULT_LIMITS);
});

test('a welcome credit is an amount, and settings that were read are good once more', () => {
  const read = parseRouterConfig({ ...good, welcome: { amount: 2.5 } }, 'x.yaml');
  expect(read.welcome).toEqual({ amount: '2.5', perNetworkPerDay: 20 });
  expect(parseRouterConfig(JSON.parse(JSON.stringify(read)), 'x.yaml')).toEqual(read);
  expect(parseRouterConfig(good, 'x.yaml').welcome.amount).toBe('5');
  for (const amount of ['-1', 'much', null]) {
    const wrong = { ...good, welcome: { amount } };
    expect(() => parseRouterConfig(wrong, 'x.yaml')).toThrow('welcome.amount');
  }
});

test('a seller has a name, and may have an address, a tax ID, a series of receipts, a note and instructions', () => {
  const read = (seller: object) => parseRouterConfig({ ...good, seller }, 'x.yaml').seller;
  expect(parseRouterConfig(good, 'x.yaml').seller).toBeUndefined();
  expect(read({ name: ' Sluice Ltd ' })).toEqual({
    name: 'Sluice Ltd',
    address: '',
    taxId: '',
    series: 'REC',
    note: '',
    paymentInstructions: '',
  });
  const whole = {
    name: 'n'.repeat(200),
    address: Array.from({ length: 6 }, () => 'a'.repeat(100)).join('\n'),
    taxId: 't'.repeat(50),
    series: 'S123456789ABCDEF',
    note: 'o'.repeat(500),
    paymentInstructions: Array.from({ length: 6 }, () => 'p'.repeat(100)).join('\n'),
  };
  expect(read(whole)).toEqual(whole);
});

test.each([
  ['no name', 'seller.name', { address: '1 Weir Road' }],
  ['an empty name', 'seller.name', { name: ' ' }],
  ['too long a name', 'seller.name', { name: 'n'.repeat(201) }],
  ['a name of two lines', 'seller.name', { name: 'Sluice\nLtd' }],
  ['a name that is read backwards', 'seller.name', { name: 'Sluice \u202eLtd' }],
  ['an address of seven lines', 'seller.address', { address: 'a\n'.repeat(6) + 'a' }],
  ['a line of an address that is too long', 'seller.address', { address: 'a'.repeat(101) }],
  ['a control character in its address', 'seller.address', { address: '1 Weir\u0000Road' }],
  ['too long a tax ID', 'seller.taxId', { taxId: 't'.repeat(51) }],
  ['a control character in its tax ID', 'seller.taxId', { taxId: 'IE\t123' }],
  ['too short a series', 'seller.series', { series: 'R' }],
  ['too long a series', 'seller.series', { series: 'R'.repeat(17) }],
  ['a series with a line break', 'seller.series', { series: 'REC\n' }],
  ['the series of invoices', 'seller.series', { series: 'INV' }],
  ['too long a note', 'seller.note', { note: 'o'.repeat(501) }],
  ['a control character in its note', 'seller.note', { note: 'Reverse\u001bcharge' }],
  [
    'instructions of seven lines',
    'seller.paymentInstructions',
    { paymentInstructions: 'a\n'.repeat(6) + 'a' },
  ],
  ['a setting that is unknown', 'seller', { tax_id: 'IE123' }],
])('a seller with %s is refused by name', (_, fault, wrong) => {
  const seller = fault === 'seller.name' ? wrong : { name: 'Sluice Ltd', ...wrong };
  expect(() => parseRouterConfig({ ...good, seller }, 'x.yaml')).toThrow(fault);
});

test('an operator has a contact, terms and a privacy policy, each if it is set', () => {
  const read = (operator: object) => parseRouterConfig({ ...good, operator }, 'x.yaml').operator;
  expect(parseRouterConfig(good, 'x.yaml').operator).toEqual({});
  for (const operator of [
    { contact: 'support+eu@example.com' },
    { contact: 'https://example.com/help', terms: 'https://example.com/terms#a' },
    { terms: 'http://localhost:8081/terms', privacy: 'https://example.com/privacy?v=2' },
  ]) {
    expect(read(operator)).toEqual(operator);
  }
});

test.each([
  ['a contact that is neither a mail address nor a URL', 'operator.contact', { contact: 'help' }],
  ['an empty contact', 'operator.contact', { contact: '' }],
  ['a contact of two lines', 'operator.contact', { contact: 'a@example.com\nb@example.com' }],
  ['a contact with a header', 'operator.contact', { contact: 'a@example.com?bcc=b@example.com' }],
  ['too long a contact', 'operator.contact', { contact: `${'a'.repeat(400)}@example.com` }],
  ['a contact that is a script', 'operator.contact', { contact: 'javascript:alert(1)//@a.com' }],
  ['terms that are a script', 'operator.terms', { terms: 'javascript:alert(1)' }],
  ['terms without slashes, which may be a path', 'operator.terms', { terms: 'https:e.com/terms' }],
  ['terms with one slash', 'operator.terms', { terms: 'https:/e.com/terms' }],
  ['terms with a hidden script', 'operator.terms', { terms: 'java\nscript:alert(1)' }],
  ['terms that are data', 'operator.terms', { terms: 'data:text/html,terms' }],
  ['terms over plain HTTP', 'operator.terms', { terms: 'http://example.com/terms' }],
  ['too long terms', 'operator.terms', { terms: `https://example.com/${'a'.repeat(2048)}` }],
  ['terms that are a mail address', 'operator.terms', { terms: 'terms@example.com' }],
  ['a user in a URL', 'operator.privacy', { privacy: 'https://me@example.com/' }],
  ['a password in a URL', 'operator.privacy', { privacy: 'https://me:word@example.com/' }],
  ['a NUL byte', 'operator.privacy', { privacy: 'https://example.com/\u0000' }],
  ['a setting that is unknown', 'operator', { imprint: 'https://example.com/' }],
])('an operator with %s is refused by name', (_, fault, operator) => {
  expect(() => parseRouterConfig({ ...good, operator }, 'x.yaml')).toThrow(fault);
});

test('a limit that is given leaves the others as they are, and null is none', () => {
  const limits = { organization: { requestsPerMinute: null, tokensPerMinute: 5 } };
  const config = parseRouterConfig({ ...good, limits }, 'test');
  expect(config.limits).toEqual({
    ...DEFAULT_LIMITS,
    organization: { ...DEFAULT_LIMITS.organization, ...limits.organization },
  });
  const none = { key: { concurrentRequests: 0 } };
  expect(() => parseRouterConfig({ ...good, limits: none }, 'test')).toThrow('limits.key');
});

test('every fault is named at once, unknown keys among them', () => {
  const bad = { ...good, listeners: [], store: 'mysql://x', brand: 'A B', colour: 'red' };
  const fault = (() => {
    try {
      parseRouterConfig(bad, 'router.yaml');
      return null;
    } catch (error) {
      return error as Error;
    }
  })();
  expect(fault).toBeInstanceOf(ConfigError);
  for (const name of ['router.yaml', 'listeners', 'store', 'brand', 'colour']) {
    expect(fault?.message).toContain(name);
  }
});

test('secrets are made once, readable by their owner alone, and stay the same', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'penstock-secrets-'));
  const file = join(folder, 'new', 'secrets.json');
  const [one, other] = await Promise.all([openSecrets(file), openSecrets(file)]);
  expect(one.peppers).toEqual(other.peppers);
  expect(one.peppers.map(({ secret }) => secret.length)).toEqual([32]);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(Buffer.from((await openSecrets(file)).cacheSalt).equals(one.cacheSalt)).toBe(true);
});

test('a damaged secrets file is a fault that does not quote it', async () => {
  const file = join(await mkdtemp(join(tmpdir(), 'penstock-secrets-')), 'secrets.json');
  await writeFile(file, '{"pepper":"do-not-show"}');
  await expect(openSecrets(file)).rejects.toThrow(ConfigError);
  await expect(openSecrets(file)).rejects.not.toThrow(/do-not-show/);
});

test('the keys of Stripe are put into the secrets file by hand, and a wrong one is not quoted', async () => {
  const file = join(await mkdtemp(join(tmpdir(), 'penstock-secrets-')), 'secrets.json');
  expect((await openSecrets(file)).stripe).toBeNull();
  const made = JSON.parse(await readFile(file, 'utf8')) as object;
  const stripe = { secretKey: 'sk_live_do-not-show', webhookSecret: 'whsec_do-not-show' };
  await writeFile(file, JSON.stringify({ ...made, stripe }));
  expect((await openSecrets(file)).stripe).toEqual(stripe);
  await writeFile(file, JSON.stringify({ ...made, stripe: { secretKey: stripe.secretKey } }));
  await expect(openSecrets(file)).rejects.toThrow(ConfigError);
  await expect(openSecrets(file)).rejects.not.toThrow(/do-not-show/);
});
