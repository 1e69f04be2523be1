/**
 * Reading the audit log: org-admins read their organization's entries, and operators read all
 * entries.
 */
import { expect, test } from 'vitest';
import { actionsOf, clock, organizationOf, PATH, rig, shareAuditRig } from './audit-rig.ts';
import { type Signed, signIn } from './people.ts';

shareAuditRig();

test('an org-admin reads who did what and from where, newest first', async () => {
  const { id, path, admin } = await organizationOf();
  clock.advance(1000);
  const key = await admin.ask('POST', `${path}/keys`, { name: 'app' });
  clock.advance(1000);
  await admin.ask('PATCH', path, { name: 'Ours' });
  const { status, body } = await admin.ask('GET', `${path}/audit`);
  expect(status).toBe(200);
  expect(actionsOf(body)).toEqual([
    'organization.change-settings',
    'key.create',
    'organization.create',
  ]);
  expect(body.data[1]).toEqual({
    id: expect.stringMatching(/^aud_/),
    organization: id,
    organization_name: 'Ours',
    actor: { kind: 'person', id: admin.person, name: 'Somebody', email: admin.email },
    action: 'key.create',
    summary: 'Somebody created the API key "app"',
    target: key.body.id,
    target_name: 'app',
    target_exists: true,
    details: { name: 'app' },
    before: null,
    address: '127.0.0.1',
    request_id: key.headers.get('x-request-id'),
    created: new Date(clock.now() - 1000).toISOString(),
  });
  // Org-admins see that an operator created it, but not which operator, nor from which address.
  expect(body.data[2]).toMatchObject({
    actor: { kind: 'operator', id: null, name: null, email: null },
    summary: 'An operator created the organization "Lab"',
    address: null,
  });
  const whole = (await rig.ask('GET', `/api/v1/audit?organization=${id}`)).body;
  expect(whole.data[2]).toMatchObject({
    actor: { kind: 'operator', name: 'Operator', email: 'operator@penstock.local' },
    summary: 'Operator created the organization "Lab"',
    address: '127.0.0.1',
  });
});

test('an entry tells whether what it changed still exists', async () => {
  const { id, path, admin } = await organizationOf();
  const other = await signIn(rig, { organization: id, role: 'viewer' });
  const key = (await admin.ask('POST', `${path}/keys`, { name: 'app' })).body;
  const token = (await admin.ask('POST', `${path}/tokens`, { name: 'ci', role: 'viewer' })).body;
  const member = (await admin.ask('GET', `${path}/members`)).body.data.find(
    ({ person }: { person: string }) => person === other.person,
  );
  await admin.ask('PATCH', `${path}/members/${member.id}`, { role: 'developer' });
  const existing = async () => {
    const { data } = (await admin.ask('GET', `${path}/audit`)).body;
    const known = new Map<string, boolean>();
    for (const { target, target_exists: exists } of data) known.set(target, exists);
    return [key.id, token.id, member.id].map((target) => known.get(target));
  };
  expect(await existing()).toEqual([true, true, true]);
  await admin.ask('POST', `${path}/keys/${key.id}/revoke`);
  expect(await existing()).toEqual([true, true, true]);
  await admin.ask('DELETE', `${path}/keys/${key.id}`);
  await admin.ask('DELETE', `${path}/tokens/${token.id}`);
  await admin.ask('DELETE', `${path}/members/${member.id}`);
  expect(await existing()).toEqual([false, false, false]);
});

test('the key of a playground is nothing that can be shown', async () => {
  const { path, admin } = await organizationOf();
  // Entries of the same millisecond have no order.
  clock.advance(1000);
  expect((await admin.ask('POST', `${path}/playground/session`)).status).toBe(201);
  const [entry] = (await admin.ask('GET', `${path}/audit`)).body.data;
  expect(entry).toMatchObject({ action: 'playground.open', target_exists: false });
});

