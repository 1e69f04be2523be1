/**
 * Signing in and out: cookies, rotation, the limit on attempts, and the list of a person's
 * sessions.
 */
import { verify } from '@node-rs/argon2';
import { digestSecret } from '../../../shared/peppers.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashPassword, Passwords } from '../../../router/control/people/passwords.ts';
import { sweepSignIns } from '../../../router/control/sessions/sweep.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { Browser, Crowd, PASSWORD } from './browser.ts';
import { PEPPER, type Rig, startRig } from './rig.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

const clock = new ManualClock(Date.now());
let verified = 0;
let rig: Rig;
let crowd: Crowd;
beforeAll(async () => {
  const counted = (digest: string, password: string) => {
    verified++;
    return verify(digest, password);
  };
  const passwords = new Passwords({ hash: hashPassword, verify: counted });
  rig = await startRig(clock, ['global'], { passwords });
  crowd = new Crowd(rig, clock);
});
afterAll(() => rig[Symbol.asyncDispose]());

describe('sessions', () => {
  test('the operator of the first run signs in with the password that was told', async () => {
    const browser = new Browser(rig);
    const { email, password } = rig.first.operator;
    const answer = await browser.signIn(email, password);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ email, operator: true, second_factor: false });
    expect(browser.setCookie).toMatch(
      /^penstock-session=penstock-ses-\w{40}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=2592000$/,
    );
    expect((await browser.ask('GET', '/organizations')).status).toBe(200);
  });

  test('a sign-in mints a new token, and ends the session that it was sent with', async () => {
    const { email, browser } = await crowd.somebody();
    const before = browser.token;
    expect((await browser.signIn(email.toUpperCase())).status).toBe(200);
    expect(browser.token).not.toBe(before);
    const old = new Browser(rig);
    old.token = before;
    expect(await old.isSignedIn()).toBe(false);
    expect((await browser.ask('GET', '/sessions')).body.data).toHaveLength(1);
    expect((await rig.bytes()).includes(browser.token ?? '?')).toBe(false);
    expect(await rig.bytes()).toContain(digestSecret(PEPPER, browser.token ?? ''));
  });

  test('each is listed with where it is from, and ended alone, by signing out, or with all others', async () => {
    const { email, browser } = await crowd.somebody();
    const [second, third] = [new Browser(rig), new Browser(rig)];
    for (const next of [second, third]) {
      clock.advance(1);
      await next.signIn(email);
    }
    const { data } = (await browser.ask('GET', '/sessions')).body;
    expect(data).toHaveLength(3);
    expect(data.filter(({ current }: { current: boolean }) => current)).toHaveLength(1);
    expect(data[0]).toMatchObject({ address: '127.0.0.1', client: 'Browser/1.0' });
    const page = (await browser.ask('GET', '/sessions?limit=2')).body;
    expect(page).toMatchObject({ has_more: true, next: data[1].id });
    expect((await browser.ask('GET', `/sessions?after=${page.next}`)).body.data).toEqual([data[2]]);

    // Newest first.
    expect((await browser.ask('DELETE', `/sessions/${data[0].id}`)).status).toBe(200);
    expect((await browser.ask('DELETE', `/sessions/${data[0].id}`)).status).toBe(404);
    expect(await third.isSignedIn()).toBe(false);
    expect((await second.ask('POST', '/sign-out')).status).toBe(200);
    expect(second.setCookie).toContain('Max-Age=0');
    expect((await second.ask('POST', '/sign-out')).status).toBe(200);
    const fourth = new Browser(rig);
    await fourth.signIn(email);
    expect((await browser.ask('POST', '/sign-out-everywhere')).status).toBe(200);
    expect(await fourth.isSignedIn()).toBe(false);
  });

  test("nobody ends somebody else's session", async () => {
    const { browser } = await crowd.somebody();
    const other = await crowd.somebody();
    const [session] = (await other.browser.ask('GET', '/sessions')).body.data;
    expect((await browser.ask('DELETE', `/sessions/${session.id}`)).status).toBe(404);
    expect(await other.browser.isSignedIn()).toBe(true);
  });

  test('it ends after thirty days, after seven without use, and is seen once a minute', async () => {
    const { browser } = await crowd.somebody();
    const seen = async () => (await browser.ask('GET', '/sessions')).body.data[0].last_seen;
    const first = await seen();
    clock.advance(MINUTE_MS - 1);
    expect(await seen()).toBe(first);
    clock.advance(1);
    expect(await seen()).toBe(new Date(clock.now()).toISOString());
    clock.advance(7 * DAY_MS - 1);
    expect(await browser.isSignedIn()).toBe(true);
    clock.advance(7 * DAY_MS);
    expect(await browser.isSignedIn()).toBe(false);

    const used = (await crowd.somebody()).browser;
    for (let day = 0; day < 29; day++) {
      clock.advance(DAY_MS);
      expect(await used.isSignedIn()).toBe(true);
    }
    clock.advance(DAY_MS);
    expect(await used.isSignedIn()).toBe(false);
  });

  test('somebody has at most fifty: the one that was not used for the longest ends', async () => {
    const { email, browser } = await crowd.somebody();
    const own = `person = (select id from people where email = '${email}')`;
    const columns = 'rotate, person, address, client, created, last_seen, expires';
    for (let more = 0; more < 49; more++) {
      await rig.place.sql(
        `insert into sessions (id, digest, ${columns})
         select 'more_${more}', 'digest ${more}', ${columns.replace('last_seen', 'last_seen + 1')}
         from sessions where ${own} and length(id) = 30`,
      );
    }
    expect(await browser.isSignedIn()).toBe(true);
    clock.advance(2);
    const last = new Browser(rig);
    expect((await last.signIn(email)).status).toBe(200);
    expect(await browser.isSignedIn()).toBe(false);
    expect(await last.isSignedIn()).toBe(true);
    expect(await rig.place.sql(`select id from sessions where ${own}`)).toHaveLength(50);
  });

  test('what is over is swept away, and nothing else', async () => {
    const { email, browser } = await crowd.somebody();
    await new Browser(rig).signIn(email, 'wrong');
    expect(await rig.store.call(sweepSignIns, { now: clock.now() })).toBeGreaterThanOrEqual(0);
    const left = async () => ({
      sessions: await rig.place.sql('select id from sessions'),
      throttles: await rig.place.sql('select subject from throttles'),
    });
    expect((await left()).throttles.length).toBeGreaterThan(0);
    expect(await browser.isSignedIn()).toBe(true);
    clock.advance(31 * DAY_MS);
    await rig.store.call(sweepSignIns, { now: clock.now() });
    expect(await left()).toEqual({ sessions: [], throttles: [] });
  });
});

