/**
 * Reading the audit log: org-admins read their organization's entries, and operators read all
 * entries.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ManualClock } from '../../support/manual-clock.ts';
import { signIn } from './people.ts';
import { type Rig, startRig } from './rig.ts';

const clock = new ManualClock(Date.now());
let rig: Rig;
beforeAll(async () => {
  rig = await startRig(clock);
});
afterAll(() => rig[Symbol.asyncDispose]());

const PATH = '/api/v1/organizations';

async function organization() {
  const { id } = (await rig.ask('POST', PATH, { name: 'Lab' })).body;
  const admin = await signIn(rig, { organization: id, role: 'org-admin' });
  return { id: id as string, path: `${PATH}/${id}`, admin };
}

function actionsOf(body: { data: { action: string }[] }): string[] {
  return body.data.map(({ action }) => action);
}

test('an org-admin reads who did what and from where, newest first', async () => {
  const { id, path, admin } = await organization();
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
    actor: { kind: 'person', id: admin.person, name: 'Somebody', email: admin.email },
    action: 'key.create',
    target: key.body.id,
    details: { name: 'app' },
    address: '127.0.0.1',
    request_id: key.headers.get('x-request-id'),
    created: new Date(clock.now() - 1000).toISOString(),
  });
  // Org-admins see that an operator created it, but not which operator, nor from which address.
  expect(body.data[2]).toMatchObject({
    actor: { kind: 'operator', id: null, name: null, email: null },
    address: null,
  });
  const whole = (await rig.ask('GET', `/api/v1/audit?organization=${id}`)).body;
  expect(whole.data[2]).toMatchObject({
    actor: { kind: 'operator', name: 'Operator', email: 'operator@penstock.local' },
    address: '127.0.0.1',
  });
});

test('nobody else reads it, and operators read all', async () => {
  const { path } = await organization();
  for (const role of ['billing-admin', 'developer', 'viewer'] as const) {
    const other = await signIn(rig, { organization: path.slice(PATH.length + 1), role });
    expect((await other.ask('GET', `${path}/audit`)).status, role).toBe(403);
  }
  const stranger = await organization();
  expect((await stranger.admin.ask('GET', `${path}/audit`)).status).toBe(404);
  expect((await stranger.admin.ask('GET', '/api/v1/audit')).status).toBe(403);
  const all = (await rig.ask('GET', '/api/v1/audit?limit=1000')).body.data;
  const organizations = new Set(all.map((entry: { organization: string }) => entry.organization));
  expect(organizations.size).toBeGreaterThan(1);
});

test('it is narrowed to an actor, an action or all of a kind, and a span', async () => {
  const { path, admin } = await organization();
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
  expect(await ask(`actor=${admin.person}`)).toEqual(['key.revoke', 'key.create']);
  expect(await ask(`from=${from}`)).toEqual(['key.revoke', 'key.create']);
  expect(await ask(`from=${from}&until=${until}`)).toEqual(['key.create']);
  for (const query of ['actor=x', 'action=%25', 'from=yesterday', 'who=me', 'after=x']) {
    expect((await admin.ask('GET', `${path}/audit?${query}`)).status, query).toBe(400);
  }
});

test('its pages have each line once', async () => {
  const { path, admin } = await organization();
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

test('operators see which routers run on the store', async () => {
  await rig.place.sql(
    `insert into incarnations (id, beat, url, regions, started, version)
     values ('rtr_a', 3, 'ws://10.0.0.1:8080/agent', 'global,eu', 1000, '1.2.3'),
       ('rtr_b', -1, null, 'us', 0, null)`,
  );
  expect((await rig.ask('GET', '/api/v1/routers')).body.data).toEqual([
    {
      id: 'rtr_a',
      url: 'ws://10.0.0.1:8080/agent',
      regions: ['global', 'eu'],
      started: '1970-01-01T00:00:01.000Z',
      version: '1.2.3',
      beating: true,
    },
    {
      id: 'rtr_b',
      url: null,
      regions: ['us'],
      started: '1970-01-01T00:00:00.000Z',
      version: null,
      beating: false,
    },
  ]);
});
