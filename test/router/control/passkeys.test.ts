/** Passkeys: how they are added and removed, how they sign in, and what is refused. */
import { beforeAll, describe, expect, test } from 'vitest';
import { sweepSignIns } from '../../../router/control/sessions/sweep.ts';
import { MINUTE_MS } from '../../../shared/durations.ts';
import { Authenticator } from '../../support/authenticator.ts';
import { auditOf, Browser, PASSWORD } from './browser.ts';
import type { Answer } from './rig.ts';
import { clock, crowd, rig, shareCrowd } from './shared-crowd.ts';

shareCrowd();

const DAY_MS = 86_400_000;

let origin: string;
beforeAll(() => {
  // Browsers have no passkeys for an IP address.
  origin = rig.origin.replace('127.0.0.1', 'localhost');
});

type Owner = Readonly<{
  email: string;
  browser: Browser;
  authenticator: Authenticator;
  /** Of the first passkey. */
  id: string;
}>;

async function creation(browser: Browser, password = PASSWORD): Promise<Answer> {
  return await browser.ask('POST', '/me/passkeys/challenge', { password });
}

async function add(browser: Browser, authenticator: Authenticator): Promise<Answer> {
  const { body: options } = await creation(browser);
  const credential = authenticator.create(options);
  return await browser.ask('POST', '/me/passkeys', { name: 'Laptop', credential });
}

async function owner(counter: number | null = 0): Promise<Owner> {
  const { email, browser } = await crowd.somebody();
  const authenticator = new Authenticator(origin, counter);
  const added = await add(browser, authenticator);
  expect(added.status).toBe(201);
  return { email, browser, authenticator, id: added.body.id };
}

async function request(browser: Browser): Promise<{ challenge: string; rpId: string }> {
  const { status, body } = await browser.ask('GET', '/sign-in/passkey');
  expect(status).toBe(200);
  return body;
}

/** Signs in with a browser that has no session. */
async function signIn({ authenticator }: Owner, browser = new Browser(rig)): Promise<Answer> {
  const answer = authenticator.get(await request(browser));
  return await browser.ask('POST', '/sign-in/passkey', answer);
}

async function letters(email: string): Promise<unknown[]> {
  const rows = (await rig.place.sql(
    `select payload from jobs where idempotency_key like 'letter/passkeys-changed/%'
     and subject = (select id from people where email = '${email}') order by created, id`,
  )) as { payload: string }[];
  return rows.map(({ payload }) => (JSON.parse(payload) as { added: boolean }).added);
}

