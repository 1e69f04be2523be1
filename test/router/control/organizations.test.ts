import { expect, test } from 'vitest';
import { dispute } from '../../../router/ledger/payments.ts';
import type { OrganizationId } from '../../../shared/ids.ts';
import { PICO_PER_USD, picoUsd } from '../../../shared/money.ts';
import { signIn } from './people.ts';
import { rig, shareRig } from './shared-rig.ts';

shareRig();

const PATH = '/api/v1/organizations';
const NOBODY = `org_${'0'.repeat(26)}`;

test('a new organization is global, active, prepaid, and has its welcome credit', async () => {
  const made = await rig.ask('POST', PATH, { name: ' Lab ' });
  expect(made.status).toBe(201);
  expect(made.body).toEqual({
    id: expect.stringMatching(/^org_[0-9a-z]{26}$/),
    name: 'Lab',
    region: 'global',
    base_url: `${rig.origin}/v1`,
    moves: [],
    status: 'active',
    billing: { type: 'prepaid' },
    limits: { requests_per_minute: null, tokens_per_minute: null, concurrent_requests: null },
    limits_in_force: {
      requests_per_minute: 10_000,
      tokens_per_minute: null,
      concurrent_requests: 1_000,
    },
    low_balance_threshold: null,
    members: 0,
    created: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    deleted: null,
  });
  expect((await rig.ask('GET', `${PATH}/${made.body.id}`)).body).toEqual(made.body);
  const transfers = await rig.ask('GET', `${PATH}/${made.body.id}/transfers`);
  expect(transfers.body.data).toMatchObject([{ kind: 'welcome', amount: '5', seq: 1 }]);
});

test('its region is written in either case', async () => {
  const made = await rig.ask('POST', PATH, { name: 'Lab', region: 'EU' });
  expect(made.body.region).toBe('eu');
});

test('an organization that is not there, and what is no id, look the same', async () => {
  const answers = [
    await rig.ask('GET', `${PATH}/${NOBODY}`),
    await rig.ask('GET', `${PATH}/${rig.first.agent.id}`),
    await rig.ask('GET', `${PATH}/1%27%20or%201=1`),
  ];
  for (const { status, body } of answers) {
    expect({ status, code: body.error.code }).toEqual({ status: 404, code: 'not_found' });
  }
});

test('whatever stands below an organization that is not there is not there', async () => {
  const below: [method: string, path: string, body?: object][] = [
    ['PATCH', '', { name: 'New' }],
    ['PATCH', 'terms', { status: 'suspended' }],
    ['GET', 'rates'],
    ['PUT', 'rates/lab/model', { prompt: '0', completion: '0', input_cache_read: '0' }],
    ['DELETE', 'rates/lab/model'],
    ['GET', 'keys'],
    ['POST', 'keys', { name: 'a' }],
    ['POST', 'keys/key_000000000000/revoke'],
    ['PATCH', 'keys/key_000000000000', { monthly_cap: '1' }],
    ['DELETE', 'keys/key_000000000000'],
    ['GET', 'credit'],
    ['POST', 'credit/adjustments', { amount: '1', reason: 'a' }],
    ['GET', 'transfers'],
    ['GET', 'usage'],
  ];
  for (const [method, path, body] of below) {
    const at = `${PATH}/${NOBODY}${path && `/${path}`}`;
    const answer = await rig.ask(method, at, body);
    expect(answer.status, path).toBe(404);
  }
});

async function make(): Promise<string> {
  return `${PATH}/${(await rig.ask('POST', PATH, { name: 'Lab' })).body.id}`;
}

test('of its terms, what is given changes and the rest stays', async () => {
  const path = await make();
  const terms = `${path}/terms`;
  const before = (await rig.ask('GET', path)).body;
  const first = await rig.ask('PATCH', terms, {
    limits: { requests_per_minute: 60, concurrent_requests: 4 },
  });
  expect(first.status).toBe(200);
  expect(first.body).toEqual({
    ...before,
    limits: { requests_per_minute: 60, tokens_per_minute: null, concurrent_requests: 4 },
    limits_in_force: { requests_per_minute: 60, tokens_per_minute: null, concurrent_requests: 4 },
  });
  const all = await rig.ask('PATCH', terms, {
    status: 'suspended',
    billing: { type: 'invoiced', credit_limit: '250.5', payment_terms_days: 14 },
    limits: { tokens_per_minute: 100_000, concurrent_requests: null },
  });
  expect(all.body).toEqual({
    ...before,
    status: 'suspended',
    billing: { type: 'invoiced', credit_limit: '250.5', payment_terms_days: 14 },
    limits: { requests_per_minute: 60, tokens_per_minute: 100_000, concurrent_requests: null },
    limits_in_force: {
      requests_per_minute: 60,
      tokens_per_minute: 100_000,
      concurrent_requests: 1_000,
    },
  });
  expect((await rig.ask('PATCH', terms, {})).body).toEqual(all.body);
  expect((await rig.ask('GET', path)).body).toEqual(all.body);
  // The answer of a GET can be sent back as a PATCH.
  const { status, billing, limits } = before;
  const undone = await rig.ask('PATCH', terms, { status, billing, limits });
  expect(undone.body).toEqual({ ...before, limits: { ...before.limits } });
});

