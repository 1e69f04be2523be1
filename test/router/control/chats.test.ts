/** Chats that people keep in their account: who can read them, their limits, and how they end. */
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { randomBytes } from 'node:crypto';
import { hash } from '@node-rs/argon2';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { formerMembersChatsTask } from '../../../router/control/chats/forget-task.ts';
import { CHAT_SAVES } from '../../../router/control/chats/routes.ts';
import { eraseOrganizationSlice } from '../../../router/control/erasure/traces.ts';
import { keptChats } from '../../../shared/bounds/kept-chats.ts';
import { systemClock } from '../../../shared/clock.ts';
import type { OrganizationId } from '../../../shared/ids.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { allowChanges, type Signed, signIn } from './people.ts';
import { type Rig, startRig } from './rig.ts';

let rig: Rig;
let clock: ManualClock;
beforeAll(async () => {
  clock = new ManualClock(systemClock.now());
  rig = await startRig(clock);
});
afterAll(() => rig[Symbol.asyncDispose]());

const SECRET = 'the heron stands in the river at dawn';
const CONTENTS = packed({ penstock_chat: 1, lanes: [], turns: [{ prompt: { text: SECRET } }] });
const WANTED = { title: 'Herons at dawn', contents: CONTENTS };

function packed(value: unknown): string {
  return deflateRawSync(JSON.stringify(value)).toString('base64url');
}

async function organization(): Promise<{ id: string; path: string; chats: string }> {
  const { id } = (await rig.ask('POST', '/api/v1/organizations', { name: 'Acme' })).body;
  const path = `/api/v1/organizations/${id}`;
  return { id, path, chats: `${path}/chats` };
}

/** Keeps a chat, a second after the one before, so that no rate refuses it. */
async function keep(owner: Signed, chats: string, wanted: object = WANTED) {
  clock.advance(1_000);
  const { status, body } = await owner.ask('POST', chats, wanted);
  expect(status, JSON.stringify(body)).toBe(201);
  return body as { id: string; version: number; bytes: number };
}

async function countOf(organizationId: string): Promise<number> {
  const rows = await rig.place.sql(
    `select chats.id from chats join members on members.id = chats.member
     where members.organization = '${organizationId}'`,
  );
  return rows.length;
}

test('a person keeps, lists, reads, changes and deletes a chat', async () => {
  const { id, path, chats } = await organization();
  const ada = await signIn(rig, { role: 'developer', organization: id });
  const made = await ada.ask('POST', chats, WANTED);
  expect(made.status).toBe(201);
  const chat = made.body;
  expect(chat).toEqual({
    id: expect.stringMatching(/^cht_[0-9a-z]{26}$/),
    title: 'Herons at dawn',
    version: 1,
    bytes: Buffer.from(CONTENTS, 'base64url').length,
    created: expect.any(String),
    changed: expect.any(String),
  });
  const one = `${chats}/${chat.id}`;
  const read = await ada.ask('GET', one);
  expect(read.body).toEqual({ ...chat, contents: CONTENTS });
  expect(inflateRawSync(Buffer.from(read.body.contents, 'base64url')).toString()).toContain(SECRET);
  expect((await ada.ask('GET', chats)).body).toEqual({ data: [chat], has_more: false, next: null });

  clock.advance(5_000);
  const contents = packed({ penstock_chat: 1, turns: [] });
  const changed = await ada.ask('PUT', one, { title: 'Egrets', contents, version: 1 });
  expect(changed.body).toEqual({
    ...chat,
    title: 'Egrets',
    version: 2,
    bytes: Buffer.from(contents, 'base64url').length,
    changed: new Date(Date.parse(chat.changed) + 5_000).toISOString(),
  });
  expect((await ada.ask('GET', one)).body.contents).toBe(contents);

  expect((await ada.ask('DELETE', one)).body).toEqual({ id: chat.id, deleted: true });
  expect((await ada.ask('GET', one)).status).toBe(404);
  expect((await ada.ask('DELETE', one)).status).toBe(404);
  expect((await ada.ask('PUT', one, { ...WANTED, version: 2 })).status).toBe(404);
  const admin = await signIn(rig, { role: 'org-admin', organization: id });
  const log = await admin.ask('GET', `${path}/audit?action=chat`);
  expect(log.body.data.map(({ summary }: { summary: string }) => summary)).toEqual([
    'Somebody deleted a chat from their account',
    'Somebody kept a chat in their account',
  ]);
});

