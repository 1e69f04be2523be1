/** Invitations: single-use, expiring, and accepted once even by concurrent attempts. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sweepInvitations } from '../../../router/control/invitations/sweep.ts';
import { limits } from '../../../shared/limits.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { allowChanges, type Signed, signIn } from './people.ts';
import { type Rig, startRig } from './rig.ts';

const clock = new ManualClock();
let rig: Rig;
beforeAll(async () => {
  rig = await startRig(clock);
});
afterAll(() => rig[Symbol.asyncDispose]());

const PATH = '/api/v1/organizations';
const DAY_MS = 24 * 60 * 60 * 1000;

type Place = Readonly<{ id: string; path: string; admin: Signed }>;

async function organization(): Promise<Place> {
  const { id } = (await rig.ask('POST', PATH, { name: 'Lab' })).body;
  const admin = await signedIn({ organization: id, role: 'org-admin' });
  return { id, path: `${PATH}/${id}`, admin };
}

/** The tests' own helper dates sessions by the machine's clock, so the dates are changed here. */
async function signedIn(wanted: Parameters<typeof signIn>[1] = {}): Promise<Signed> {
  const person = await signIn(rig, wanted);
  const now = clock.now();
  await rig.place.sql(
    `update sessions set created = ${now}, last_seen = ${now}, expires = ${now + 30 * DAY_MS}
     where person = '${person.person}'`,
  );
  return person;
}

function tokenIn(url: string): string {
  const { origin, pathname, hash, search } = new URL(url);
  expect({ origin, pathname, search }).toEqual({
    origin: rig.origin,
    pathname: '/invitation',
    search: '',
  });
  return hash.replace('#token=', '');
}

async function invite({ path, admin }: Place, email = 'ada@example.com', role = 'viewer') {
  const made = await admin.ask('POST', `${path}/invitations`, { email, role });
  expect(made.status).toBe(201);
  return { ...made.body, token: tokenIn(made.body.url) };
}

function accept(person: Signed, token: string) {
  return person.ask('POST', '/api/v1/invitations/accept', { token });
}

test('an invitation shows its link once, posts a letter, and whoever follows it joins', async () => {
  const place = await organization();
  const made = await invite(place, ' Ada@Example.COM ', 'developer');
  expect(made).toMatchObject({ email: 'ada@example.com', role: 'developer', state: 'open' });
  expect(made.invited_by).toBe('Somebody');
  const listed = await place.admin.ask('GET', `${place.path}/invitations`);
  const { url: _url, token, ...shown } = made;
  expect(listed.body.data).toEqual([shown]);
  expect(await rig.bytes()).not.toContain(token);
  expect(await rig.place.sql(`select payload from jobs where subject = '${made.id}'`)).toEqual([
    { payload: JSON.stringify({ kind: 'invitation', invitation: made.id }) },
  ]);

  // The preview needs no session.
  const preview = await fetch(`${rig.origin}/api/v1/invitations/preview`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  });
  expect(await preview.json()).toEqual({
    organization: 'Lab',
    email: 'ada@example.com',
    role: 'developer',
    expires: made.expires,
  });

  const person = await signedIn();
  const joined = await accept(person, token);
  expect(joined.status).toBe(200);
  expect(joined.body).toMatchObject({
    organization: place.id,
    name: 'Lab',
    role: 'developer',
  });
  expect((await person.ask('POST', `${place.path}/keys`, { name: 'mine' })).status).toBe(201);
  expect((await place.admin.ask('GET', `${place.path}/invitations`)).body.data).toEqual([]);
  const again = await accept(await signedIn(), token);
  expect(again.status).toBe(404);
});

test('which of the operators sent an invitation is not told', async () => {
  const { id, path, admin } = await organization();
  const operator = await signedIn({ operator: true });
  await allowChanges(rig, operator, id);
  const made = await invite({ id: '', path, admin: operator });
  expect(made.invited_by).toBeNull();
  const [listed] = (await admin.ask('GET', `${path}/invitations`)).body.data;
  expect(listed.invited_by).toBeNull();
});

test('an invitation that many accept at the same moment makes one member', async () => {
  const place = await organization();
  const { token } = await invite(place);
  const people = await Promise.all(Array.from({ length: 8 }, () => signedIn()));
  const answers = await Promise.all(people.map((person) => accept(person, token)));
  const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
  expect(statuses).toEqual([200, ...Array.from({ length: 7 }, () => 404)]);
  expect((await rig.ask('GET', `${place.path}/members`)).body.data).toHaveLength(2);
});

test('one person who accepts twice at the same moment is one member', async () => {
  const place = await organization();
  const person = await signedIn();
  const tokens = [
    (await invite(place, 'a@example.com')).token,
    (await invite(place, 'b@example.com')).token,
  ];
  const answers = await Promise.all(tokens.map((token) => accept(person, token)));
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  expect((await rig.ask('GET', `${place.path}/members`)).body.data).toHaveLength(2);
});

