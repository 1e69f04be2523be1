/**
 * The second factor: set-up, sign-in, each code used once, and recovery when the authenticator is
 * lost.
 */
import { TOTP } from 'otpauth';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ManualClock } from '../../support/manual-clock.ts';
import { Browser, Crowd, PASSWORD } from './browser.ts';
import { type Rig, startRig } from './rig.ts';

const DAY_MS = 86_400_000;
const STEP_MS = 30_000;

const clock = new ManualClock(Date.UTC(2026, 0, 1));
let rig: Rig;
let crowd: Crowd;
beforeAll(async () => {
  rig = await startRig(clock);
  crowd = new Crowd(rig, clock);
});
afterAll(() => rig[Symbol.asyncDispose]());

type Somebody = Readonly<{ email: string; browser: Browser }>;

/** Returns the code for a secret, this many time steps from now. */
function codeOf(secret: string, steps = 0): string {
  const totp = new TOTP({ secret });
  return totp.generate({ timestamp: clock.now() + steps * STEP_MS });
}

async function begin({ browser }: Somebody): Promise<{ secret: string; uri: string }> {
  const begun = await browser.ask('POST', '/me/totp', { password: PASSWORD });
  expect(begun.status).toBe(201);
  return begun.body;
}

async function withTotp(): Promise<Somebody & { secret: string; recovery: string[] }> {
  const who = await crowd.somebody();
  const { secret } = await begin(who);
  const confirmed = await who.browser.ask('POST', '/me/totp/confirm', { code: codeOf(secret) });
  expect(confirmed.status).toBe(200);
  clock.advance(STEP_MS);
  return { ...who, secret, recovery: confirmed.body.recovery_codes };
}

test('operators remove one that was lost, and whose it was is told', async () => {
  const { browser, email } = await withTotp();
  expect((await browser.signIn(email)).status).toBe(401);
  const [person] = (await rig.ask('GET', `/api/v1/people?search=${email}`)).body.data;
  expect(person.second_factor).toBe(true);
  const path = `/api/v1/people/${person.id}/totp`;
  expect((await browser.ask('DELETE', `/people/${person.id}/totp`)).status).not.toBe(200);
  expect((await rig.ask('DELETE', path)).status).toBe(200);
  expect((await browser.signIn(email)).status).toBe(200);
  expect((await rig.ask('DELETE', path)).status).toBe(404);
  const letters = await rig.place.sql(
    `select payload from jobs where subject = '${person.id}' and idempotency_key like '%second-factor%'
     order by id`,
  );
  expect(letters).toHaveLength(2);
});

test('one that was begun and never confirmed goes without a letter', async () => {
  const who = await crowd.somebody();
  await begin(who);
  const removed = await who.browser.ask('DELETE', '/me/totp', { password: PASSWORD });
  expect(removed.status).toBe(200);
  const { id } = (await who.browser.ask('GET', '/me')).body;
  const letters = await rig.place.sql(
    `select id from jobs where subject = '${id}' and idempotency_key like '%second-factor%'`,
  );
  expect(letters).toEqual([]);
});

test('it is asked for once its first code was confirmed, and not before', async () => {
  const who = await crowd.somebody();
  const { browser, email } = who;
  const { secret, uri } = await begin(who);
  expect(uri).toBe(
    `otpauth://totp/test:${encodeURIComponent(email)}?issuer=test&secret=${secret}&algorithm=SHA1&digits=6&period=30`,
  );
  expect((await browser.ask('GET', '/me')).body.second_factor).toBe(false);
  expect((await browser.signIn(email)).status).toBe(200);
  const confirm = (code: string) => browser.ask('POST', '/me/totp/confirm', { code });
  expect((await confirm('000000')).status).toBe(400);
  // A new secret replaces one that was never confirmed.
  const { secret: second } = await begin(who);
  expect((await confirm(codeOf(secret))).status).toBe(400);
  const confirmed = await confirm(codeOf(second));
  expect(confirmed.body.recovery_codes).toHaveLength(10);
  expect((await browser.ask('GET', '/me')).body.second_factor).toBe(true);
  expect((await confirm(codeOf(second))).status).toBe(409);
  const again = await browser.ask('POST', '/me/totp', { password: PASSWORD });
  expect(again.status).toBe(409);
});

test('a sign-in without a code is told so, but only with the right password', async () => {
  const { email, secret } = await withTotp();
  const browser = new Browser(rig);
  const missing = await browser.signIn(email);
  expect(missing.status).toBe(401);
  expect(missing.body.error.code).toBe('second_factor_required');
  expect(browser.token).toBeNull();
  for (const code of [undefined, codeOf(secret)]) {
    const wrong = await browser.signIn(email, 'a wrong password', code);
    expect(wrong.body.error).toMatchObject({ code: 'invalid_credentials', param: null });
  }
  expect((await browser.signIn(email, PASSWORD, codeOf(secret))).status).toBe(200);
});