test('the list has pages, newest first', async () => {
  const { id, chats } = await organization();
  const ada = await signIn(rig, { role: 'developer', organization: id });
  const ids: string[] = [];
  for (const title of ['One', 'Two', 'Three']) {
    ids.unshift((await keep(ada, chats, { ...WANTED, title })).id);
  }
  const first = (await ada.ask('GET', `${chats}?limit=2`)).body;
  expect(first.data.map((chat: { id: string }) => chat.id)).toEqual(ids.slice(0, 2));
  const rest = (await ada.ask('GET', `${chats}?limit=2&after=${first.next}`)).body;
  expect(rest.data.map((chat: { id: string }) => chat.id)).toEqual(ids.slice(2));
  expect(rest).toMatchObject({ has_more: false, next: null });
});

test('nobody but the owner can read, change or delete a chat: no admin, operator or token', async () => {
  const { id, path, chats } = await organization();
  const ada = await signIn(rig, { role: 'developer', organization: id });
  const one = `${chats}/${(await keep(ada, chats)).id}`;
  const admin = await signIn(rig, { role: 'org-admin', organization: id });
  const operatorMember = await signIn(rig, { role: 'developer', organization: id, operator: true });
  const change = { ...WANTED, version: 1 };
  for (const other of [admin, operatorMember]) {
    expect((await other.ask('GET', chats)).body.data).toEqual([]);
    expect((await other.ask('GET', one)).status).toBe(404);
    expect((await other.ask('PUT', one, change)).status).toBe(404);
    expect((await other.ask('DELETE', one)).status).toBe(404);
  }
  const operator = await signIn(rig, { operator: true });
  await allowChanges(rig, operator, id);
  expect((await operator.ask('GET', chats)).body.data).toEqual([]);
  expect((await operator.ask('GET', one)).status).toBe(404);
  expect((await operator.ask('POST', chats, WANTED)).status).toBe(403);
  expect((await operator.ask('DELETE', one)).status).toBe(404);

  const token = (await admin.ask('POST', `${path}/tokens`, { name: 't', role: 'org-admin' })).body;
  const headers = { authorization: `Bearer ${token.token}` };
  for (const [method, url, body] of [
    ['POST', chats, WANTED],
    ['PUT', one, change],
    ['DELETE', one, undefined],
  ] as const) {
    const { status, body: answer } = await rig.ask(method, url, body, headers);
    expect([status, answer.error.message]).toEqual([
      403,
      'A management token has no chats: they belong to people.',
    ]);
  }
  expect((await rig.ask('GET', chats, undefined, headers)).body.data).toEqual([]);
  expect((await rig.ask('GET', one, undefined, headers)).status).toBe(404);
  expect((await ada.ask('GET', one)).body.contents).toBe(CONTENTS);
});

test('a chat is read only through its own organization', async () => {
  const [own, other] = [await organization(), await organization()];
  const ada = await signIn(rig, { role: 'developer', organization: own.id });
  const { id } = await keep(ada, own.chats);
  const now = clock.now();
  await rig.place.sql(
    `insert into members (id, organization, person, role, created)
     values ('mem_${'1'.repeat(26)}', '${other.id}', '${ada.person}', 'developer', ${now})`,
  );
  expect((await ada.ask('GET', `${other.chats}/${id}`)).status).toBe(404);
  expect((await ada.ask('GET', other.chats)).body.data).toEqual([]);
  expect((await ada.ask('GET', `${own.chats}/${id}`)).status).toBe(200);
});