test('nobody else reads it, and operators read all', async () => {
  const { path } = await organizationOf();
  for (const role of ['billing-admin', 'developer', 'viewer'] as const) {
    const other = await signIn(rig, { organization: path.slice(PATH.length + 1), role });
    expect((await other.ask('GET', `${path}/audit`)).status, role).toBe(403);
  }
  const stranger = await organizationOf();
  expect((await stranger.admin.ask('GET', `${path}/audit`)).status).toBe(404);
  expect((await stranger.admin.ask('GET', '/api/v1/audit')).status).toBe(403);
  const all = (await rig.ask('GET', '/api/v1/audit?limit=1000')).body.data;
  const organizations = new Set(all.map((entry: { organization: string }) => entry.organization));
  expect(organizations.size).toBeGreaterThan(1);
});

test('it is narrowed to an actor, an action or all of a kind, and a span', async () => {
  const { path, admin } = await organizationOf();
  clock.advance(1000);
  const from = new Date(clock.now()).toISOString();
  const { id } = (await admin.ask('POST', `${path}/keys`, { name: 'a' })).body;
  clock.advance(1000);
  const until = new Date(clock.now()).toISOString();
  await admin.ask('POST', `${path}/keys/${id}/revoke`);
  const ask = async (query: string) =>
    actionsOf((await admin.ask('GET', `${path}/audit?${query}`)).body);
  expect(await ask('action=key.revoke')).toEqual(['key.revoke']);
  expect(await ask('action=key')).toEqual(['key.revoke', 'key.create']);
  expect(await ask('action=ke')).toEqual([]);
  expect(await ask('except=key')).toEqual(['organization.create']);
  expect(await ask('except=key.create&except=organization')).toEqual(['key.revoke']);
  expect(await ask('action=key&except=key.create')).toEqual(['key.revoke']);
  expect(await ask(`actor=${admin.person}`)).toEqual(['key.revoke', 'key.create']);
  expect(await ask(`from=${from}`)).toEqual(['key.revoke', 'key.create']);
  expect(await ask(`from=${from}&until=${until}`)).toEqual(['key.create']);
  for (const query of [
    'actor=x',
    'action=%25',
    'except=%25',
    'from=yesterday',
    'who=me',
    'after=x',
  ]) {
    expect((await admin.ask('GET', `${path}/audit?${query}`)).status, query).toBe(400);
  }
});

test('a filter takes several values, and an entry has one of them', async () => {
  const { id, path, admin } = await organizationOf();
  const other = await signIn(rig, { organization: id, role: 'org-admin' });
  const operator = await signIn(rig, { operator: true });
  const act = async (who: Signed, method: string, below: string, body: object) => {
    clock.advance(1);
    expect((await who.ask(method, `${path}${below}`, body)).status).toBeLessThan(300);
  };
  await act(admin, 'POST', '/keys', { name: 'a' });
  await act(other, 'PATCH', '', { name: 'Ours' });
  await act(other, 'PUT', '/budget', { amount: '5' });
  await act(operator, 'PATCH', '/terms', { status: 'suspended' });
  const ask = async (who: Signed, query: string, list = `${path}/audit`) =>
    actionsOf((await who.ask('GET', `${list}?${query}`)).body);
  const everybody = [admin, other, operator].map(({ person }) => `actor=${person}`).join('&');
  const byMembers = ['budget.set', 'organization.change-settings', 'key.create'];
  // An org-admin cannot find out which operator acted.
  expect(await ask(admin, everybody)).toEqual(byMembers);
  const byAll = ['organization.change-terms', ...byMembers];
  expect(await ask(operator, everybody)).toEqual(byAll);
  expect(await ask(operator, `${everybody}&organization=${id}`, '/api/v1/audit')).toEqual(byAll);
  const { id: second } = await organizationOf();
  const both = `organization=${id}&organization=${second}&action=organization.create`;
  expect((await operator.ask('GET', `/api/v1/audit?${both}`)).body.data).toMatchObject([
    { organization: second },
    { organization: id },
  ]);

  const kinds = 'action=key&action=organization.change-settings&action=budget';
  expect(await ask(admin, kinds)).toEqual(byMembers);
  expect(await ask(admin, `${kinds}&actor=${other.person}`)).toEqual(byMembers.slice(0, 2));
  expect(await ask(admin, `${kinds}&actor=${admin.person}`)).toEqual(['key.create']);
  const csv = await csvFor(admin, `${path}/audit?format=csv&${kinds}&actor=${other.person}`);
  expect(csv.text.trim().split('\r\n')).toHaveLength(3);

  const many = Array.from({ length: 21 }, (_, at) => `action=k${'x'.repeat(at)}`).join('&');
  const refused = await admin.ask('GET', `${path}/audit?${many}`);
  expect(refused.status).toBe(400);
  expect(refused.body.error).toMatchObject({
    param: 'action',
    message: 'Enter at most 20 values.',
  });
});

