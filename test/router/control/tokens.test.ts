/** Management tokens, with which scripts act for one organization and nothing else. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { digestSecret } from '../../../shared/peppers.ts';
import { systemClock } from '../../../shared/clock.ts';
import { limits } from '../../../shared/limits.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { DataPlane } from './data-plane.ts';
import { allowChanges, type Signed, signIn } from './people.ts';
import { PEPPER, type Rig, startRig } from './rig.ts';

const HOUR_MS = 3_600_000;

let rig: Rig;
let clock: ManualClock;
let admin: Signed;
let own: string;
let tokens: string;
beforeAll(async () => {
  clock = new ManualClock(systemClock.now());
  rig = await startRig(clock);
  own = `/api/v1/organizations/${rig.first.organization.id}`;
  tokens = `${own}/tokens`;
  admin = await signIn(rig, { role: 'org-admin' });
});
afterAll(() => rig[Symbol.asyncDispose]());

async function make(fields: object = {}): Promise<{ id: string; token: string }> {
  const made = await admin.ask('POST', tokens, { name: 'script', role: 'developer', ...fields });
  expect(made.status).toBe(201);
  return made.body;
}

const asToken = (token: string, method: string, path: string, body?: unknown) =>
  rig.ask(method, path, body, { authorization: `Bearer ${token}` });

async function listed(id: string) {
  const { body } = await admin.ask('GET', `${tokens}?limit=1000`);
  return body.data.find((one: { id: string }) => one.id === id);
}

test('a token is shown once, whole, and from then on by its name', async () => {
  const { token, ...rest } = await make({ name: 'Terraform', role: 'viewer' });
  expect(token).toMatch(/^penstock-mgmt-[0-9A-Za-z]{40}$/);
  expect(rest).toEqual({
    id: expect.stringMatching(/^mtk_[0-9a-z]{26}$/),
    name: 'Terraform',
    role: 'viewer',
    state: 'active',
    created_by: { person: admin.person, name: 'Somebody' },
    created: new Date(clock.now()).toISOString(),
    expires: null,
    last_used: null,
  });
  expect(await listed(rest.id)).toEqual(rest);
});

test('which of the operators made a token is not told', async () => {
  const operator = await signIn(rig, { operator: true });
  await allowChanges(rig, operator, rig.first.organization.id);
  const made = await operator.ask('POST', tokens, { name: 'support', role: 'viewer' });
  expect(made.body.created_by).toBeNull();
  expect((await listed(made.body.id)).created_by).toBeNull();
});

test('a token does what its role may, in its organization alone', async () => {
  const { token } = await make({ role: 'viewer' });
  expect((await asToken(token, 'GET', `${own}/keys`)).status).toBe(200);
  expect((await asToken(token, 'POST', `${own}/keys`, { name: 'x' })).status).toBe(403);
  const other = (await rig.ask('POST', '/api/v1/organizations', { name: 'Other' })).body.id;
  expect((await asToken(token, 'GET', `/api/v1/organizations/${other}/keys`)).status).toBe(404);
  expect((await asToken(token, 'GET', '/api/v1/organizations')).status).toBe(403);
  const developer = await make({ role: 'developer' });
  expect((await asToken(developer.token, 'POST', `${own}/keys`, { name: 'x' })).status).toBe(201);
});

test('the store has the digest of a token and not the token, and neither has the audit log', async () => {
  const { id, token } = await make();
  await asToken(token, 'POST', `${own}/keys`, { name: 'by script' });
  const bytes = await rig.bytes();
  expect(bytes).toContain(digestSecret(PEPPER, token));
  expect(bytes).not.toContain(token);
  expect(bytes).not.toContain(token.slice(-40));
  const lines = await rig.place.sql(
    `select action, actor_kind, actor, target, details from audit
     where target = '${id}' or actor = '${id}' order by action desc`,
  );
  expect(lines).toMatchObject([
    { action: 'token.create', actor_kind: 'person', actor: admin.person },
    { action: 'key.create', actor_kind: 'management-token', actor: id },
  ]);
  expect(lines[0]).toHaveProperty('details', '{"name":"script","role":"developer"}');
});

test('a revoked token is refused at once and on no list', async () => {
  const { id, token } = await make();
  expect((await asToken(token, 'GET', `${own}/keys`)).status).toBe(200);
  const revoked = await admin.ask('DELETE', `${tokens}/${id}`);
  expect([revoked.status, revoked.body]).toEqual([200, { id, deleted: true }]);
  const refused = await asToken(token, 'GET', `${own}/keys`);
  expect([refused.status, refused.body.error.code]).toEqual([401, 'invalid_token']);
  expect(await listed(id)).toBeUndefined();
  expect((await admin.ask('DELETE', `${tokens}/${id}`)).status).toBe(404);
});

test('a token past its date is shown as expired and refused', async () => {
  const expires = new Date(clock.now() + HOUR_MS).toISOString();
  const { id, token } = await make({ expires });
  expect((await asToken(token, 'GET', `${own}/keys`)).status).toBe(200);
  clock.advance(HOUR_MS);
  expect((await asToken(token, 'GET', `${own}/keys`)).status).toBe(401);
  expect(await listed(id)).toMatchObject({ state: 'expired', expires });
  const past = await admin.ask('POST', tokens, { name: 'x', role: 'viewer', expires });
  expect([past.status, past.body.error.param]).toEqual([400, 'expires']);
});

test('no token makes or revokes tokens, of whatever role: that takes a person', async () => {
  const { id, token } = await make({ role: 'org-admin' });
  for (const answer of [
    await asToken(token, 'POST', tokens, { name: 'next', role: 'viewer' }),
    await asToken(token, 'DELETE', `${tokens}/${id}`),
  ]) {
    expect(answer.status).toBe(403);
    expect(answer.body.error).toMatchObject({
      code: 'forbidden',
      message: expect.stringContaining('person'),
    });
  }
  expect((await asToken(token, 'GET', tokens)).status).toBe(200);
});

test.each(['billing-admin', 'developer', 'viewer'] as const)(
  'a %s sees which tokens there are, and makes and revokes none',
  async (role) => {
    const { id } = await make();
    const member = await signIn(rig, { role });
    const page = await member.ask('GET', tokens);
    expect(page.status).toBe(200);
    expect(JSON.stringify(page.body)).not.toContain('penstock-mgmt-');
    expect((await member.ask('POST', tokens, { name: 'x', role: 'viewer' })).status).toBe(403);
    expect((await member.ask('DELETE', `${tokens}/${id}`)).status).toBe(403);
  },
);

test("another organization's token cannot be told from one that is not there", async () => {
  const { id } = await make();
  const other = (await rig.ask('POST', '/api/v1/organizations', { name: 'Other' })).body.id;
  const theirs = `/api/v1/organizations/${other}/tokens`;
  const foreign = await rig.ask('DELETE', `${theirs}/${id}`);
  const missing = await rig.ask('DELETE', `${theirs}/mtk_${'0'.repeat(26)}`);
  expect(foreign.status).toBe(404);
  expect(foreign.body.error).toEqual(missing.body.error);
  expect((await rig.ask('GET', theirs)).body.data).toEqual([]);
  expect(await listed(id)).toBeDefined();
});

test('the last use of a token is told to within a minute', async () => {
  const { id, token } = await make();
  const used = async () => (await listed(id)).last_used;
  const first = new Date(clock.now()).toISOString();
  await asToken(token, 'GET', `${own}/keys`);
  expect(await used()).toBe(first);
  clock.advance(59_000);
  await asToken(token, 'GET', `${own}/keys`);
  expect(await used()).toBe(first);
  clock.advance(1_000);
  await asToken(token, 'GET', `${own}/keys`);
  expect(await used()).toBe(new Date(clock.now()).toISOString());
});

test('the data plane does not know tokens, and the management API no API keys', async () => {
  await using plane = await DataPlane.open(rig);
  const { token } = await make({ role: 'org-admin' });
  expect(await plane.refusal(token)).toBe('invalid_api_key');
  expect(await plane.refusal(rig.first.apiKey)).toBeNull();
  expect((await asToken(rig.first.apiKey, 'GET', `${own}/keys`)).status).toBe(401);
});

const AT_ONCE = 10;

test('an organization has so many tokens and no more, until one is revoked', async () => {
  const other = (await rig.ask('POST', '/api/v1/organizations', { name: 'Many' })).body.id;
  const theirs = `/api/v1/organizations/${other}/tokens`;
  const ask = () => rig.ask('POST', theirs, { name: 'x', role: 'viewer' });
  const first = await ask();
  // A few at once: all of them would have to wait for the store's one writer.
  for (let made = 1; made < limits.managementTokensPerOrganizationMax; made += AT_ONCE) {
    const count = Math.min(AT_ONCE, limits.managementTokensPerOrganizationMax - made);
    const some = await Promise.all(Array.from({ length: count }, ask));
    expect(new Set(some.map(({ status }) => status))).toEqual(new Set([201]));
  }
  const full = await ask();
  expect([full.status, full.body.error.code]).toEqual([409, 'conflict']);
  await rig.ask('DELETE', `${theirs}/${first.body.id}`);
  expect((await ask()).status).toBe(201);

  const seen: string[] = [];
  for (let after = ''; ; ) {
    const { body } = await rig.ask('GET', `${theirs}?limit=30${after}`);
    seen.push(...body.data.map(({ id }: { id: string }) => id));
    if (!body.has_more) break;
    after = `&after=${body.next}`;
  }
  expect(seen).toEqual([...new Set(seen)].toSorted().toReversed());
  expect(seen).toHaveLength(limits.managementTokensPerOrganizationMax);
});

test.each<[body: object, param: string]>([
  [{ role: 'viewer' }, 'name'],
  [{ name: 'x' }, 'role'],
  [{ name: 'x', role: 'operator' }, 'role'],
  [{ name: 'x', role: 'viewer', scope: 'all' }, 'scope'],
])('%j makes no token', async (body, param) => {
  const answer = await admin.ask('POST', tokens, body);
  expect([answer.status, answer.body.error.param]).toEqual([400, param]);
});
