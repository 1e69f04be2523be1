/** Members of an organization, their roles, and how they leave. At least one org-admin remains. */
import { expect, test } from 'vitest';
import type { Role } from '../../../shared/api/roles.ts';
import { type Signed, signIn } from './people.ts';
import { rig, shareRig } from './shared-rig.ts';

shareRig();

const PATH = '/api/v1/organizations';

async function organization(): Promise<{ id: string; path: string }> {
  const { id } = (await rig.ask('POST', PATH, { name: 'Lab' })).body;
  return { id, path: `${PATH}/${id}` };
}

function join(id: string, role: Role): Promise<Signed> {
  return signIn(rig, { organization: id, role });
}

test('every role sees who belongs to the organization, and only org-admins change it', async () => {
  const { id, path } = await organization();
  const roles = ['org-admin', 'billing-admin', 'developer', 'viewer'] as const;
  const people = await Promise.all(roles.map((role) => join(id, role)));
  for (const [i, person] of people.entries()) {
    const { status, body } = await person.ask('GET', `${path}/members`);
    expect(status).toBe(200);
    expect(body.data).toHaveLength(4);
    expect(body.data).toContainEqual({
      id: person.member,
      person: person.person,
      name: 'Somebody',
      email: person.email,
      role: roles[i],
      created: expect.any(String),
      monthly_cap: null,
      daily_cap: null,
      spend: null,
      // Only those who may change members see when somebody was last active.
      ...(i === 0 && { last_active: expect.stringMatching(/Z$/) }),
    });
    const change = await person.ask('PATCH', `${path}/members/${people[3]?.member}`, {
      role: 'viewer',
    });
    expect(change.status, roles[i]).toBe(i === 0 ? 200 : 403);
  }
});

test('an org-admin sees when a member last used the organization, whatever else they belong to', async () => {
  const [here, elsewhere] = [await organization(), await organization()];
  const admin = await join(here.id, 'org-admin');
  const other = await signIn(rig, { organization: here.id, role: 'viewer', operator: true });
  const abroad = `${other.member}_2`;
  await rig.place.sql(
    `insert into members (id, organization, person, role, created)
     values ('${abroad}', '${elsewhere.id}', '${other.person}', 'viewer', 0)`,
  );
  const activeOf = async (path: string, member: string | null, asker: Signed | typeof rig) => {
    const { data } = (await asker.ask('GET', `${path}/members`)).body;
    return data.find(({ id }: { id: string }) => id === member).last_active;
  };
  expect(await activeOf(here.path, other.member, admin)).toBeNull();
  // What is no organization's, or another one's, is not activity here.
  await other.ask('GET', '/api/v1/me');
  await other.ask('GET', elsewhere.path);
  expect(await activeOf(here.path, other.member, admin)).toBeNull();
  expect(await activeOf(elsewhere.path, abroad, rig)).toMatch(/Z$/);

  await other.ask('GET', here.path);
  const since = Date.parse(await activeOf(here.path, other.member, admin));
  expect(since).toBeGreaterThan(0);
  // It is recorded again only after a minute.
  const recordedAt = async (instant: number) => {
    await rig.place.sql(`update members set last_active = ${instant} where id = '${other.member}'`);
    await other.ask('GET', here.path);
    return Date.parse(await activeOf(here.path, other.member, admin));
  };
  expect(await recordedAt(since - 10_000)).toBe(since - 10_000);
  expect(await recordedAt(since - 70_000)).toBeGreaterThanOrEqual(since);
  // It stays when the session ends, and goes when the member leaves.
  await rig.place.sql(`delete from sessions where person = '${other.person}'`);
  expect(await activeOf(here.path, other.member, admin)).not.toBeNull();
  await admin.ask('DELETE', `${here.path}/members/${other.member}`);
  const left = `select id from members where id = '${other.member}' and last_active = 0`;
  expect(await rig.place.sql(left)).toHaveLength(1);
  // A management token cannot manage members, whatever its role.
  const asked = { name: 't', role: 'org-admin' };
  const { token } = (await admin.ask('POST', `${here.path}/tokens`, asked)).body;
  const { body } = await rig.ask('GET', `${here.path}/members`, undefined, {
    authorization: `Bearer ${token}`,
  });
  expect(body.data).toHaveLength(1);
  expect(body.data[0]).not.toHaveProperty('last_active');
});

