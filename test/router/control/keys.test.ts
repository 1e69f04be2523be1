import { beforeAll, expect, test } from 'vitest';
import { digestSecret } from '../../../shared/peppers.ts';
import { openLedger } from '../../../router/ledger/ledger.ts';
import { systemClock as clock } from '../../../shared/clock.ts';
import { systemRandom as random } from '../../../shared/random.ts';
import { log, PEPPER } from './rig.ts';
import { rig, shareRig } from './shared-rig.ts';

shareRig();

let path: string;
beforeAll(async () => {
  path = `/api/v1/organizations/${rig.first.organization.id}/keys`;
});

const NONE = { requests_per_minute: null, tokens_per_minute: null, concurrent_requests: null };

async function otherOrganization(): Promise<string> {
  return (await rig.ask('POST', '/api/v1/organizations', { name: 'Other' })).body.id;
}

async function makeKey(name: string): Promise<{ id: string; key: string }> {
  return (await rig.ask('POST', path, { name })).body;
}

async function listed(): Promise<{ id: string; state: string }[]> {
  return (await rig.ask('GET', `${path}?limit=1000`)).body.data;
}

/** Looks up the key as the data plane does. */
async function asDataPlaneSees(value: string) {
  await using ledger = await openLedger(
    { store: rig.store, clock, random, log },
    { url: null, regions: ['global'] },
  );
  return await ledger.findKey(digestSecret(PEPPER, value));
}

test('a key is shown once, whole, and from then on by its label', async () => {
  const made = await rig.ask('POST', path, { name: 'worker 1' });
  expect(made.status).toBe(201);
  const { key, ...rest } = made.body;
  expect(key).toMatch(/^sk-test-infapi-[0-9A-Za-z]{46}$/);
  expect(rest).toEqual({
    id: expect.stringMatching(/^key_[0-9A-Za-z]{12}$/),
    name: 'worker 1',
    label: expect.stringMatching(/^sk-test-infapi-[0-9A-Za-z]{12}…$/),
    state: 'active',
    // The first run's operator is a member of the organization.
    created_by: { member: expect.stringMatching(/^mem_/), name: 'Operator' },
    created_by_other: null,
    limits: NONE,
    monthly_cap: null,
    daily_cap: null,
    allowed_models: null,
    spend: { today: '0', month: '0', total: '0' },
    created: expect.any(String),
    expires: null,
    revoked: null,
    revoked_by: null,
    revoked_by_other: null,
    last_used: null,
  });
  expect(await listed()).toContainEqual(rest);
  expect(JSON.stringify(await listed())).not.toContain(key);
});

test('the store has the digest of a key and not the key', async () => {
  const { key } = await makeKey('secret');
  const bytes = await rig.bytes();
  expect(bytes).toContain(digestSecret(PEPPER, key));
  expect(bytes).not.toContain(key);
  // The secret part alone, after the twelve characters of the label, is not stored, either.
  expect(bytes).not.toContain(key.slice(-34, -6));
});

test('a revoked key stays listed as revoked, and the next admission with it is refused', async () => {
  const { id, key } = await makeKey('to revoke');
  const before = await asDataPlaneSees(key);
  const revoked = await rig.ask('POST', `${path}/${id}/revoke`);
  expect(revoked.status).toBe(200);
  expect(revoked.body).toMatchObject({
    id,
    state: 'revoked',
    revoked: expect.stringMatching(/Z$/),
    revoked_by: { member: expect.stringMatching(/^mem_/), name: 'Operator' },
  });
  expect((await listed()).find((one) => one.id === id)?.state).toBe('revoked');
  const after = await asDataPlaneSees(key);
  expect(before?.active).toBe(true);
  expect(after?.active).toBe(false);
  // Cached data of the key is stale as well.
  expect(after?.epoch).toBe((before?.epoch ?? 0n) + 1n);
});

test('revoking again changes nothing more', async () => {
  const { id, key } = await makeKey('twice');
  await rig.ask('POST', `${path}/${id}/revoke`);
  const once = await asDataPlaneSees(key);
  expect((await rig.ask('POST', `${path}/${id}/revoke`)).status).toBe(200);
  expect((await asDataPlaneSees(key))?.epoch).toBe(once?.epoch);
});

test.each(['active', 'revoked'])(
  'a key is deleted while %s, and then on no list',
  async (state) => {
    const { id, key } = await makeKey('to delete');
    if (state === 'revoked') await rig.ask('POST', `${path}/${id}/revoke`);
    const deleted = await rig.ask('DELETE', `${path}/${id}`);
    expect(deleted.status).toBe(200);
    expect(deleted.body).toEqual({ id, deleted: true });
    expect((await listed()).map((one) => one.id)).not.toContain(id);
    expect((await asDataPlaneSees(key))?.active).toBe(false);
    expect((await rig.ask('POST', `${path}/${id}/revoke`)).status).toBe(404);
  },
);

test("another organization's key and a key that is not there look the same", async () => {
  const { id, key } = await makeKey('mine');
  const other = `/api/v1/organizations/${await otherOrganization()}/keys`;
  const foreign = await rig.ask('POST', `${other}/${id}/revoke`);
  const missing = await rig.ask('POST', `${other}/key_000000000000/revoke`);
  expect(foreign.status).toBe(404);
  expect(foreign.body.error).toEqual(missing.body.error);
  expect((await rig.ask('DELETE', `${other}/${id}`)).status).toBe(404);
  expect((await asDataPlaneSees(key))?.active).toBe(true);
});