describe('adding', () => {
  test('a passkey is added with the password, listed, renamed and removed, and emails tell of it', async () => {
    const { email, browser, id } = await owner();
    const list = () => browser.ask('GET', '/me/passkeys');
    const shown = { id, name: 'Laptop', created: new Date(clock.now()).toISOString() };
    expect((await list()).body.data).toEqual([{ ...shown, last_used: null }]);
    clock.advance(1);
    const renamed = await browser.ask('PATCH', `/me/passkeys/${id}`, { name: 'Old laptop' });
    expect(renamed.body).toMatchObject({ id, name: 'Old laptop' });
    const removed = await browser.ask('DELETE', `/me/passkeys/${id}`);
    expect(removed).toMatchObject({ status: 200, body: { id, deleted: true } });
    expect((await list()).body.data).toEqual([]);
    expect((await browser.ask('DELETE', `/me/passkeys/${id}`)).status).toBe(404);
    expect(await letters(email)).toEqual([true, false]);
    expect(await auditOf(rig, email)).toEqual(
      expect.arrayContaining(['passkey.add', 'passkey.begin', 'passkey.remove', 'passkey.rename']),
    );
  });

  test('it is for a discoverable credential of this host, whose user is verified, and no attestation', async () => {
    const { browser, authenticator } = await owner();
    const { body } = await creation(browser);
    expect(body).toMatchObject({
      rp: { id: 'localhost' },
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      attestation: 'none',
      excludeCredentials: [{ type: 'public-key', id: authenticator.credentials[0]?.id }],
    });
  });

  test('a wrong password begins nothing', async () => {
    const { browser } = await crowd.somebody();
    expect(await creation(browser, 'not the password')).toMatchObject({
      status: 403,
      body: { error: { param: 'password' } },
    });
  });

  test.each([
    ['of a page of another origin', { origin: 'https://penstock.example' }],
    ['for another host', { rpId: 'penstock.example' }],
    ['without a verified user', { isVerified: false }],
    ['with an attestation that nobody asked for', { format: 'apple' }],
  ])('a credential %s is not added', async (_what, faults) => {
    const { browser } = await crowd.somebody();
    const { body: options } = await creation(browser);
    const credential = new Authenticator(origin).create(options, faults);
    const refused = await browser.ask('POST', '/me/passkeys', { name: 'Phone', credential });
    expect(refused.body.error).toMatchObject({ code: 'invalid_value', param: 'credential' });
    expect((await browser.ask('GET', '/me/passkeys')).body.data).toEqual([]);
  });

  test('a challenge works once, for five minutes, and only in the session that has asked for it', async () => {
    const { browser, email } = await crowd.somebody();
    const other = new Browser(rig);
    await other.signIn(email);
    const authenticator = new Authenticator(origin);
    const { body: options } = await creation(browser);
    const send = (by: Browser) =>
      by.ask('POST', '/me/passkeys', { name: 'Key', credential: authenticator.create(options) });
    expect((await send(other)).status).toBe(400);
    const stranger = await crowd.somebody();
    expect((await send(stranger.browser)).status).toBe(400);
    // Somebody else signing up took a day.
    expect((await send(browser)).status).toBe(400);
    const { body: again } = await creation(browser);
    clock.advance(5 * MINUTE_MS - 1);
    const credential = authenticator.create(again);
    const body = { name: 'Key', credential };
    expect((await browser.ask('POST', '/me/passkeys', body)).status).toBe(201);
    const second = { name: 'Key', credential: authenticator.create(again) };
    expect((await browser.ask('POST', '/me/passkeys', second)).status).toBe(400);
  });

  test('a challenge is void once the password has changed', async () => {
    const { browser } = await crowd.somebody();
    const { body: options } = await creation(browser);
    const change = { current: PASSWORD, password: 'four grey cranes at dusk' };
    expect((await browser.ask('POST', '/me/password', change)).status).toBe(200);
    const credential = new Authenticator(origin).create(options);
    const added = await browser.ask('POST', '/me/passkeys', { name: 'Key', credential });
    expect(added.status).toBe(400);
  });

  test('a challenge of a sign-in adds nothing, and one for adding signs nobody in', async () => {
    const { browser, authenticator } = await owner();
    const { body: options } = await creation(browser);
    const { challenge } = await request(browser);
    const credential = authenticator.create({ ...options, challenge });
    const added = await browser.ask('POST', '/me/passkeys', { name: 'Key', credential });
    expect(added.status).toBe(400);
    const signed = authenticator.get({ challenge: options.challenge, rpId: 'localhost' });
    expect((await browser.ask('POST', '/sign-in/passkey', signed)).status).toBe(401);
  });

  test('a person has twenty at most, and a credential belongs to one person', async () => {
    const { browser } = await crowd.somebody();
    const authenticator = new Authenticator(origin);
    for (let n = 0; n < 19; n++) {
      expect((await add(browser, authenticator)).status).toBe(201);
    }
    const [first, second] = [(await creation(browser)).body, (await creation(browser)).body];
    const taken = authenticator.create(first);
    const body = { name: 'Key', credential: taken };
    expect((await browser.ask('POST', '/me/passkeys', body)).status).toBe(201);
    expect((await creation(browser)).status).toBe(409);
    const late = { name: 'Key', credential: authenticator.create(second) };
    expect((await browser.ask('POST', '/me/passkeys', late)).status).toBe(409);
    const rows = await rig.place.sql(
      `select person from passkeys where credential = '${taken.id}'`,
    );
    expect(rows).toHaveLength(1);
  });

  test("nobody sees, renames or removes another person's", async () => {
    const { id } = await owner();
    const { browser } = await crowd.somebody();
    expect((await browser.ask('GET', '/me/passkeys')).body.data).toEqual([]);
    const renamed = await browser.ask('PATCH', `/me/passkeys/${id}`, { name: 'Mine' });
    expect(renamed.status).toBe(404);
    expect((await browser.ask('DELETE', `/me/passkeys/${id}`)).status).toBe(404);
  });
});