test('a code is accepted once, from one step before to one after', async () => {
  const { email, secret } = await withTotp();
  const signIn = async (code: string) =>
    (await new Browser(rig).signIn(email, PASSWORD, code)).status;
  expect(await signIn(codeOf(secret, -2))).toBe(401);
  expect(await signIn(codeOf(secret, 2))).toBe(401);
  clock.advance(STEP_MS);
  const late = codeOf(secret, -1);
  expect(await signIn(late)).toBe(200);
  expect(await signIn(late)).toBe(401);
  const early = codeOf(secret, 1);
  const now = codeOf(secret);
  const raced = await Promise.all([signIn(early), signIn(early), signIn(early)]);
  expect(raced.toSorted()).toEqual([200, 401, 401]);
  // No code of a step at or before the last accepted one is valid.
  expect(await signIn(now)).toBe(401);
  clock.advance(2 * STEP_MS);
  expect(await signIn(codeOf(secret))).toBe(200);
});

test('a recovery code signs in once in place of a code, with or without its dashes', async () => {
  const { email, recovery } = await withTotp();
  const signIn = async (code: string) =>
    (await new Browser(rig).signIn(email, PASSWORD, code)).status;
  const [first = '', second = ''] = recovery;
  expect(first).toMatch(/^[0-9a-z]{4}-[0-9a-z]{4}-[0-9a-z]{4}$/);
  expect(await signIn(first)).toBe(200);
  expect(await signIn(first)).toBe(401);
  expect(await signIn(second.replaceAll('-', '').toUpperCase())).toBe(200);
  const other = await withTotp();
  expect((await new Browser(rig).signIn(other.email, PASSWORD, recovery[2])).status).toBe(401);
});

test('codes are guessed at twenty times a day, and no more', async () => {
  const { email, secret } = await withTotp();
  const signIn = async (code: string) =>
    (await new Browser(rig).signIn(email, PASSWORD, code)).status;
  for (let n = 0; n < 20; n++) expect(await signIn('not-a-code')).toBe(401);
  expect(await signIn(codeOf(secret))).toBe(429);
  const noted = await rig.place.sql(
    `select details from audit where action = 'session.throttled'
     and target = (select id from people where email = '${email}')`,
  );
  expect(noted).toEqual([{ details: '{"throttle":"second-factor"}' }]);
  clock.advance(DAY_MS);
  expect(await signIn(codeOf(secret))).toBe(200);
});

test('it is begun with the password, not with a session that was found open', async () => {
  const { browser } = await crowd.somebody();
  expect((await browser.ask('POST', '/me/totp')).status).toBe(400);
  const wrong = await browser.ask('POST', '/me/totp', { password: 'not the password' });
  expect(wrong.status).toBe(403);
});

test('it is taken away with the password, and its recovery codes with it', async () => {
  const { email, browser } = await withTotp();
  const remove = async (password: string) =>
    (await browser.ask('DELETE', '/me/totp', { password })).status;
  expect(await remove('not the password')).toBe(403);
  expect(await remove(PASSWORD)).toBe(200);
  expect((await new Browser(rig).signIn(email)).status).toBe(200);
  const left = await rig.place.sql(
    `select digest from recovery_codes where person = (select id from people where email = '${email}')`,
  );
  expect(left).toEqual([]);
  // Removing it again has no effect.
  expect(await remove(PASSWORD)).toBe(200);
  const lines = await rig.place.sql(
    `select action from audit where action = 'second-factor.remove'
     and target = (select id from people where email = '${email}')`,
  );
  expect(lines).toHaveLength(1);
});

test('neither its secret nor a recovery code is anywhere in the store, and a copied secret opens for nobody else', async () => {
  const owner = await withTotp();
  const bytes = await rig.bytes();
  for (const told of [owner.secret, ...owner.recovery]) {
    expect(bytes.includes(told)).toBe(false);
    expect(bytes.includes(told.replaceAll('-', ''))).toBe(false);
  }
  const other = await withTotp();
  const idOf = (email: string) => `(select id from people where email = '${email}')`;
  await rig.place.sql(
    `update people set totp_secret = (select totp_secret from people where id = ${idOf(owner.email)})
     where id = ${idOf(other.email)}`,
  );
  const swapped = await new Browser(rig).signIn(other.email, PASSWORD, codeOf(owner.secret));
  expect(swapped.status).toBe(500);
});