test('only operators see when a member last signed in', async () => {
  const { id, path } = await organization();
  const admin = await join(id, 'org-admin');
  const at = Date.UTC(2026, 10, 20, 12);
  const memberOf = async (asker: Signed | typeof rig) =>
    (await asker.ask('GET', `${path}/members`)).body.data[0];
  await rig.place.sql(`update people set last_sign_in = ${at} where id = '${admin.person}'`);
  expect(await memberOf(rig)).toMatchObject({ last_sign_in: '2026-11-20T12:00:00.000Z' });
  expect(await memberOf(admin)).not.toHaveProperty('last_sign_in');
  await rig.place.sql(`update people set last_sign_in = 0 where id = '${admin.person}'`);
  expect(await memberOf(rig)).toMatchObject({ last_sign_in: null });
});

test('members are listed over pages, each once', async () => {
  const { id, path } = await organization();
  for (let i = 0; i < 5; i++) await join(id, 'viewer');
  const first = (await rig.ask('GET', `${path}/members?limit=3`)).body;
  const second = (await rig.ask('GET', `${path}/members?limit=3&after=${first.next}`)).body;
  expect(first.data).toHaveLength(3);
  expect(second).toMatchObject({ has_more: false, next: null });
  const ids = [...first.data, ...second.data].map((member: { id: string }) => member.id);
  expect(new Set(ids).size).toBe(5);
});

test('a changed role holds at the next request, with new tokens for all sessions of that person', async () => {
  const { id, path } = await organization();
  const admin = await join(id, 'org-admin');
  const other = await join(id, 'viewer');
  expect((await other.ask('POST', `${path}/keys`, { name: 'a' })).status).toBe(403);
  const changed = await admin.ask('PATCH', `${path}/members/${other.member}`, {
    role: 'developer',
  });
  expect(changed.body).toMatchObject({ id: other.member, role: 'developer' });
  expect(
    await rig.place.sql(`select rotate from sessions where person = '${other.person}'`),
  ).toEqual([{ rotate: 1n }]);
  expect((await other.ask('POST', `${path}/keys`, { name: 'a' })).status).toBe(201);
});

test('the last org-admin cannot be demoted or removed, and cannot leave', async () => {
  const { id, path } = await organization();
  const admin = await join(id, 'org-admin');
  await join(id, 'developer');
  const own = `${path}/members/${admin.member}`;
  for (const answer of [
    await admin.ask('PATCH', own, { role: 'viewer' }),
    await admin.ask('DELETE', own),
    await admin.ask('POST', `${path}/leave`),
    // An operator cannot remove the last org-admin, either.
    await rig.ask('DELETE', own),
  ]) {
    expect(answer.status).toBe(409);
    expect(answer.body.error).toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('last'),
    });
  }
  expect((await admin.ask('PATCH', own, { role: 'org-admin' })).status).toBe(200);
  await join(id, 'org-admin');
  expect((await admin.ask('POST', `${path}/leave`)).body).toEqual({ id: admin.member, left: true });
});

test.each([
  ['demote', 'PATCH', { role: 'viewer' }],
  ['remove', 'DELETE', undefined],
] as const)(
  'of two org-admins who %s each other at the same moment, one stays',
  async (_what, method, body) => {
    for (let round = 0; round < 5; round++) {
      const { id, path } = await organization();
      const [one, two] = [await join(id, 'org-admin'), await join(id, 'org-admin')];
      const answers = await Promise.all([
        one.ask(method, `${path}/members/${two.member}`, body),
        two.ask(method, `${path}/members/${one.member}`, body),
      ]);
      const statuses = answers.map(({ status }) => status);
      // The slower of the two has already lost its role, or is the last org-admin.
      expect(statuses.filter((status) => status === 200)).toHaveLength(1);
      const admins = (await rig.ask('GET', `${path}/members`)).body.data.filter(
        ({ role }: { role: Role }) => role === 'org-admin',
      );
      expect(admins).toHaveLength(1);
    }
  },
);