test('a viewer reads and deletes the chats of their former role, and keeps no more', async () => {
  const { id, path, chats } = await organization();
  const admin = await signIn(rig, { role: 'org-admin', organization: id });
  const ada = await signIn(rig, { role: 'developer', organization: id });
  const one = `${chats}/${(await keep(ada, chats)).id}`;
  await admin.ask('PATCH', `${path}/members/${ada.member}`, { role: 'viewer' });
  expect((await ada.ask('POST', chats, WANTED)).status).toBe(403);
  expect((await ada.ask('PUT', one, { ...WANTED, version: 1 })).status).toBe(403);
  expect((await ada.ask('GET', one)).body.contents).toBe(CONTENTS);
  expect((await ada.ask('DELETE', one)).status).toBe(200);
});

test('of two tabs that change one version, the second is told so and changes nothing', async () => {
  const { id, chats } = await organization();
  const ada = await signIn(rig, { role: 'developer', organization: id });
  const one = `${chats}/${(await keep(ada, chats)).id}`;
  const titles = ['First tab', 'Second tab'];
  const answers = await Promise.all(
    titles.map((title) => ada.ask('PUT', one, { title, contents: CONTENTS, version: 1 })),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]));
  const late = answers.find(({ status }) => status === 409);
  expect(late?.body.error).toMatchObject({ code: 'conflict', param: 'version' });
  const winner = titles[answers.findIndex(({ status }) => status === 200)];
  expect((await ada.ask('GET', one)).body).toMatchObject({ title: winner, version: 2 });
});

test('a chat is deleted only in the version that the caller knows, if the caller names one', async () => {
  const { id, path, chats } = await organization();
  const ada = await signIn(rig, { role: 'org-admin', organization: id });
  const one = `${chats}/${(await keep(ada, chats)).id}`;
  await ada.ask('PUT', one, { ...WANTED, version: 1 });
  const late = await ada.ask('DELETE', `${one}?version=1`);
  expect([late.status, late.body.error]).toMatchObject([
    409,
    { code: 'conflict', param: 'version' },
  ]);
  expect((await ada.ask('GET', one)).body.version).toBe(2);
  expect((await ada.ask('GET', `${path}/audit?action=chat.delete`)).body.data).toEqual([]);
  expect((await ada.ask('DELETE', `${one}?version=2`)).status).toBe(200);
  expect((await ada.ask('DELETE', `${one}?version=2`)).status).toBe(404);
});

test('titles and contents are encrypted in the store', async () => {
  const { id, chats } = await organization();
  const ada = await signIn(rig, { role: 'developer', organization: id });
  const chat = await keep(ada, chats, { title: 'Nobody sees this title', contents: CONTENTS });
  const stored = (await rig.place.sql(
    `select sealed_key, title, contents from chats where id = '${chat.id}'`,
  )) as [{ sealed_key: string; title: Uint8Array; contents: Uint8Array }];
  const [{ title, contents }] = stored;
  const packedBytes = Buffer.from(CONTENTS, 'base64url');
  expect(Buffer.from(title).includes('Nobody')).toBe(false);
  expect(Buffer.from(contents).includes(packedBytes.subarray(0, 16))).toBe(false);
  expect(await rig.bytes()).not.toContain('Nobody sees this title');
});

test('a chat whose owner was changed in the store is not decrypted for the new one', async () => {
  const { id, chats } = await organization();
  const ada = await signIn(rig, { role: 'developer', organization: id });
  const eve = await signIn(rig, { role: 'developer', organization: id });
  const chat = await keep(ada, chats, { title: 'Nobody else sees this', contents: CONTENTS });
  await rig.place.sql(`update chats set member = '${eve.member}' where id = '${chat.id}'`);
  for (const url of [chats, `${chats}/${chat.id}`]) {
    const { status, body } = await eve.ask('GET', url);
    expect(status).toBe(500);
    expect(JSON.stringify(body)).not.toContain('Nobody else sees this');
  }
});