describe('signing in', () => {
  test('a passkey begins a session as a password does, also without a counter', async () => {
    for (const counter of [0, null]) {
      const who = await owner(counter);
      const browser = new Browser(rig);
      for (let n = 0; n < 2; n++) {
        const answer = await signIn(who, browser);
        expect(answer).toMatchObject({ status: 200, body: { email: who.email } });
        expect(browser.setCookie).toContain('HttpOnly');
        expect(await browser.isSignedIn()).toBe(true);
      }
      const [passkey] = (await browser.ask('GET', '/me/passkeys')).body.data;
      expect(passkey.last_used).toBe(new Date(clock.now()).toISOString());
      const entries = await rig.place.sql(
        `select details from audit where action = 'session.begin'
         and actor = (select id from people where email = '${who.email}')`,
      );
      const entry = { details: JSON.stringify({ passkey: who.id }) };
      expect(entries).toEqual([entry, entry]);
    }
  });

  test('it counts as the second factor, too', async () => {
    const who = await owner();
    await rig.place.sql(
      `update people set totp_secret = 'sealed', totp_step = 1 where email = '${who.email}'`,
    );
    expect((await new Browser(rig).signIn(who.email)).status).toBe(401);
    expect((await signIn(who)).status).toBe(200);
  });

  test('the answer to a challenge works once, on however many requests', async () => {
    const who = await owner(null);
    const answer = who.authenticator.get(await request(who.browser));
    const send = () => new Browser(rig).ask('POST', '/sign-in/passkey', answer);
    const raced = await Promise.all([send(), send(), send()]);
    expect(raced.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await send()).body.error.code).toBe('invalid_passkey');
    const kept = async () => await rig.place.sql('select challenge from used_challenges');
    const used = JSON.parse(Buffer.from(answer.clientDataJSON, 'base64url').toString());
    expect(await kept()).toContainEqual({ challenge: used.challenge });
    clock.advance(7 * MINUTE_MS);
    await rig.store.call(sweepSignIns, { now: clock.now() });
    expect(await kept()).toEqual([]);
    expect((await send()).status).toBe(401);
  });

  test('a challenge expires after five minutes', async () => {
    const who = await owner();
    const browser = new Browser(rig);
    const options = await request(browser);
    clock.advance(5 * MINUTE_MS);
    const late = who.authenticator.get(options);
    expect((await browser.ask('POST', '/sign-in/passkey', late)).status).toBe(401);
    expect((await signIn(who)).status).toBe(200);
  });

  test('whatever is wrong, the refusal is the same', async () => {
    const who = await owner();
    const { authenticator } = who;
    const other = await owner();
    const browser = new Browser(rig);
    const wrong = [
      (asked: Parameters<Authenticator['get']>[0]) =>
        authenticator.get(asked, { origin: 'https://penstock.example' }),
      // The name of the listener that the client has chosen is not the origin.
      (asked) => authenticator.get(asked, { origin: rig.origin }),
      (asked) => authenticator.get(asked, { rpId: 'penstock.example' }),
      (asked) => authenticator.get(asked, { isVerified: false }),
      (asked) => authenticator.get({ ...asked, challenge: 'AAAA' }),
      (asked) => authenticator.get({ ...asked, challenge: `${asked.challenge.slice(0, -4)}AAAA` }),
      // The credential of somebody else, and somebody else's name for one's own.
      (asked) => ({ ...authenticator.get(asked), id: other.authenticator.credentials[0]?.id }),
      (asked) =>
        authenticator.get(asked, {
          userHandle: other.authenticator.credentials[0]?.userHandle ?? '',
        }),
      (asked) => ({ ...authenticator.get(asked), id: 'AAAAAAAAAAAAAAAAAAAAAA' }),
      (asked) => ({ ...authenticator.get(asked), signature: 'AAAA' }),
      (asked) => ({ ...authenticator.get(asked), authenticatorData: 'AAAA' }),
      (asked) => ({ ...authenticator.get(asked), clientDataJSON: 'AAAA' }),
    ] satisfies ((asked: Parameters<Authenticator['get']>[0]) => object)[];
    const errors = new Set<string>();
    for (const answer of wrong) {
      clock.advance(15 * MINUTE_MS);
      const asked = await request(browser);
      const refused = await browser.ask('POST', '/sign-in/passkey', answer(asked));
      expect(refused.status).toBe(401);
      errors.add(JSON.stringify(refused.body.error));
    }
    expect(errors.size).toBe(1);
    expect(browser.token).toBeNull();
    expect((await signIn(who)).status).toBe(200);
  });

  test('a counter that does not go up is refused, and recorded', async () => {
    const who = await owner(5);
    expect((await signIn(who)).status).toBe(200);
    who.authenticator.counter = 2;
    expect((await signIn(who)).status).toBe(401);
    expect(await auditOf(rig, who.email)).toContain('passkey.refuse');
    who.authenticator.counter = 6;
    expect((await signIn(who)).status).toBe(200);
  });

  test('a removed passkey signs in no more, and its sessions stay', async () => {
    const who = await owner();
    const browser = new Browser(rig);
    await signIn(who, browser);
    await who.browser.ask('DELETE', `/me/passkeys/${who.id}`);
    expect((await signIn(who)).status).toBe(401);
    expect(await browser.isSignedIn()).toBe(true);
  });

  test('attempts with a credential and from an address are limited, known or not', async () => {
    const who = await owner();
    const browser = new Browser(rig);
    const wrong = async (id: string) => {
      const answer = { ...who.authenticator.get(await request(browser)), id, signature: 'AAAA' };
      return (await browser.ask('POST', '/sign-in/passkey', answer)).status;
    };
    const known = who.authenticator.credentials[0]?.id ?? '';
    for (const id of [known, 'AAAAAAAAAAAAAAAAAAAAAA']) {
      clock.advance(DAY_MS);
      for (let n = 0; n < 10; n++) expect(await wrong(id)).toBe(401);
      expect(await wrong(id)).toBe(429);
    }
    clock.advance(DAY_MS);
    for (let n = 0; n < 50; n++) expect(await wrong(`${'A'.repeat(20)}${n + 10}`)).toBe(401);
    // The address is shared with sign-ins by password.
    expect((await browser.signIn(who.email)).status).toBe(429);
    expect(await wrong('AAAA')).toBe(429);
    clock.advance(DAY_MS);
  });
});