test('who is removed is nobody there any more: the keys stay, those of the playground do not', async () => {
  const { id, path } = await organization();
  const admin = await join(id, 'org-admin');
  const gone = await join(id, 'developer');
  const key = (await gone.ask('POST', `${path}/keys`, { name: 'stays' })).body.id;
  await rig.place.sql(
    `insert into keys (id, organization, digest, name, label, state, member, source, created)
     values ('key_playground00', '${id}', 'd-${id}', 'Playground', '…', 'active', '${gone.member}',
       'playground', 1)`,
  );
  const epoch = () => rig.place.sql(`select auth_epoch from accounts where id = '${id}'`);
  const before = await epoch();
  expect((await admin.ask('DELETE', `${path}/members/${gone.member}`)).body).toEqual({
    id: gone.member,
    left: true,
  });
  expect((await gone.ask('GET', path)).status).toBe(404);
  expect(await epoch()).not.toEqual(before);
  expect(
    await rig.place.sql(`select id, state from keys where organization = '${id}' order by id desc`),
  ).toEqual(
    [
      { id: 'key_playground00', state: 'deleted' },
      { id: key, state: 'active' },
    ].toSorted((a, b) => (a.id < b.id ? 1 : -1)),
  );
  expect((await admin.ask('GET', `${path}/members`)).body.data).toHaveLength(1);
  for (const method of ['PATCH', 'DELETE'] as const) {
    const body = method === 'PATCH' ? { role: 'viewer' } : undefined;
    const again = await admin.ask(method, `${path}/members/${gone.member}`, body);
    expect(again.status).toBe(404);
  }
});

test.each([
  ['demoted', 'PATCH', { role: 'viewer' }],
  ['removed', 'DELETE', undefined],
] as const)(
  'who is %s has no key of the playground any more, and lets nobody in',
  async (_what, method, body) => {
    const { id, path } = await organization();
    const [admin, former] = [await join(id, 'org-admin'), await join(id, 'org-admin')];
    await former.ask('POST', `${path}/playground/session`);
    const invite = (by: Signed, email: string) => by.ask('POST', `${path}/invitations`, { email });
    const theirs = (await invite(former, 'theirs@example.com')).body;
    const others = (await invite(admin, 'others@example.com')).body;
    const epoch = () => rig.place.sql(`select auth_epoch from accounts where id = '${id}'`);
    const before = await epoch();

    const own = `${path}/members/${former.member}`;
    // A role with all permissions does not change the member's keys.
    await admin.ask('PATCH', own, { role: 'org-admin' });
    expect(await epoch()).toEqual(before);
    expect((await admin.ask(method, own, body)).status).toBe(200);

    expect(await epoch()).not.toEqual(before);
    const keys = await rig.place.sql(`select state from keys where member = '${former.member}'`);
    expect(keys).toEqual([{ state: 'deleted' }]);
    const open = (await admin.ask('GET', `${path}/invitations`)).body.data;
    expect(open.map((invitation: { id: string }) => invitation.id)).toEqual([others.id]);
    const accept = async ({ url }: { url: string }) => {
      const token = new URL(url).hash.replace('#token=', '');
      const answer = await (await signIn(rig)).ask('POST', '/api/v1/invitations/accept', { token });
      return answer.status;
    };
    expect(await accept(theirs)).toBe(404);
    expect(await accept(others)).toBe(200);
  },
);

test('a developer who becomes a viewer plays no more, and one who becomes an admin plays on', async () => {
  const { id, path } = await organization();
  const member = await join(id, 'developer');
  await member.ask('POST', `${path}/playground/session`);
  const states = () => rig.place.sql(`select state from keys where member = '${member.member}'`);
  const become = (role: Role) => rig.ask('PATCH', `${path}/members/${member.member}`, { role });
  await join(id, 'org-admin');
  await become('org-admin');
  expect(await states()).toEqual([{ state: 'active' }]);
  await become('viewer');
  expect(await states()).toEqual([{ state: 'deleted' }]);
  // Setting the same role again is no change.
  expect((await become('viewer')).body.role).toBe('viewer');
  const lines = await rig.place.sql(`select action from audit where target = '${member.member}'`);
  expect(lines).toHaveLength(2);
});

test('a member of another organization cannot be told from one that is not there', async () => {
  const [mine, theirs] = [await organization(), await organization()];
  const admin = await join(mine.id, 'org-admin');
  const stranger = await join(theirs.id, 'viewer');
  const foreign = await admin.ask('DELETE', `${mine.path}/members/${stranger.member}`);
  const missing = await admin.ask('DELETE', `${mine.path}/members/mem_${'0'.repeat(26)}`);
  expect(foreign.status).toBe(404);
  expect(foreign.body.error).toEqual(missing.body.error);
  expect((await stranger.ask('GET', theirs.path)).status).toBe(200);
});

test('an operator who is no member has nothing to leave', async () => {
  const { path } = await organization();
  expect((await rig.ask('POST', `${path}/leave`)).status).toBe(404);
});
