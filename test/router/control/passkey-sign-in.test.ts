/** Signing in with a passkey: what is accepted, what is refused, and what ends it. */
import { expect, test } from 'vitest';
import { sweepSignIns } from '../../../router/control/sessions/sweep.ts';
import { DAY_MS, MINUTE_MS } from '../../../shared/durations.ts';
import type { Authenticator } from '../../support/authenticator.ts';
import { auditOf, Browser, PASSWORD } from './browser.ts';
import { owner, request, signIn } from './passkey-owners.ts';
import { clock, rig, shareCrowd } from './shared-crowd.ts';

shareCrowd();

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

test('a passkey counts as the second factor, too', async () => {
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

test('only the passkey of a locked account shows that it is locked, and it begins no session', async () => {
  const who = await owner();
  const { body: me } = await who.browser.ask('GET', '/me');
  expect((await rig.ask('POST', `/api/v1/people/${me.id}/lock`)).status).toBe(200);
  const browser = new Browser(rig);
  const forged = { ...who.authenticator.get(await request(browser)), signature: 'AAAA' };
  expect(await browser.ask('POST', '/sign-in/passkey', forged)).toMatchObject({
    status: 401,
    body: { error: { code: 'invalid_passkey' } },
  });
  const refused = await signIn(who, browser);
  expect(refused).toMatchObject({ status: 403, body: { error: { code: 'account_locked' } } });
  expect(browser.token).toBeNull();
  const used = await rig.place.sql(`select last_used from passkeys where id = '${who.id}'`);
  expect(used).toEqual([{ last_used: null }]);
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

test('an erased person has no passkey left', async () => {
  const who = await owner();
  expect((await who.browser.ask('DELETE', '/me', { password: PASSWORD })).status).toBe(200);
  expect(await rig.place.sql(`select id from passkeys where id = '${who.id}'`)).toEqual([]);
  expect((await signIn(who)).status).toBe(401);
});