test('an org-admin sets its name and when it is told of a low balance, and its terms not at all', async () => {
  const admin = await signIn(rig, { role: 'org-admin' });
  const path = `${PATH}/${rig.first.organization.id}`;
  const change = { name: 'Ours', low_balance_threshold: '2.50' };
  const changed = await admin.ask('PATCH', path, change);
  expect(changed.status).toBe(200);
  expect(changed.body).toMatchObject({ name: 'Ours', low_balance_threshold: '2.5' });
  expect((await admin.ask('GET', path)).body).toEqual(changed.body);
  const none = await admin.ask('PATCH', path, { low_balance_threshold: null });
  expect(none.body).toMatchObject({ name: 'Ours', low_balance_threshold: null });
  const terms = await admin.ask('PATCH', `${path}/terms`, { limits: { requests_per_minute: 1 } });
  expect(terms.status).toBe(403);
  for (const role of ['billing-admin', 'developer', 'viewer'] as const) {
    const other = await signIn(rig, { role });
    expect((await other.ask('PATCH', path, { name: 'Theirs' })).status, role).toBe(403);
  }
});

test.each<[change: object, param: string]>([
  [{ name: '' }, 'name'],
  [{ name: 'a\nb' }, 'name'],
  [{ region: 'moon' }, 'region'],
  [{ low_balance_threshold: '-1' }, 'low_balance_threshold'],
  [{ low_balance_threshold: 5 }, 'low_balance_threshold'],
  [{ status: 'suspended' }, 'status'],
  [{ billing: { type: 'prepaid' } }, 'billing'],
])('a change of its settings to %j is refused', async (change, param) => {
  const answer = await rig.ask('PATCH', await make(), change);
  expect(answer.status).toBe(400);
  expect(answer.body.error.param).toBe(param);
});

test('a person opens organizations of their own: as org-admin, without credit, ten at most', async () => {
  const person = await signIn(rig);
  const first = await person.ask('POST', PATH, { name: 'Own' });
  expect(first.status).toBe(201);
  expect(first.body).toMatchObject({ name: 'Own', members: 1 });
  const own = `${PATH}/${first.body.id}`;
  expect((await person.ask('GET', `${own}/credit`)).body).toMatchObject({ balance: '0' });
  expect((await person.ask('PATCH', own, { name: 'Mine' })).status).toBe(200);
  // All requests run at once. Whatever their order, the tenth organization is the last.
  const more = await Promise.all(
    Array.from({ length: 12 }, (_, i) => person.ask('POST', PATH, { name: `Own ${i}` })),
  );
  const made = more.filter(({ status }) => status === 201);
  expect(made).toHaveLength(9);
  expect(more.filter(({ status }) => status === 409)).toHaveLength(3);
});

test('operators find organizations by id, by a part of the name, and by a member’s address', async () => {
  const { id } = (await rig.ask('POST', PATH, { name: 'Zürich 100% Lab_x' })).body;
  const member = await signIn(rig, { role: 'viewer', organization: id });
  const find = async (search: string) => {
    const { body } = await rig.ask('GET', `${PATH}?search=${encodeURIComponent(search)}`);
    return body.data.map((found: { id: string }) => found.id);
  };
  expect(await find(id)).toEqual([id]);
  expect(await find('100% lab_')).toEqual([id]);
  expect(await find('rich 100')).toEqual([id]);
  expect(await find(member.email.toUpperCase())).toEqual([id]);
  expect(await find('100%Lab')).toEqual([]);
  expect(await find("' or 1=1 --")).toEqual([]);
  expect((await rig.ask('GET', `${PATH}?search=`)).status).toBe(400);
});

