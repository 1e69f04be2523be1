/** Passkeys: how they are added and removed, and what is refused. */
import { expect, test } from 'vitest';
import type { PasskeyCreation } from '../../../shared/api/passkeys.ts';
import { MINUTE_MS } from '../../../shared/durations.ts';
import { Authenticator } from '../../support/authenticator.ts';
import { auditOf, Browser, PASSWORD } from './browser.ts';
import { add, confirmed, creation, owner, passkeyOrigin, request } from './passkey-owners.ts';
import { clock, rig, shareCrowd } from './shared-crowd.ts';

shareCrowd();

async function letters(email: string): Promise<unknown[]> {
  const rows = (await rig.place.sql(
    `select payload from jobs where idempotency_key like 'letter/passkeys-changed/%'
     and subject = (select id from people where email = '${email}') order by created, id`,
  )) as { payload: string }[];
  return rows.map(({ payload }) => (JSON.parse(payload) as { added: boolean }).added);
}

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

test('a passkey is a discoverable credential of this host, with a verified user and no attestation', async () => {
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
  const { browser } = await confirmed();
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
  const { browser } = await confirmed();
  const { body: options } = await creation(browser);
  const credential = new Authenticator(passkeyOrigin()).create(options, faults);
  const refused = await browser.ask('POST', '/me/passkeys', { name: 'Phone', credential });
  expect(refused.body.error).toMatchObject({ code: 'invalid_value', param: 'credential' });
  expect((await browser.ask('GET', '/me/passkeys')).body.data).toEqual([]);
});

test('a challenge works once, for five minutes, and only in the session that has asked for it', async () => {
  const stranger = await confirmed();
  const { browser, email } = await confirmed();
  const other = new Browser(rig);
  await other.signIn(email);
  const authenticator = new Authenticator(passkeyOrigin());
  const send = (by: Browser, options: PasskeyCreation) =>
    by.ask('POST', '/me/passkeys', { name: 'Key', credential: authenticator.create(options) });
  const { body: expired } = await creation(browser);
  clock.advance(5 * MINUTE_MS);
  expect((await send(browser, expired)).status).toBe(400);
  const { body: options } = await creation(browser);
  clock.advance(5 * MINUTE_MS - 1);
  expect((await send(other, options)).status).toBe(400);
  expect((await send(stranger.browser, options)).status).toBe(400);
  expect((await send(browser, options)).status).toBe(201);
  expect((await send(browser, options)).status).toBe(400);
});

test('a challenge is void once the password has changed', async () => {
  const { browser } = await confirmed();
  const { body: options } = await creation(browser);
  const change = { current: PASSWORD, password: 'four grey cranes at dusk' };
  expect((await browser.ask('POST', '/me/password', change)).status).toBe(200);
  const credential = new Authenticator(passkeyOrigin()).create(options);
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
  const { browser } = await confirmed();
  const authenticator = new Authenticator(passkeyOrigin());
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
  const rows = await rig.place.sql(`select person from passkeys where credential = '${taken.id}'`);
  expect(rows).toHaveLength(1);
});

test("nobody sees, renames or removes another person's passkey", async () => {
  const { id } = await owner();
  const { browser } = await confirmed();
  expect((await browser.ask('GET', '/me/passkeys')).body.data).toEqual([]);
  const renamed = await browser.ask('PATCH', `/me/passkeys/${id}`, { name: 'Mine' });
  expect(renamed.status).toBe(404);
  expect((await browser.ask('DELETE', `/me/passkeys/${id}`)).status).toBe(404);
});
