/** Caps of what the keys of a member spend together, as org-admins set them. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Role } from '../../../shared/api/roles.ts';
import { formatUsd } from '../../../shared/money.ts';
import { DataPlane } from './data-plane.ts';
import { type Signed, signIn } from './people.ts';
import { rig, shareRig } from './shared-rig.ts';

shareRig();

const PATH = '/api/v1/organizations';

let plane: DataPlane;
beforeAll(async () => {
  plane = await DataPlane.open(rig);
});
afterAll(() => plane[Symbol.asyncDispose]());

async function organization(): Promise<{ path: string; join: (role: Role) => Promise<Signed> }> {
  const { id } = (await rig.ask('POST', PATH, { name: 'Lab' })).body;
  return {
    path: `${PATH}/${id}`,
    join: (role) => signIn(rig, { organization: id, role }),
  };
}

async function makeKey(path: string, maker: Signed): Promise<string> {
  return (await maker.ask('POST', `${path}/keys`, { name: 'a key' })).body.key;
}

test('only org-admins cap what a member spends, and everybody sees it', async () => {
  const { path, join } = await organization();
  const roles = ['org-admin', 'billing-admin', 'developer', 'viewer'] as const;
  for (const role of roles) {
    const [one, other] = [await join(role), await join('developer')];
    const caps = `${path}/members/${other.member}/caps`;
    const { status, body } = await one.ask('PATCH', caps, { monthly_cap: '20', daily_cap: '2.5' });
    expect(status, role).toBe(role === 'org-admin' ? 200 : 403);
    if (role !== 'org-admin') continue;
    const shown = { monthly_cap: '20', daily_cap: '2.5', spend: { today: '0', month: '0' } };
    expect(body).toEqual({ id: other.member, ...shown });
    const { data } = (await one.ask('GET', `${path}/members`)).body;
    expect(data).toContainEqual(expect.objectContaining({ id: other.member, ...shown }));
    expect((await one.ask('PATCH', caps, { monthly_cap: null })).body).toMatchObject({
      monthly_cap: null,
      daily_cap: '2.5',
    });
    expect((await one.ask('PATCH', caps, { daily_cap: null })).body).toEqual({
      id: other.member,
      monthly_cap: null,
      daily_cap: null,
      spend: null,
    });
  }
});

test('all keys of a member count together, and no other key, also after the member has left', async () => {
  const { path, join } = await organization();
  const [admin, bob] = [await join('org-admin'), await join('developer')];
  const [one, two, other] = [
    await makeKey(path, bob),
    await makeKey(path, bob),
    await makeKey(path, admin),
  ];
  const spent = await plane.serve(one, 10);
  const caps = `${path}/members/${bob.member}/caps`;
  const cap = formatUsd(spent + 1_000n);
  const set = await admin.ask('PATCH', caps, { daily_cap: cap });
  expect(set.body.spend).toEqual({ today: formatUsd(spent), month: formatUsd(spent) });
  expect(await plane.ask(two, 1_000n)).toHaveProperty('held');
  expect(await plane.ask(two, 1_001n)).toMatchObject({ capped: { of: 'member', window: 'day' } });
  expect(await plane.ask(other, 1_001n)).toHaveProperty('held');

  expect((await admin.ask('DELETE', `${path}/members/${bob.member}`)).status).toBe(200);
  expect(await plane.ask(one, 1_001n)).toMatchObject({ capped: { of: 'member', window: 'day' } });
  expect((await admin.ask('PATCH', caps, { daily_cap: null })).status).toBe(200);
  expect(await plane.ask(one, 1_001n)).toHaveProperty('held');
});

test('a key of nobody has no cap but its own', async () => {
  const { path, join } = await organization();
  const admin = await join('org-admin');
  await admin.ask('PATCH', `${path}/members/${admin.member}/caps`, { monthly_cap: '0' });
  const { token } = (
    await admin.ask('POST', `${path}/tokens`, { name: 'script', role: 'developer' })
  ).body;
  const bearer = { authorization: `Bearer ${token}` };
  const { key } = (await rig.ask('POST', `${path}/keys`, { name: 'ci' }, bearer)).body;
  expect(await plane.ask(key, 1n)).toHaveProperty('held');
  expect(await plane.ask(await makeKey(path, admin), 1n)).toMatchObject({
    capped: { of: 'member', window: 'month' },
  });
  // A management token sets no caps, as it changes no member.
  const caps = `${path}/members/${admin.member}/caps`;
  expect((await rig.ask('PATCH', caps, { monthly_cap: null }, bearer)).status).toBe(403);
});

test("another organization's member cannot be capped", async () => {
  const [ours, theirs] = [await organization(), await organization()];
  const [admin, stranger] = [await ours.join('org-admin'), await theirs.join('developer')];
  const cap = { monthly_cap: '1' };
  const foreign = await admin.ask('PATCH', `${ours.path}/members/${stranger.member}/caps`, cap);
  expect(foreign.status).toBe(404);
  const caps = `${theirs.path}/members/${stranger.member}/caps`;
  expect((await admin.ask('PATCH', caps, cap)).status).toBe(404);
  expect(
    await rig.place.sql(`select * from member_caps where member = '${stranger.member}'`),
  ).toEqual([]);
});

test.each<[change: object, param: string]>([
  [{ monthly_cap: '-1' }, 'monthly_cap'],
  [{ monthly_cap: '4000001' }, 'monthly_cap'],
  [{ daily_cap: 5 }, 'daily_cap'],
  [{ daily_cap: '0.0000000000001' }, 'daily_cap'],
  [{ weekly_cap: '5' }, 'weekly_cap'],
])('%j is refused', async (change, param) => {
  const { path, join } = await organization();
  const admin = await join('org-admin');
  const caps = `${path}/members/${admin.member}/caps`;
  const { status, body } = await admin.ask('PATCH', caps, change);
  expect([status, body.error.param]).toEqual([400, param]);
});

test('the audit log tells which cap was set, and what it was before', async () => {
  const { path, join } = await organization();
  const admin = await join('org-admin');
  const caps = `${path}/members/${admin.member}/caps`;
  await admin.ask('PATCH', caps, { monthly_cap: '20' });
  await admin.ask('PATCH', caps, { monthly_cap: '30' });
  const { data } = (await admin.ask('GET', `${path}/audit?action=member.change-caps`)).body;
  expect(data.map(({ details, before }: Record<string, unknown>) => ({ details, before }))).toEqual(
    [
      { details: { monthly_cap: '30' }, before: { monthly_cap: '20' } },
      { details: { monthly_cap: '20' }, before: { monthly_cap: null } },
    ],
  );
});