test('a change is made whole or not at all', async () => {
  const path = await make();
  const terms = `${path}/terms`;
  await rig.ask('PATCH', terms, { billing: { type: 'invoiced', credit_limit: '10' } });
  const reason = 'an invoice not paid';
  await rig.ask('POST', `${path}/credit/adjustments`, { amount: '-11', reason });
  const before = (await rig.ask('GET', path)).body;
  const change = { limits: { requests_per_minute: 1 }, billing: { type: 'prepaid' } };
  const refused = await rig.ask('PATCH', terms, change);
  expect(refused.status).toBe(409);
  expect(refused.body.error).toMatchObject({
    code: 'conflict',
    param: 'billing',
    message:
      "The organization's balance is USD -6. That is USD 6 below what the new terms allow: credit it first.",
  });
  // Nothing was changed, so the audit log has only the first change.
  const changes = await rig.ask('GET', `/api/v1/audit?organization=${before.id}`);
  const actions = changes.body.data.map(({ action }: { action: string }) => action);
  expect(actions.filter((action: string) => action === 'organization.change-terms')).toHaveLength(
    1,
  );
  expect((await rig.ask('GET', path)).body).toEqual(before);
  await rig.ask('POST', `${path}/credit/adjustments`, { amount: '6', reason: 'paid' });
  expect((await rig.ask('PATCH', terms, change)).body).toMatchObject(change);
});

test('MONEY 4: after a dispute it is resumed once its balance is made good', async () => {
  const path = await make();
  const event = {
    provider: 'stripe',
    event: 'evt_1',
    organization: path.slice(PATH.length + 1) as OrganizationId,
    amount: picoUsd(6n * PICO_PER_USD),
    reference: 'pi_1',
    created: 0,
  };
  await rig.store.call(dispute, event);
  expect((await rig.ask('GET', path)).body.status).toBe('suspended');
  expect((await rig.ask('GET', `${path}/credit`)).body).toMatchObject({ available: '-1' });
  const refused = await rig.ask('PATCH', `${path}/terms`, { status: 'active' });
  expect(refused.status).toBe(409);
  expect(refused.body.error).toMatchObject({ code: 'conflict', param: 'status' });
  await rig.ask('POST', `${path}/credit/adjustments`, { amount: '1', reason: 'made good' });
  expect((await rig.ask('PATCH', `${path}/terms`, { status: 'active' })).body.status).toBe(
    'active',
  );
});

test.each<[change: object, param: string]>([
  [{ status: 'closed' }, 'status'],
  // Settings of the organization itself are changed elsewhere.
  [{ region: 'us' }, 'region'],
  [{ name: 'New' }, 'name'],
  [{ limits: { requests_per_minute: 0 } }, 'limits.requests_per_minute'],
  [{ limits: { tokens_per_minute: 1.5 } }, 'limits.tokens_per_minute'],
  [{ limits: { concurrent_requests: '4' } }, 'limits.concurrent_requests'],
  [{ limits: { requests_per_hour: 4 } }, 'limits.requests_per_hour'],
  [{ billing: { type: 'free' } }, 'billing.type'],
  [{ billing: { type: 'invoiced' } }, 'billing.credit_limit'],
  [{ billing: { type: 'invoiced', credit_limit: '-1' } }, 'billing.credit_limit'],
  [{ billing: { type: 'invoiced', credit_limit: '4000000.01' } }, 'billing.credit_limit'],
  [{ billing: { type: 'prepaid', credit_limit: '1' } }, 'billing.credit_limit'],
])('a change of its terms to %j is refused', async (change, param) => {
  const answer = await rig.ask('PATCH', `${await make()}/terms`, change);
  expect(answer.status).toBe(400);
  expect(answer.body.error.param).toBe(param);
});

test('250 organizations are listed newest first, each once, over pages', async () => {
  const made: string[] = [];
  for (let i = 0; i < 250; i++) {
    made.unshift((await rig.ask('POST', PATH, { name: `Lab ${i}` })).body.id);
  }
  const seen: string[] = [];
  let query = '?limit=60';
  for (let pages = 1; ; pages++) {
    const { body } = await rig.ask('GET', PATH + query);
    seen.push(...body.data.map(({ id }: { id: string }) => id));
    expect(body.has_more).toBe(body.next !== null);
    if (!body.has_more) break;
    expect(body.data).toHaveLength(60);
    query = `?limit=60&after=${body.next}`;
  }
  // Ids of one millisecond are in no order of time. Only the set of ids matters, and that it is
  // sorted.
  expect(seen).toEqual(seen.toSorted().toReversed());
  expect(new Set(seen).size).toBe(seen.length);
  expect(seen).toEqual(expect.arrayContaining(made));
});
