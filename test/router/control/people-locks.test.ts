/** Operators end the sessions of people, and lock and unlock their accounts. */
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { expect, test } from 'vitest';
import { Browser, PASSWORD } from './browser.ts';
import { openPost } from './post.ts';
import { clock, crowd, rig, shareCrowd } from './shared-crowd.ts';

shareCrowd();

const OTHER = 'seven grey geese at noon';

async function somebody() {
  const { email, browser } = await crowd.somebody();
  const { body } = await browser.ask('GET', '/me');
  const organization = body.organizations[0].id as string;
  return { email, browser, id: body.id as string, organization };
}

const lock = (id: string) => rig.ask('POST', `/api/v1/people/${id}/lock`);
const unlock = (id: string) => rig.ask('POST', `/api/v1/people/${id}/unlock`);

/** Creates an operator, who calls with their token. */
async function operator(email: string) {
  const { id, token } = (await rig.ask('POST', '/api/v1/operators', { email, name: 'Grace' })).body;
  const ask = (method: string, path: string) =>
    rig.ask(method, `/api/v1${path}`, undefined, { authorization: `Bearer ${token}` });
  return { id: id as string, ask, lock: (other: string) => ask('POST', `/people/${other}/lock`) };
}

/** The sentences of the audit log about a person since the sign-up, sorted. */
async function sentencesOf(id: string): Promise<string[]> {
  const { body } = await rig.ask('GET', `/api/v1/audit?account=${id}`);
  const entries = body.data as { summary: string }[];
  return entries.map(({ summary }) => summary).toSorted();
}

test('an operator ends one session of a person, and then all of them', async () => {
  const { email, browser, id } = await somebody();
  const [second, third] = [new Browser(rig), new Browser(rig)];
  await second.signIn(email);
  await third.signIn(email);
  const { sessions } = (await rig.ask('GET', `/api/v1/people/${id}`)).body;
  const own = (await browser.ask('GET', '/sessions')).body.data as {
    id: string;
    current: boolean;
  }[];
  const session = own.find(({ current }) => current)?.id;
  expect(sessions).toHaveLength(3);
  const path = `/api/v1/people/${id}/sessions`;
  expect((await rig.ask('DELETE', `${path}/${session}`)).body).toEqual({
    id: session,
    deleted: true,
  });
  expect(await browser.isSignedIn()).toBe(false);
  expect(await second.isSignedIn()).toBe(true);
  expect((await rig.ask('DELETE', `${path}/${session}`)).status).toBe(404);
  expect((await second.ask('DELETE', `/people/${id}/sessions`)).status).toBe(403);

  expect((await rig.ask('DELETE', path)).body).toEqual({ done: true });
  expect(await second.isSignedIn()).toBe(false);
  expect(await third.isSignedIn()).toBe(false);
  expect((await second.signIn(email)).status).toBe(200);
  const nobody = `per_${'0'.repeat(26)}`;
  expect((await rig.ask('DELETE', `/api/v1/people/${nobody}/sessions`)).status).toBe(404);
  expect(await sentencesOf(id)).toEqual([
    'Operator ended a session of Ada',
    'Operator ended all sessions of Ada',
  ]);
});

test('a session of somebody else is not ended through this person', async () => {
  const ada = await somebody();
  const eve = await somebody();
  const [session] = (await rig.ask('GET', `/api/v1/people/${eve.id}`)).body.sessions;
  const answer = await rig.ask('DELETE', `/api/v1/people/${ada.id}/sessions/${session.id}`);
  expect(answer.status).toBe(404);
  expect(await eve.browser.isSignedIn()).toBe(true);
});