test('its pages have each line once', async () => {
  const { path, admin } = await organizationOf();
  for (let i = 0; i < 5; i++) {
    clock.advance(1);
    await admin.ask('PATCH', path, { name: `Lab ${i}` });
  }
  const first = (await admin.ask('GET', `${path}/audit?limit=4`)).body;
  const second = (await admin.ask('GET', `${path}/audit?limit=4&after=${first.next}`)).body;
  expect(first.has_more).toBe(true);
  expect(second).toMatchObject({ has_more: false, next: null });
  const names = [...first.data, ...second.data].map(({ details }) => details.name);
  expect(names).toEqual(['Lab 4', 'Lab 3', 'Lab 2', 'Lab 1', 'Lab 0', 'Lab']);
});

async function csvFor({ token }: Signed, path: string) {
  const cookie = `penstock-session=${token}`;
  const response = await fetch(rig.origin + path, { headers: { cookie } });
  const { status, headers } = response;
  return { status, headers, text: await response.text() };
}

/** The newest entry, as an operator sees it. */
async function newest(path: string) {
  return (await rig.ask('GET', `${path}/audit?limit=1`)).body.data[0];
}

test('a change is recorded with the values before and after it', async () => {
  const { id: organization, path, admin } = await organizationOf();
  const key = (await admin.ask('POST', `${path}/keys`, { name: 'ci', monthly_cap: '20' })).body.id;
  const member = await signIn(rig, { organization, role: 'viewer' });
  const cases: readonly [string, string, object, object, object | null, string][] = [
    [
      'PATCH',
      `/keys/${key}`,
      { monthly_cap: '50.5' },
      { monthly_cap: '50.5' },
      { monthly_cap: '20' },
      'Somebody changed the monthly cap of the API key "ci" from $20 to $50.50',
    ],
    [
      'PATCH',
      `/keys/${key}`,
      { name: 'nightly', limits: { requests_per_minute: 5 }, expires: null },
      { name: 'nightly', requests_per_minute: 5, expires: null },
      { name: 'ci', requests_per_minute: null, expires: null },
      'Somebody changed the name and requests per minute of the API key "ci"',
    ],
    [
      'PATCH',
      `/members/${member.member}`,
      { role: 'developer' },
      { role: 'developer' },
      { role: 'viewer' },
      'Somebody changed the role of Somebody from viewer to developer',
    ],
    [
      'PATCH',
      '',
      { low_balance_threshold: '3' },
      { low_balance_threshold: '3' },
      { low_balance_threshold: null },
      'Somebody set the low balance threshold of the organization to $3',
    ],
  ];
  for (const [method, below, body, details, before, summary] of cases) {
    clock.advance(1);
    expect((await admin.ask(method, `${path}${below}`, body)).status).toBe(200);
    expect(await newest(path)).toMatchObject({ summary });
    expect(await newest(path)).toMatchObject({ details, before });
  }
});