test('no page of another origin signs somebody in or out', async () => {
  const { email, browser } = await crowd.somebody();
  const body = { email, password: PASSWORD };
  const from = { origin: 'https://evil.example', cookie: `penstock-session=${browser.token}` };
  for (const [path, sent] of [
    ['/sign-in', body],
    ['/sign-out', undefined],
    ['/sign-out-everywhere', undefined],
  ] as const) {
    const answer = await rig.ask('POST', `/api/v1${path}`, sent, from);
    expect(answer.body.error.code).toBe('foreign_origin');
    expect(answer.headers.get('set-cookie')).toBeNull();
  }
  expect(await browser.isSignedIn()).toBe(true);
});

describe('rotation', () => {
  const rotate = (email: string) =>
    rig.place.sql(
      `update sessions set rotate = 1 where person in (select id from people where email = '${email}')`,
    );

  test('after a change of role the next request is given a new token, and the former is good for 30 s', async () => {
    const { email, browser } = await crowd.somebody();
    const before = browser.token;
    await rotate(email);
    expect(await browser.isSignedIn()).toBe(true);
    expect(browser.token).not.toBe(before);
    expect(await browser.isSignedIn()).toBe(true);
    expect(browser.setCookie).toBeNull();
    const former = new Browser(rig);
    former.token = before;
    clock.advance(29_999);
    expect(await former.isSignedIn()).toBe(true);
    expect(former.setCookie).toBeNull();
    clock.advance(1);
    expect(await former.isSignedIn()).toBe(false);
    expect(await browser.isSignedIn()).toBe(true);
  });

  test('of requests that come at once one is given the new token, and all are let in', async () => {
    const { email, browser } = await crowd.somebody();
    await rotate(email);
    const { token } = browser;
    const tabs = Array.from({ length: 8 }, () => {
      const tab = new Browser(rig);
      tab.token = token;
      return tab;
    });
    expect(await Promise.all(tabs.map((tab) => tab.isSignedIn()))).toEqual(tabs.map(() => true));
    expect(tabs.filter(({ setCookie }) => setCookie !== null)).toHaveLength(1);
  });
});