test('nobody signs in to a locked account, and only the right password is told why', async () => {
  const { email, browser, id } = await somebody();
  const locked = await lock(id);
  expect(locked.status).toBe(200);
  const lockedAt = new Date(clock.now()).toISOString();
  expect(locked.body).toMatchObject({ id, email, locked_at: lockedAt });
  expect(await browser.isSignedIn()).toBe(false);
  expect((await rig.ask('GET', `/api/v1/people/${id}`)).body).toMatchObject({
    locked_at: lockedAt,
    sessions: [],
  });

  const stranger = new Browser(rig);
  const unknown = await stranger.signIn('nobody@example.com', OTHER);
  const wrong = await stranger.signIn(email, OTHER);
  expect(wrong.status).toBe(unknown.status);
  expect(wrong.body.error).toEqual(unknown.body.error);
  const right = await stranger.signIn(email);
  expect(right.status).toBe(403);
  expect(right.body.error.code).toBe('account_locked');
  expect(right.headers.get('set-cookie')).toBeNull();

  expect((await lock(id)).status).toBe(409);
  expect((await unlock(id)).body).toMatchObject({ locked_at: null });
  expect((await unlock(id)).status).toBe(409);
  expect(await browser.isSignedIn()).toBe(false);
  expect((await stranger.signIn(email)).status).toBe(200);
  expect(await sentencesOf(id)).toEqual([
    'Operator locked the account of Ada',
    'Operator unlocked the account of Ada',
  ]);
});

test('the right password of a locked account does not use up attempts', async () => {
  const { email, id } = await somebody();
  await lock(id);
  const browser = new Browser(rig);
  for (let attempt = 0; attempt < 15; attempt++) {
    expect((await browser.signIn(email)).status).toBe(403);
  }
  await unlock(id);
  expect((await browser.signIn(email)).status).toBe(200);
});

test('a session that an earlier router begins on a locked account is refused, also after the unlock', async () => {
  const { browser, id } = await somebody();
  const [row] = (await rig.place.sql(`select * from sessions where person = '${id}'`)) as [
    Record<string, string | null>,
  ];
  const columns = ['id', 'digest', 'rotate', 'person', 'address', 'client', 'created', 'last_seen'];
  const values = [...columns, 'expires'].map((column) => `'${row[column]}'`);
  const begin = () =>
    rig.place.sql(
      `insert into sessions (${columns.join(', ')}, expires) values (${values.join(', ')})`,
    );
  await rig.ask('DELETE', `/api/v1/people/${id}/sessions`);
  await begin();
  expect(await browser.isSignedIn()).toBe(true);
  await lock(id);
  await begin();
  expect(await browser.isSignedIn()).toBe(false);
  await unlock(id);
  expect(await browser.isSignedIn()).toBe(false);
});

test('the links of a locked account end, and no email with another one is sent', async () => {
  const { email, id } = await somebody();
  await using post = await openPost(rig, { clock });
  const asked = await new Browser(rig).ask('POST', '/password-reset', { email });
  const { token: before } = await post.letterTo(email);
  expect(before).not.toBe('');
  await lock(id);
  const again = await new Browser(rig).ask('POST', '/password-reset', { email });
  expect([again.status, again.body]).toEqual([asked.status, asked.body]);
  const sent = post.received.length;
  await post.work();
  expect(post.received).toHaveLength(sent);
  const reset = (token: string) =>
    new Browser(rig).ask('POST', '/password-reset/confirm', { token, password: OTHER });
  expect((await reset(before)).status).toBe(400);

  // A link of an operator sets a new password, and the account stays locked.
  const made = await rig.ask('POST', '/api/v1/people/links', { email, purpose: 'reset-password' });
  const [, token = ''] = made.body.url.split('#token=');
  expect((await reset(token)).status).toBe(200);
  expect((await new Browser(rig).signIn(email, OTHER)).body.error.code).toBe('account_locked');
  await unlock(id);
  expect((await new Browser(rig).signIn(email, PASSWORD)).status).toBe(401);
  expect((await new Browser(rig).signIn(email, OTHER)).status).toBe(200);
});