test('a person keeps a limited number of chats, in all organizations together', async () => {
  const [one, two] = [await organization(), await organization()];
  const ada = await signIn(rig, { role: 'developer', organization: one.id });
  await rig.place.sql(
    `insert into members (id, organization, person, role, created)
     values ('mem_${'2'.repeat(26)}', '${two.id}', '${ada.person}', 'developer', ${clock.now()})`,
  );
  for (let n = 0; n < keptChats.chatsMax; n++) await keep(ada, n % 2 ? one.chats : two.chats);
  clock.advance(1_000);
  const { status, body } = await ada.ask('POST', two.chats, WANTED);
  expect([status, body.error]).toMatchObject([
    409,
    {
      param: 'contents',
      message:
        'You keep 200 chats in your account, which is the most: delete one that is not needed any more.',
    },
  ]);
  const [last] = (await ada.ask('GET', `${one.chats}?limit=1`)).body.data;
  clock.advance(1_000);
  const saved = await ada.ask('PUT', `${one.chats}/${last.id}`, { ...WANTED, version: 1 });
  expect(saved.status).toBe(200);
  await ada.ask('DELETE', `${one.chats}/${last.id}`);
  await keep(ada, two.chats);
});

test('a person keeps a limited number of bytes', async () => {
  const { id, chats } = await organization();
  const ada = await signIn(rig, { role: 'developer', organization: id });
  const most = randomBytes((keptChats.contentsCharsMax / 4) * 3).toString('base64url');
  const large = { title: 'Large', contents: most };
  const { bytes } = await keep(ada, chats, large);
  for (let n = 1; n < Math.floor(keptChats.bytesMax / bytes); n++) await keep(ada, chats, large);
  clock.advance(1_000);
  const over = await ada.ask('POST', chats, large);
  expect([over.status, over.body.error]).toMatchObject([
    409,
    {
      param: 'contents',
      message:
        'The chats in your account would take more than 20 MiB: delete some that are not needed any more.',
    },
  ]);
  const small = await keep(ada, chats);
  clock.advance(1_000);
  const grown = await ada.ask('PUT', `${chats}/${small.id}`, { ...large, version: 1 });
  expect([grown.status, grown.body.error.param]).toEqual([409, 'contents']);
  expect((await ada.ask('GET', `${chats}/${small.id}`)).body).toMatchObject({ version: 1 });
});

test.each([
  [
    'a chat that is too large',
    { contents: 'a'.repeat(keptChats.contentsCharsMax + 1) },
    'contents',
  ],
  ['contents that are not base64url', { contents: '{"penstock_chat": 1}' }, 'contents'],
  ['no contents', { contents: '' }, 'contents'],
  ['a title with a line break', { title: 'a\nb' }, 'title'],
  ['a title that is too long', { title: 'a'.repeat(101) }, 'title'],
])('%s is refused', async (_name, part, param) => {
  const { id, chats } = await organization();
  const ada = await signIn(rig, { role: 'developer', organization: id });
  const { status, body } = await ada.ask('POST', chats, { ...WANTED, ...part });
  expect([status, body.error.param]).toEqual([400, param]);
  expect(await countOf(id)).toBe(0);
});

test('a person who saves without end is refused for a while', async () => {
  const { id, chats } = await organization();
  const ada = await signIn(rig, { role: 'developer', organization: id });
  const one = `${chats}/${(await keep(ada, chats)).id}`;
  const statuses: number[] = [];
  for (let version = 1; version <= CHAT_SAVES.peer.burst; version++) {
    statuses.push((await ada.ask('PUT', one, { ...WANTED, version })).status);
  }
  expect(new Set(statuses.slice(0, -1))).toEqual(new Set([200]));
  expect(statuses.at(-1)).toBe(429);
  // The body is not read: it would be refused as invalid.
  const refused = await ada.ask('PUT', one, '{');
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
  const bea = await signIn(rig, { role: 'developer', organization: id });
  expect((await bea.ask('POST', chats, WANTED)).status).toBe(201);
  clock.advance(1_000);
  const version = CHAT_SAVES.peer.burst;
  expect((await ada.ask('PUT', one, { ...WANTED, version })).status).toBe(200);
});