describe('attempts', () => {
  test('a wrong password and an unknown address get the same answer for the same work', async () => {
    const { email } = await crowd.somebody();
    const answers = [];
    for (const [whose, password] of [
      [email, 'a wrong password'],
      ['nobody-has-this@example.com', PASSWORD],
    ] as const) {
      const before = verified;
      const { status, body, headers } = await new Browser(rig).signIn(whose, password);
      expect(verified - before).toBe(1);
      answers.push({ status, error: body.error, cookie: headers.get('set-cookie') });
    }
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]).toMatchObject({ status: 401, error: { code: 'invalid_credentials' } });
  });

  test('after ten failures an account is closed for a quarter of an hour, also to its password', async () => {
    const { email, browser } = await crowd.somebody();
    await browser.ask('POST', '/sign-out');
    const attempt = (password: string) => browser.signIn(email, password);
    for (let n = 0; n < 10; n++) expect((await attempt(`wrong ${n}`)).status).toBe(401);
    const before = verified;
    const refused = await attempt(PASSWORD);
    expect(refused.status).toBe(429);
    expect(refused.body.error.code).toBe('rate_limited');
    expect(refused.headers.get('retry-after')).toBe('900');
    expect(verified).toBe(before);
    await attempt(PASSWORD);
    const noted = await rig.place.sql(
      `select action, details from audit where action = 'session.throttled'
       and target = (select id from people where email = '${email}')`,
    );
    expect(noted).toEqual([
      { action: 'session.throttled', details: '{"throttle":"sign-in-account"}' },
    ]);
    clock.advance(15 * MINUTE_MS);
    expect((await attempt(PASSWORD)).status).toBe(200);
    // The count of failures starts anew.
    await browser.ask('POST', '/sign-out');
    for (let n = 0; n < 9; n++) await attempt('wrong');
    expect((await attempt(PASSWORD)).status).toBe(200);
  });

  test('forty guesses at once are no more than ten', async () => {
    const { email, browser } = await crowd.somebody();
    await browser.ask('POST', '/sign-out');
    const before = verified;
    const guesses = Array.from({ length: 40 }, (_, n) => new Browser(rig).signIn(email, `no ${n}`));
    const statuses = (await Promise.all(guesses)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
    expect(verified - before).toBe(10);
  });

  test('whoever has a session at an address is not shut out there by strangers elsewhere', async () => {
    await using proxied = await startRig(clock, ['global'], { trustedProxies: ['127.0.0.1'] });
    const ask = (address: string, path: string, body: object) =>
      proxied.ask('POST', `/api/v1${path}`, body, {
        cookie: '',
        origin: proxied.origin,
        'x-forwarded-for': address,
      });
    const email = 'owner@example.com';
    const home = '2001:db8:1:2::5';
    expect((await ask(home, '/sign-up', { email, password: PASSWORD, name: 'Owner' })).status).toBe(
      201,
    );
    for (let n = 0; n < 11; n++) {
      await ask(`198.51.100.${n}`, '/sign-in', { email, password: 'wrong' });
    }
    const signIn = async (address: string) =>
      (await ask(address, '/sign-in', { email, password: PASSWORD })).status;
    expect(await signIn('203.0.113.1')).toBe(429);
    expect(await signIn('2001:db8:1:3::5')).toBe(429);
    expect(await signIn('2001:db8:1:2:ffff::1')).toBe(200);
  });

  test('after fifty failures an address is closed, whatever accounts it tried', async () => {
    await using proxied = await startRig(clock, ['global'], { trustedProxies: ['127.0.0.1'] });
    const signIn = async (address: string, email: string) =>
      await proxied.ask(
        'POST',
        '/api/v1/sign-in',
        { email, password: PASSWORD },
        { cookie: '', origin: proxied.origin, 'x-forwarded-for': address },
      );
    // Ten at once: with fifty, a slow store is unavailable to the last ones.
    for (let n = 0; n < 50; n += 10) {
      const tries = Array.from({ length: 10 }, (_, nth) =>
        signIn('192.0.2.1', `no-${n + nth}@example.com`),
      );
      const statuses = (await Promise.all(tries)).map(({ status }) => status);
      expect(new Set(statuses)).toEqual(new Set([401]));
    }
    const refused = await signIn('192.0.2.1', proxied.first.operator.email);
    expect(refused.status).toBe(429);
    expect((await signIn('192.0.2.2', 'no-51@example.com')).status).toBe(401);
    clock.advance(15 * MINUTE_MS);
    expect((await signIn('192.0.2.1', 'no-52@example.com')).status).toBe(401);
  });
});