test('the keys and tokens of organizations work on, and the playground of the person ends', async () => {
  const { browser, id, organization } = await somebody();
  const of = `/organizations/${organization}`;
  const key = await browser.ask('POST', `${of}/keys`, { name: 'app' });
  const token = await browser.ask('POST', `${of}/tokens`, { name: 'ci', role: 'viewer' });
  expect([key.status, token.status]).toEqual([201, 201]);
  expect((await browser.ask('POST', `${of}/playground/session`)).status).toBe(201);
  await lock(id);
  const keys = await rig.place.sql(
    `select source, state from keys where organization = '${organization}' order by source`,
  );
  expect(keys).toEqual([
    { source: 'api', state: 'active' },
    { source: 'playground', state: 'deleted' },
  ]);
  const read = await rig.ask('GET', `/api/v1${of}`, undefined, {
    authorization: `Bearer ${token.body.token}`,
  });
  expect(read.status).toBe(200);
});

test('an operator cannot lock themselves, and of two who lock each other one stays', async () => {
  const own = (await rig.ask('GET', '/api/v1/me')).body.id as string;
  const refused = await lock(own);
  expect(refused.status).toBe(409);
  expect(refused.body.error.message).toBe('You cannot lock your own account.');
  const [one, other] = [await operator('one@example.com'), await operator('other@example.com')];
  const answers = await Promise.all([one.lock(other.id), other.lock(one.id)]);
  expect(answers.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(1);
});

test('the token of a locked operator is refused until the account is unlocked', async () => {
  const { id, ask } = await operator('grace@example.com');
  const call = () => ask('GET', '/me');
  expect((await call()).status).toBe(200);
  await lock(id);
  expect((await call()).status).toBe(401);
  const { data } = (await rig.ask('GET', '/api/v1/operators')).body;
  expect(data).toContainEqual(expect.objectContaining({ id, locked: true }));
  await unlock(id);
  expect((await call()).status).toBe(200);
});

test('the last operator who is not locked keeps the rights', async () => {
  const own = (await rig.ask('GET', '/api/v1/me')).body.id as string;
  const { data } = (await rig.ask('GET', '/api/v1/operators')).body;
  for (const { id } of data as { id: string }[]) if (id !== own) await lock(id);
  const refused = await rig.ask('DELETE', `/api/v1/operators/${own}`);
  expect(refused.status).toBe(409);
  expect(refused.body.error.message).toBe(
    'This is the last administrator: make another operator one first.',
  );
});

test('whoever is no operator neither locks nor unlocks an account', async () => {
  const { browser } = await somebody();
  const { id } = await somebody();
  for (const change of ['lock', 'unlock']) {
    expect((await browser.ask('POST', `/people/${id}/${change}`)).status).toBe(403);
    expect((await rig.ask('POST', `/api/v1/people/per_${'0'.repeat(26)}/${change}`)).status).toBe(
      404,
    );
  }
});

/** Sends a request whose last byte arrives only after `meanwhile`. Returns the status. */
async function held(
  [method, path, body]: readonly [string, string, object],
  headers: Readonly<Record<string, string>>,
  meanwhile: () => Promise<unknown>,
): Promise<number> {
  const text = JSON.stringify(body);
  const sent = request(`${rig.origin}/api/v1${path}`, {
    method,
    headers: {
      ...headers,
      origin: rig.origin,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
    },
  });
  const answered = once(sent, 'response');
  // The router answers this after it has seen the headers of the first.
  await new Promise<void>((resolve) => void sent.write(text.slice(0, -1), () => resolve()));
  await rig.ask('GET', '/api/v1/people?limit=1');
  await meanwhile();
  sent.end(text.slice(-1));
  const [response] = (await answered) as [IncomingMessage];
  response.resume();
  return response.statusCode ?? 0;
}

test('a request whose body arrives after the lock is refused', async () => {
  const { id, organization, browser } = await somebody();
  const { id: own, token } = (
    await rig.ask('POST', '/api/v1/operators', { email: 'held@example.com', name: 'Hal' })
  ).body;
  const headers = { authorization: `Bearer ${token}` };
  const another = ['POST', '/operators', { email: 'more@example.com', name: 'Max' }] as const;
  expect(await held(another, headers, () => lock(own))).toBe(401);
  const key = ['POST', `/organizations/${organization}/keys`, { name: 'late' }] as const;
  const cookie = `penstock-session=${browser.token}`;
  expect(await held(key, { cookie }, () => lock(id))).toBe(401);
});

test('a lock and an unlock have reasons, which operators read until the person is erased', async () => {
  const { id, email } = await somebody();
  const path = `/api/v1/people/${id}`;
  for (const reason of ['', ' ', 'a\0b', 'x'.repeat(501), 7]) {
    expect((await rig.ask('POST', `${path}/lock`, { reason })).status).toBe(400);
  }
  expect((await rig.ask('POST', `${path}/lock`, { why: 'x' })).status).toBe(400);
  expect((await rig.ask('POST', `${path}/lock`, { reason: 'stolen cards' })).status).toBe(200);
  const refused = await rig.ask('POST', `${path}/lock`, { reason: 'again' });
  expect(refused.status).toBe(409);
  expect((await rig.ask('POST', `${path}/unlock`, { reason: 'cleared' })).status).toBe(200);
  const { body } = await rig.ask('GET', `/api/v1/audit?account=${id}&action=person`);
  const entries = body.data as { action: string; summary: string; details: object }[];
  const of = (action: string) => entries.filter((entry) => entry.action === action);
  expect(of('person.lock')).toMatchObject([{ details: { reason: 'stolen cards' } }]);
  expect(of('person.lock')[0]?.summary).toMatch(/locked the account of .+: stolen cards$/);
  expect(of('person.unlock')).toMatchObject([{ details: { reason: 'cleared' } }]);

  const again = new Browser(rig);
  await again.signIn(email);
  expect((await again.ask('DELETE', '/me', { password: PASSWORD })).status).toBe(200);
  const left = (await rig.ask('GET', `/api/v1/audit?account=${id}&action=person`)).body;
  expect(JSON.stringify(left)).toContain('person.lock');
  expect(JSON.stringify(left)).not.toMatch(/stolen cards|cleared/);
});

test('the reason of a suspension is for operators, and for a change of the status only', async () => {
  const { browser, organization } = await somebody();
  const own = `/api/v1/organizations/${organization}`;
  const terms = (body: object) => rig.ask('PATCH', `${own}/terms`, body);
  const limits = { requests_per_minute: 5 };
  for (const body of [
    { reason: 'none' },
    { reason: 'none', limits },
    { reason: 'none', status: 'active' },
  ]) {
    const { status, body: answer } = await terms(body);
    expect([status, answer.error.param]).toEqual([400, 'reason']);
  }
  expect((await terms({ status: 'suspended', reason: 'chargebacks' })).status).toBe(200);
  expect((await terms({ status: 'suspended', reason: 'again' })).status).toBe(400);
  expect((await terms({ status: 'suspended' })).status).toBe(200);
  expect((await terms({ status: 'active', reason: 'settled' })).status).toBe(200);

  const log = `${own}/audit?action=organization.change-terms`;
  const { body } = await rig.ask('GET', log);
  const entries = body.data as { summary: string; details: object }[];
  // Entries of the same millisecond have no order.
  expect(entries).toHaveLength(3);
  for (const details of [
    { status: 'active', reason: 'settled' },
    { status: 'suspended' },
    { status: 'suspended', reason: 'chargebacks' },
  ]) {
    expect(entries.map((entry) => entry.details)).toContainEqual(details);
  }
  const sentences = entries.map(({ summary }) => summary);
  expect(sentences).toContainEqual(
    expect.stringMatching(/suspended the organization: chargebacks$/),
  );
  const seen = JSON.stringify((await browser.ask('GET', log.slice('/api/v1'.length))).body);
  expect(seen).toContain('suspended the organization');
  const response = await fetch(`${rig.origin}${own}/export`, {
    headers: { cookie: `penstock-session=${browser.token}` },
  });
  const exported = await response.text();
  expect(exported).toContain('organization.change-terms');
  const organizationSeen = JSON.stringify(
    (await browser.ask('GET', `/organizations/${organization}`)).body,
  );
  for (const text of [seen, organizationSeen, exported])
    expect(text).not.toMatch(/chargebacks|settled/);
});