test('an organization of a region keeps no chats, and those from before can be read and deleted', async () => {
  const { id, path, chats } = await organization();
  const ada = await signIn(rig, { role: 'org-admin', organization: id });
  const one = `${chats}/${(await keep(ada, chats)).id}`;
  expect((await ada.ask('PATCH', path, { region: 'eu' })).status).toBe(200);
  for (const [method, url, body] of [
    ['POST', chats, WANTED],
    ['PUT', one, { ...WANTED, version: 1 }],
  ] as const) {
    const refused = await ada.ask(method, url, body);
    expect([refused.status, refused.body.error.message]).toEqual([
      403,
      'Chats of a US or EU organization are not kept in accounts, which may be stored in another region.',
    ]);
  }
  expect((await ada.ask('GET', one)).body.contents).toBe(CONTENTS);
  expect((await ada.ask('DELETE', one)).status).toBe(200);
});

test('the chats of a member who leaves or is removed are deleted', async () => {
  const { id, path, chats } = await organization();
  const admin = await signIn(rig, { role: 'org-admin', organization: id });
  const [leaving, removed] = [
    await signIn(rig, { role: 'org-admin', organization: id }),
    await signIn(rig, { role: 'developer', organization: id }),
  ];
  for (const owner of [admin, leaving, removed]) await keep(owner, chats);
  expect((await leaving.ask('DELETE', `${path}/members/${leaving.member}`)).status).toBe(200);
  expect((await admin.ask('DELETE', `${path}/members/${removed.member}`)).status).toBe(200);
  expect(await countOf(id)).toBe(1);
  expect((await admin.ask('GET', chats)).body.data).toHaveLength(1);
});

test('the chats of a person are deleted with their account', async () => {
  const { id, chats } = await organization();
  await signIn(rig, { role: 'org-admin', organization: id });
  const ada = await signIn(rig, { role: 'developer', organization: id });
  await keep(ada, chats);
  const password = 'a long enough password';
  const passwordHash = await hash(password, { memoryCost: 8, timeCost: 1, parallelism: 1 });
  await rig.place.sql(
    `update people set password_hash = '${passwordHash}' where id = '${ada.person}'`,
  );
  expect((await ada.ask('DELETE', '/api/v1/me', { password })).status).toBe(200);
  expect(await countOf(id)).toBe(0);
});

test('a router of an earlier version leaves chats of a former member, which nobody can read and a task deletes', async () => {
  const { id, chats } = await organization();
  const ada = await signIn(rig, { role: 'developer', organization: id });
  const bea = await signIn(rig, { role: 'developer', organization: id });
  const one = `${chats}/${(await keep(ada, chats)).id}`;
  await keep(bea, chats);
  await rig.place.sql(`update members set left_at = ${clock.now()} where id = '${ada.member}'`);
  expect((await ada.ask('GET', one)).status).toBe(404);
  await formerMembersChatsTask({ store: rig.store }).run();
  expect(await countOf(id)).toBe(1);
});

test('the chats of a deleted organization are unreadable at once, and then erased', async () => {
  const { id, path, chats } = await organization();
  const admin = await signIn(rig, { role: 'org-admin', organization: id });
  const one = `${chats}/${(await keep(admin, chats)).id}`;
  for (let n = 1; n < 25; n++) await keep(admin, chats);
  expect((await admin.ask('DELETE', path, { name: 'Acme' })).status).toBe(200);
  expect((await admin.ask('GET', one)).status).toBe(404);
  const of = id as OrganizationId;
  let slice = await rig.store.call(eraseOrganizationSlice, { of, after: null });
  expect(slice.more).toBe(true);
  while (slice.more)
    slice = await rig.store.call(eraseOrganizationSlice, { of, after: slice.after });
  expect(await countOf(id)).toBe(0);
});

test('the export of an organization has no chats', async () => {
  const { id, path, chats } = await organization();
  const admin = await signIn(rig, { role: 'org-admin', organization: id });
  const chat = await keep(admin, chats);
  const response = await fetch(`${rig.origin}${path}/export`, {
    headers: { cookie: `penstock-session=${admin.token}` },
  });
  const lines = (await response.text()).trim().split('\n');
  const own = lines.filter((line) => line.includes(chat.id)).map((line) => JSON.parse(line));
  // The audit log says that there was one, not what is in it.
  expect(own).toMatchObject([{ type: 'audit', action: 'chat.keep', details: {} }]);
});