describe('the account', () => {
  test('a locked account is told so only by its passkey, and gets no session', async () => {
    const who = await owner();
    const { body: me } = await who.browser.ask('GET', '/me');
    expect((await rig.ask('POST', `/api/v1/people/${me.id}/lock`)).status).toBe(200);
    const browser = new Browser(rig);
    const refused = await signIn(who, browser);
    expect(refused).toMatchObject({ status: 403, body: { error: { code: 'account_locked' } } });
    expect(browser.token).toBeNull();
    expect((await rig.ask('POST', `/api/v1/people/${me.id}/unlock`)).status).toBe(200);
    expect((await signIn(who)).status).toBe(200);
  });

  test('a new password keeps the passkeys, and its email names them', async () => {
    const who = await owner();
    const change = { current: PASSWORD, password: 'four grey cranes at dusk' };
    expect((await who.browser.ask('POST', '/me/password', change)).status).toBe(200);
    expect((await signIn(who)).status).toBe(200);
    const rows = (await rig.place.sql(
      `select payload from jobs where idempotency_key like 'letter/password-changed/%'
       and subject = (select id from people where email = '${who.email}')`,
    )) as { payload: string }[];
    expect(rows.map(({ payload }) => JSON.parse(payload))).toMatchObject([{ passkeys: 1 }]);
  });

  test('an erased person has none left', async () => {
    const who = await owner();
    expect((await who.browser.ask('DELETE', '/me', { password: PASSWORD })).status).toBe(200);
    expect(await rig.place.sql(`select id from passkeys where id = '${who.id}'`)).toEqual([]);
    expect((await signIn(who)).status).toBe(401);
  });
});