test('an invitation is dead when it has expired, was taken back, or was sent again with another link', async () => {
  const place = await organization();
  const person = await signedIn();
  const first = await invite(place, 'a@example.com');
  const { admin, path } = place;
  const again = await admin.ask('POST', `${path}/invitations/${first.id}/resend`);
  expect(again.status).toBe(200);
  expect((await accept(person, first.token)).status).toBe(404);
  expect(
    await rig.place.sql(`select count(*) as n from jobs where subject = '${first.id}'`),
  ).toEqual([{ n: 2n }]);
  const resent = tokenIn(again.body.url);
  expect((await admin.ask('DELETE', `${path}/invitations/${first.id}`)).body).toEqual({
    id: first.id,
    revoked: true,
  });
  expect((await accept(person, resent)).status).toBe(404);
  expect((await admin.ask('DELETE', `${path}/invitations/${first.id}`)).status).toBe(404);

  const old = await invite(place, 'b@example.com');
  clock.advance(limits.invitationMsMax);
  await rig.place.sql(`update sessions set last_seen = ${clock.now()}`);
  expect((await accept(person, old.token)).status).toBe(404);
  expect((await admin.ask('GET', `${path}/invitations`)).body.data).toMatchObject([
    { id: old.id, state: 'expired' },
  ]);
  const revived = await admin.ask('POST', `${path}/invitations/${old.id}/resend`);
  expect(revived.body.state).toBe('open');
  expect((await accept(person, tokenIn(revived.body.url))).status).toBe(200);
});

test('who has left can be invited again, and is the same member as before', async () => {
  const place = await organization();
  const person = await signedIn();
  const first = await accept(person, (await invite(place)).token);
  const { path, admin } = place;
  await person.ask('POST', `${path}/leave`);
  const second = await accept(person, (await invite(place, 'ada@example.com', 'developer')).token);
  expect(second.body).toMatchObject({ member: first.body.member, role: 'developer' });
  const { data } = (await admin.ask('GET', `${path}/members`)).body;
  expect(data).toContainEqual(expect.objectContaining({ id: first.body.member }));
});

test('an address is invited once, and a member not at all', async () => {
  const place = await organization();
  await invite(place, 'a@example.com');
  const { path, admin } = place;
  const ask = (email: string) => admin.ask('POST', `${path}/invitations`, { email });
  const twice = await ask('A@example.com');
  expect(twice.status).toBe(409);
  expect(twice.body.error).toMatchObject({ code: 'conflict', param: 'email' });
  expect((await ask(admin.email)).status).toBe(409);
  // An open invitation counts in its own organization only.
  await invite(await organization(), 'a@example.com');
});

test('open invitations are bounded, and so are letters in a day', async () => {
  const place = await organization();
  const { path, admin } = place;
  const ask = (i: number) =>
    admin.ask('POST', `${path}/invitations`, { email: `p${i}@example.com` });
  let last = '';
  for (let i = 0; i < limits.openInvitationsPerOrganizationMax; i++) {
    const answer = await ask(i);
    expect(answer.status).toBe(201);
    last = answer.body.id;
  }
  expect((await ask(1000)).status).toBe(409);
  const resend = () => admin.ask('POST', `${path}/invitations/${last}/resend`);
  const left = limits.invitationLettersPerDayMax - limits.openInvitationsPerOrganizationMax;
  for (let i = 0; i < left; i++) expect((await resend()).status).toBe(200);
  const refused = await resend();
  expect(refused.status).toBe(429);
  expect(refused.headers.get('retry-after')).toBe(String(DAY_MS / 1000));
  clock.advance(DAY_MS);
  await rig.place.sql(`update sessions set last_seen = ${clock.now()}`);
  expect((await resend()).status).toBe(200);
});

test('an invitation that is long over is deleted, with the address that was typed', async () => {
  // The other tests' invitations become a little older than this one.
  clock.advance(1);
  const old = await invite(await organization(), 'long-ago@example.com');
  const sweep = () => rig.store.call(sweepInvitations, { now: clock.now() });
  const found = () => rig.place.sql(`select id from invitations where id = '${old.id}'`);
  clock.advance(limits.invitationMsMax + 30 * DAY_MS - 1);
  await sweep();
  expect(await found()).toHaveLength(1);
  clock.advance(1);
  expect(await sweep()).toBe(1);
  expect(await found()).toEqual([]);
});

test('what is no token, or the token of something else, is the invitation of nobody', async () => {
  const person = await signedIn();
  const place = await organization();
  await rig.place.sql(
    `update links set purpose = 'reset-password' where subject = '${(await invite(place)).id}'`,
  );
  for (const token of ['', 'x', `penstock-link-${'0'.repeat(40)}`, person.token]) {
    expect((await accept(person, token)).status).toBe(404);
  }
});

test.each([
  [{ email: 'a' }, 'email'],
  [{ email: 'a@example.com\r\nBcc: b@example.com' }, 'email'],
  [{ email: `${'a'.repeat(250)}@example.com` }, 'email'],
  [{ email: 'a@example.com', role: 'owner' }, 'role'],
  [{ email: 'a@example.com', name: 'Ada' }, 'name'],
])('an invitation of %j is refused', async (body, param) => {
  const { path, admin } = await organization();
  const answer = await admin.ask('POST', `${path}/invitations`, body);
  expect(answer.status).toBe(400);
  expect(answer.body.error.param).toBe(param);
});