test('a key is made with limits and a cap of its own, or given them later', async () => {
  const limits = { requests_per_minute: 60, tokens_per_minute: 5_000 };
  const made = await rig.ask('POST', path, {
    name: 'capped',
    limits,
    monthly_cap: '25.5',
    daily_cap: '2',
  });
  const shown = {
    limits: { ...limits, concurrent_requests: null },
    monthly_cap: '25.5',
    daily_cap: '2',
  };
  expect(made.body).toMatchObject(shown);
  expect(await listed()).toContainEqual(expect.objectContaining({ id: made.body.id, ...shown }));
  expect(await asDataPlaneSees(made.body.key)).toMatchObject({
    keyLimits: { requestsPerMinute: 60, tokensPerMinute: 5_000, concurrentRequests: null },
    monthlyCap: 25_500_000_000_000n,
    dailyCap: 2_000_000_000_000n,
  });

  const change = (to: object) => rig.ask('PATCH', `${path}/${made.body.id}`, to);
  const less = await change({ limits: { requests_per_minute: null, concurrent_requests: 2 } });
  const left = { requests_per_minute: null, tokens_per_minute: 5_000, concurrent_requests: 2 };
  expect(less.status).toBe(200);
  expect(less.body).toMatchObject({ id: made.body.id, limits: left, monthly_cap: '25.5' });
  expect((await change({ monthly_cap: null })).body).toMatchObject({
    limits: left,
    monthly_cap: null,
    daily_cap: '2',
  });
  expect((await change({ daily_cap: null })).body).toMatchObject({ daily_cap: null });
  expect((await change({ monthly_cap: '0' })).body).toMatchObject({ monthly_cap: '0' });
  expect((await change({})).body).toMatchObject({ limits: left, monthly_cap: '0' });
});

test("MONEY 11: a key's new cap is known to the next admission", async () => {
  const { id, key } = await makeKey('to cap');
  const before = await asDataPlaneSees(key);
  await rig.ask('PATCH', `${path}/${id}`, { monthly_cap: '1' });
  expect((await asDataPlaneSees(key))?.epoch).toBe((before?.epoch ?? 0n) + 1n);
});

test("another organization's key, and a deleted one, cannot be limited", async () => {
  const { id } = await makeKey('not theirs');
  const other = `/api/v1/organizations/${await otherOrganization()}/keys`;
  expect((await rig.ask('PATCH', `${other}/${id}`, { monthly_cap: '1' })).status).toBe(404);
  await rig.ask('DELETE', `${path}/${id}`);
  expect((await rig.ask('PATCH', `${path}/${id}`, { monthly_cap: '1' })).status).toBe(404);
});

test.each<[change: object, param: string]>([
  [{ monthly_cap: '-1' }, 'monthly_cap'],
  [{ monthly_cap: 5 }, 'monthly_cap'],
  [{ monthly_cap: '4000001' }, 'monthly_cap'],
  [{ monthly_cap: '9999999' }, 'monthly_cap'],
  [{ daily_cap: '-1' }, 'daily_cap'],
  [{ daily_cap: '4000001' }, 'daily_cap'],
  [{ limits: { concurrent_requests: -1 } }, 'limits.concurrent_requests'],
  [{ limits: null }, 'limits'],
  [{ state: 'revoked' }, 'state'],
])('%j is refused, for a new key and for an old one', async (change, param) => {
  const { id } = await makeKey('odd');
  const answers = [
    await rig.ask('PATCH', `${path}/${id}`, change),
    await rig.ask('POST', path, { name: 'odd', ...change }),
  ];
  for (const { status, body } of answers) {
    expect({ status, param: body.error.param }).toEqual({ status: 400, param });
  }
});

test('keys need a name', async () => {
  for (const body of [{}, { name: '' }, { name: 'x'.repeat(101) }]) {
    const answer = await rig.ask('POST', path, body);
    expect(answer.status).toBe(400);
    expect(answer.body.error.param).toBe('name');
  }
});

test('250 keys are listed newest first, each once, though many are of the same millisecond', async () => {
  const own = `/api/v1/organizations/${await otherOrganization()}/keys`;
  const ids: string[] = [];
  for (let batch = 0; batch < 10; batch++) {
    const names = Array.from({ length: 25 }, (_, i) => ({ name: `key ${batch} ${i}` }));
    const made = await Promise.all(names.map((name) => rig.ask('POST', own, name)));
    ids.push(...made.map(({ body }) => body.id));
  }
  const seen: { id: string; created: string }[] = [];
  for (let after: string | null = ''; after !== null; ) {
    const query: string = after === '' ? '' : `&after=${after}`;
    const { body } = await rig.ask('GET', `${own}?limit=37${query}`);
    seen.push(...body.data);
    after = body.next;
  }
  expect(seen.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
  const times = seen.map(({ created }) => created);
  expect(times).toEqual(times.toSorted().toReversed());
  expect((await rig.ask('GET', `${own}?after=key_000000000000`)).status).toBe(400);
});