test('terms and agreed prices are recorded with the values before them', async () => {
  const { path } = await organizationOf();
  const terms = async (body: object) => {
    clock.advance(1);
    expect((await rig.ask('PATCH', `${path}/terms`, body)).status).toBe(200);
    return await newest(path);
  };
  expect(await terms({ status: 'suspended' })).toMatchObject({
    summary: 'Operator suspended the organization',
    before: { status: 'active' },
  });
  await terms({ status: 'active' });
  const billing = { type: 'invoiced', credit_limit: '500', payment_terms_days: 14 };
  expect(await terms({ billing, limits: { concurrent_requests: 9 } })).toMatchObject({
    summary:
      'Operator changed the concurrent requests, billing, credit limit and days to pay of the organization',
    details: {
      billing: 'invoiced',
      credit_limit: '500',
      payment_terms_days: 14,
      concurrent_requests: 9,
    },
    before: {
      billing: 'prepaid',
      credit_limit: null,
      payment_terms_days: null,
      concurrent_requests: null,
    },
  });
  const rate = async (prompt: string) => {
    clock.advance(1);
    const price = { prompt, completion: '0.000002', input_cache_read: '0' };
    expect((await rig.ask('PUT', `${path}/rates/acme/one`, price)).status).toBe(200);
    return await newest(path);
  };
  expect(await rate('0.000001')).toMatchObject({
    summary: 'Operator agreed prices for acme/one',
    before: null,
  });
  expect(await rate('0.0000005')).toMatchObject({
    summary:
      'Operator changed the input price per token of the agreed prices for acme/one from $0.000001 to $0.0000005',
    before: { prompt: '0.000001', completion: '0.000002', input_cache_read: '0' },
  });
});

test('subjects are named: who was invited, who joined, and a user who was deleted since', async () => {
  const { id: organization, path, admin } = await organizationOf();
  clock.advance(1);
  const bob = { email: 'bob@acme.test', role: 'developer' };
  const sent = await admin.ask('POST', `${path}/invitations`, bob);
  expect(await newest(path)).toMatchObject({
    summary: 'Somebody invited bob@acme.test as developer',
    target_name: 'bob@acme.test',
  });
  const other = await signIn(rig);
  clock.advance(1);
  const token = (sent.body.url as string).split('token=')[1];
  expect((await other.ask('POST', '/api/v1/invitations/accept', { token })).status).toBe(200);
  expect((await newest(path)).summary).toBe('Somebody joined as developer');

  const gone = await signIn(rig, { organization, role: 'org-admin' });
  clock.advance(1);
  await gone.ask('PATCH', path, { name: 'Theirs' });
  await rig.place.sql(
    `update people set name = '', email = 'erased:${gone.person}', erased = 1 where id = '${gone.person}'`,
  );
  expect(await newest(path)).toMatchObject({
    actor: { kind: 'person', id: gone.person, name: null, email: null },
    summary: 'Deleted user changed the name of the organization from Lab to Theirs',
  });
});

test('it is downloaded as CSV, all of its pages, with the filters and for those who may read it', async () => {
  const { id, path, admin } = await organizationOf();
  clock.advance(1);
  await admin.ask('POST', `${path}/keys`, { name: '=danger, "quoted"' });
  const { status, text, headers } = await csvFor(admin, `${path}/audit?format=csv`);
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(headers.get('content-disposition')).toBe('attachment; filename="audit.csv"');
  const [head, first, second, ...rest] = text.split('\r\n');
  expect(head).toBe(
    'created,summary,action,actor_kind,actor_id,actor_name,actor_email,organization,' +
      'organization_name,target,target_name,before,details,address,request_id,id',
  );
  // In a sentence, quotes within a name are single ones: a name cannot look like the end of its own quotation.
  expect(first).toContain(`Somebody created the API key ""=danger, 'quoted'""`);
  expect(first).toContain(`,key.create,person,${admin.person},Somebody,`);
  expect(second).toContain('An operator created the organization');
  expect(second).not.toContain('operator@penstock.local');
  expect(rest).toEqual(['']);

  const many = Array.from({ length: 2_100 }, (_, at) => {
    const audit = `aud_${'0'.repeat(10)}${String(at).padStart(16, '0')}`;
    return `('${audit}', '${id}', 'system', null, 'payment.expire', null, '{}', '', '', 0)`;
  });
  await rig.place.sql(
    `insert into audit (id, organization, actor_kind, actor, action, target, details, address, request, created)
     values ${many.join(', ')}`,
  );
  const payments = (await csvFor(admin, `${path}/audit?format=csv&action=payment`)).text;
  expect(payments.match(/A payment expired/g)).toHaveLength(2_100);
  const viewer = await signIn(rig, { organization: id, role: 'viewer' });
  expect((await csvFor(viewer, `${path}/audit?format=csv`)).status).toBe(403);
  expect((await csvFor(admin, '/api/v1/audit?format=csv')).status).toBe(403);
});

