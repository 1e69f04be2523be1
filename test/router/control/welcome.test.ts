/**
 * The welcome credit: given when an address is confirmed, once per address for ever, and a limited
 * number per network.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mailboxOf, networkOf } from '../../../router/control/welcome/address.ts';
import { verifyLedger } from '../../../router/verify/verify.ts';
import { PICO_PER_USD, picoUsd, ZERO } from '../../../shared/money.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { PASSWORD } from './browser.ts';
import { openPost, type Post } from './post.ts';
import { type Answer, type Rig, startRig } from './rig.ts';

const DAY_MS = 86_400_000;
const clock = new ManualClock(Date.now());
const more = { trustedProxies: ['127.0.0.1'] };

let rig: Rig;
let post: Post;
beforeAll(async () => {
  rig = await startRig(clock, undefined, more);
  post = await openPost(rig, { clock });
});
afterAll(async () => {
  expect((await rig.store.call(verifyLedger, null)).differences).toEqual([]);
  await post[Symbol.asyncDispose]();
  await rig[Symbol.asyncDispose]();
});

let people = 0;
const newEmail = () => `welcome${people++}@example.com`;

type Signed = Readonly<{ email: string; organization: string; cookie: string }>;

let networks = 0;
/** Signs up, from a new network if none is given. */
async function signUp(email: string, from = `10.1.${networks++}.7`, on = rig): Promise<Signed> {
  const body = { email, password: PASSWORD, name: 'Ada' };
  const headers = { cookie: '', origin: on.origin, 'x-forwarded-for': from };
  const answer = await on.ask('POST', '/api/v1/sign-up', body, headers);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  const cookie = (answer.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? '';
  return { email, organization: answer.body.organizations[0].id, cookie };
}

/** Follows an email's link, in the browser of a session if one is given. */
async function confirm(token: string, on = rig, cookie = ''): Promise<Answer> {
  const headers = { authorization: '', cookie, origin: on.origin };
  return await on.ask('POST', '/api/v1/email-confirm', { token }, headers);
}

async function balance(organization: string, on = rig): Promise<string> {
  return (await on.ask('GET', `/api/v1/organizations/${organization}/credit`)).body.balance;
}

/** Signs up and follows the email's link. Returns the balance. */
async function arrive(email: string, from?: string): Promise<string> {
  const { organization } = await signUp(email, from);
  const confirmed = await confirm((await post.letterTo(email.toLowerCase())).token);
  expect(confirmed.status).toBe(200);
  const left = await balance(organization);
  expect(confirmed.body.welcome_credit).toBe(left === '0' ? null : left);
  return left;
}

async function actions(organization: string): Promise<string[]> {
  const rows = await rig.place.sql(
    `select action from audit where organization = '${organization}' order by action`,
  );
  return rows.map((row) => (row as { action: string }).action);
}

async function erase({ cookie }: Signed): Promise<void> {
  const headers = { cookie, origin: rig.origin };
  const gone = await rig.ask('DELETE', '/api/v1/me', { password: PASSWORD }, headers);
  expect(gone.status, JSON.stringify(gone.body)).toBe(200);
}

test('comes when the address is confirmed, and not before', async () => {
  const { email, organization } = await signUp(newEmail());
  expect(await balance(organization)).toBe('0');
  const { token } = await post.letterTo(email);
  expect((await confirm(token)).status).toBe(200);
  expect(await balance(organization)).toBe('5');
  expect(await actions(organization)).toEqual(['person.sign-up', 'welcome.give']);
  expect((await confirm(token)).body).toMatchObject({ confirmed: 'before', welcome_credit: null });
  expect(await balance(organization)).toBe('5');
});

test('comes with a password that is set anew by letter, too, which shows the same', async () => {
  const { email, organization } = await signUp(newEmail());
  await post.work();
  await rig.ask('POST', '/api/v1/password-reset', { email }, { authorization: '' });
  const { token } = await post.letterTo(email);
  const body = { token, password: `${PASSWORD} again` };
  await rig.ask('POST', '/api/v1/password-reset/confirm', body, { authorization: '' });
  expect(await balance(organization)).toBe('5');
});

test('is for the first organization alone, however many somebody opens', async () => {
  const { email, organization, cookie } = await signUp(newEmail());
  const headers = { cookie, origin: rig.origin };
  const open = () => rig.ask('POST', '/api/v1/organizations', { name: 'More' }, headers);
  const opened = await Promise.all([open(), open(), open()]);
  await confirm((await post.letterTo(email)).token);
  expect(await balance(organization)).toBe('5');
  for (const { body } of opened) expect(await balance(body.id)).toBe('0');
});

test('is had once by an address, whatever case, tag or dots it is written with', async () => {
  expect(await arrive('ada.lovelace+1@gmail.com')).toBe('5');
  expect(await arrive('Ada.Lovelace+2@gmail.com')).toBe('0');
  expect(await arrive('adalovelace@googlemail.com')).toBe('0');
  expect(await arrive('a.d.a.lovelace@gmail.com')).toBe('0');
  expect(await arrive('ada.lovelace@example.org')).toBe('5');
  expect(await arrive('ada.lovelace+tag@example.org')).toBe('0');
});

test('is had once by an address for ever, also after the account has ended', async () => {
  const email = newEmail();
  const signed = await signUp(email);
  await confirm((await post.letterTo(email)).token, rig, signed.cookie);
  await erase({ ...signed, cookie: await signInAgain(email) });
  await post.work();
  // Only the keyed digest of the address is kept.
  const kept = await rig.place.sql(`select * from welcomes order by created desc limit 1`);
  expect(kept).toEqual([
    { address: expect.stringMatching(/^[0-9a-f]{64}$/), created: expect.anything() },
  ]);
  for (const table of ['people', 'links', 'welcome_claims', 'jobs']) {
    const rows = await rig.place.sql(`select * from ${table}`);
    const text = JSON.stringify(rows, (_name, part) => (typeof part === 'bigint' ? '' : part));
    expect(text, table).not.toContain(email);
  }
  clock.advance(400 * DAY_MS);
  expect(await arrive(email)).toBe('0');
  expect(await arrive(email.replace('@', '+again@'))).toBe('0');
});

test('is not spent by whoever signs up with an address that is not theirs', async () => {
  const email = newEmail();
  await erase(await signUp(email));
  expect(await arrive(email)).toBe('5');
});

test('is given once where several confirm the same address at once', async () => {
  const name = `crowd${people++}`;
  const tokens: string[] = [];
  const organizations: string[] = [];
  for (let one = 0; one < 6; one++) {
    const { email, organization } = await signUp(`${name}+${one}@example.com`);
    organizations.push(organization);
    tokens.push((await post.letterTo(email)).token);
  }
  await Promise.all(tokens.map((token) => confirm(token)));
  const balances = await Promise.all(organizations.map((id) => balance(id)));
  expect(balances.toSorted()).toEqual(['0', '0', '0', '0', '0', '5']);
});

test('is not given to an organization that was deleted before', async () => {
  const { email, organization, cookie } = await signUp(newEmail());
  const { token } = await post.letterTo(email);
  const path = `/api/v1/organizations/${organization}`;
  const gone = await rig.ask(
    'DELETE',
    path,
    { name: "Ada's organization" },
    { cookie, origin: rig.origin },
  );
  expect(gone.status).toBe(200);
  expect((await confirm(token)).status).toBe(200);
  expect(await balance(organization)).toBe('0');
});

async function signInAgain(email: string): Promise<string> {
  const headers = { cookie: '', origin: rig.origin };
  const answer = await rig.ask('POST', '/api/v1/sign-in', { email, password: PASSWORD }, headers);
  return (answer.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? '';
}

/** The welcome credit of each of the person's organizations that is still to come. */
async function creditsToCome(cookie: string): Promise<(string | null)[]> {
  const headers = { cookie, origin: rig.origin };
  const { body } = await rig.ask('GET', '/api/v1/me', undefined, headers);
  return body.organizations.map(
    ({ welcome_credit }: { welcome_credit: string | null }) => welcome_credit,
  );
}

test('until their address is confirmed, a person is told how much credit their organization will get', async () => {
  const { email, cookie } = await signUp(newEmail());
  expect(await creditsToCome(cookie)).toEqual(['5']);
  const headers = { cookie, origin: rig.origin };
  const further = await rig.ask('POST', '/api/v1/organizations', { name: 'Zeta' }, headers);
  expect(further.status).toBe(201);
  expect(await creditsToCome(cookie)).toEqual(['5', null]);
  await confirm((await post.letterTo(email)).token, rig, cookie);
  expect(await creditsToCome(cookie)).toEqual([null, null]);
});

describe('of one network', () => {
  test('so many a day have it, also all at once; an operator may help the others', async () => {
    const terms = { amount: picoUsd(5n * PICO_PER_USD), perNetworkPerDay: 3 };
    await using own = await startRig(clock, undefined, { ...more, welcome: terms });
    await using letters = await openPost(own, { clock });
    const tokens: string[] = [];
    const organizations: string[] = [];
    for (let one = 0; one < 6; one++) {
      const { email, organization } = await signUp(newEmail(), `203.0.113.${one}`, own);
      organizations.push(organization);
      tokens.push((await letters.letterTo(email)).token);
    }
    await Promise.all(tokens.map((token) => confirm(token, own)));
    const balances = await Promise.all(organizations.map((id) => balance(id, own)));
    expect(balances.toSorted()).toEqual(['0', '0', '0', '5', '5', '5']);
    const withheld = await own.place.sql(
      `select details from audit where action = 'welcome.withhold'`,
    );
    expect(withheld).toHaveLength(3);
    const late = organizations[balances.indexOf('0')] ?? '';
    const path = `/api/v1/organizations/${late}/credit/adjustments`;
    await own.ask('POST', path, { amount: '5', reason: 'welcome' });
    expect(await balance(late, own)).toBe('5');
    // Another network has its own limit, and the next day starts a new one.
    const other = await signUp(newEmail(), '203.0.114.1', own);
    await confirm((await letters.letterTo(other.email)).token, own);
    expect(await balance(other.organization, own)).toBe('5');
    clock.advance(DAY_MS);
    const next = await signUp(newEmail(), '203.0.113.1', own);
    await confirm((await letters.letterTo(next.email)).token, own);
    expect(await balance(next.organization, own)).toBe('5');
    expect((await own.store.call(verifyLedger, null)).differences).toEqual([]);
  });

  test.each([
    ['203.0.113.9', '203.0.113'],
    ['::ffff:203.0.113.9', '203.0.113'],
    ['2001:db8:1:2:3::4', '2001:db8:1'],
    ['2001:0DB8:0001::', '2001:db8:1'],
    ['::1', '0:0:0'],
  ])('%s is of %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});

test('of nothing is given nobody, nor what an operator opens', async () => {
  const terms = { amount: ZERO, perNetworkPerDay: 20 };
  await using own = await startRig(clock, undefined, { ...more, welcome: terms });
  await using letters = await openPost(own, { clock });
  const { email, organization } = await signUp(newEmail(), undefined, own);
  await confirm((await letters.letterTo(email)).token, own);
  expect(await balance(organization, own)).toBe('0');
  const opened = await own.ask('POST', '/api/v1/organizations', { name: 'Customer' });
  expect(await balance(opened.body.id, own)).toBe('0');
});

test.each([
  ['Ada@Example.COM', 'ada@example.com'],
  ['ada+news+more@example.com', 'ada@example.com'],
  ['+ada@example.com', '+ada@example.com'],
  ['a.d.a@example.com', 'a.d.a@example.com'],
  ['a.d.a+x@GMail.com', 'ada@gmail.com'],
  ['a.da@googlemail.com', 'ada@gmail.com'],
  ['ada@BÜCHER.example', 'ada@xn--bcher-kva.example'],
  ['ada@xn--bcher-kva.example', 'ada@xn--bcher-kva.example'],
  ['ａｄａ@example.com', 'ada@example.com'],
])('%s is the mailbox %s', (email, mailbox) => {
  expect(mailboxOf(email)).toBe(mailbox);
});