test('operators see which routers run on the store', async () => {
  const at = clock.now();
  await rig.place.sql(
    `insert into incarnations (id, beat, url, regions, started, version, recent_requests,
       recent_errors, recent_at, host, pid, memory_bytes, loop_permille, store_ms, agents, draining)
     values ('rtr_a', 3, 'ws://10.0.0.1:8080/agent', 'global,eu', 1000, '1.2.3', 120, 4,
         ${at}, 'gateway-1', 4711, 300000000, 125, 3, 12, 0),
       ('rtr_b', -1, null, 'us', 0, null, 120, 4, ${at}, null, null, null, null, null, null, null),
       ('rtr_c', 3, null, 'us', 0, null, 0, 0, ${at}, 'gateway-2', 1, 1, 0, 0, 0, 1),
       ('rtr_d', 3, null, 'us', 0, null, 0, 0, ${at - 60_000}, 'gateway-3', 1, 1, 0, 0, 0, 1)`,
  );
  const columns =
    '(request, organization, key, price, incarnation, amount, slice, tokens, created)';
  await rig.place.sql(
    `insert into holds ${columns}
     values ('req_a', 'org_0', 'key_0', 'prc_0', 'rtr_a', 1, 1, 1, 0),
       ('req_b', 'org_0', 'key_0', 'prc_0', 'rtr_a', 1, 1, 1, 0)`,
  );
  const { data } = (await rig.ask('GET', '/api/v1/routers')).body;
  // The last report of `rtr_d` is a minute old, whatever it was.
  expect(data.slice(2)).toMatchObject([
    { id: 'rtr_c', state: 'draining', host: 'gateway-2' },
    { id: 'rtr_d', state: 'silent', last_minute: null },
  ]);
  expect(data.slice(0, 2)).toEqual([
    {
      id: 'rtr_a',
      url: 'ws://10.0.0.1:8080/agent',
      regions: ['global', 'eu'],
      started: '1970-01-01T00:00:01.000Z',
      version: '1.2.3',
      beating: true,
      state: 'healthy',
      reported: new Date(at).toISOString(),
      host: 'gateway-1',
      pid: 4711,
      memory_bytes: 300_000_000,
      loop_use: 0.125,
      store_ms: 3,
      agents: 12,
      running: 2,
      ended: null,
      last_minute: { requests: 120, errors: 4, tokens: null },
    },
    {
      id: 'rtr_b',
      url: null,
      regions: ['us'],
      started: '1970-01-01T00:00:00.000Z',
      version: null,
      beating: false,
      state: 'offline',
      reported: new Date(at).toISOString(),
      host: null,
      pid: null,
      memory_bytes: null,
      loop_use: null,
      store_ms: null,
      agents: null,
      running: 0,
      ended: null,
      // Its last report is as recent, and it is declared dead.
      last_minute: null,
    },
  ]);
  await rig.place.sql(
    `insert into router_runs (router, host, pid, url, regions, version, started, reported)
     values ('rtr_a', 'gateway-1', 4711, null, 'eu', '1.2.3', 1000, ${at}),
       ('rtr_e', 'gateway-1', 4700, null, 'eu', '1.2.2', 1000, ${at - 60_000})`,
  );
  const stopped = (await rig.ask('GET', '/api/v1/routers?state=stopped')).body;
  expect(stopped.data).toEqual([
    {
      id: 'rtr_e',
      url: null,
      regions: ['eu'],
      started: '1970-01-01T00:00:01.000Z',
      version: '1.2.2',
      beating: false,
      state: 'stopped',
      reported: new Date(at - 60_000).toISOString(),
      host: 'gateway-1',
      pid: 4700,
      ended: null,
      last_minute: null,
    },
  ]);
  expect((await rig.ask('GET', '/api/v1/routers?state=silent')).status).toBe(400);
});
