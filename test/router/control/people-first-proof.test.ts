/**
 * A person who signs up with another's address keeps nothing once the owner has proven that the
 * address is theirs.
 */
import { TOTP } from 'otpauth';
import { expect, test } from 'vitest';
import { mintToken } from '../../../shared/ids.ts';
import { digestSecret } from '../../../shared/peppers.ts';
import { systemRandom as random } from '../../../shared/random.ts';
import { Browser, PASSWORD } from './browser.ts';
import { creation } from './passkey-owners.ts';
import { PEPPER } from './rig.ts';
import { clock, crowd, rig, shareCrowd } from './shared-crowd.ts';

shareCrowd();

const OWNERS = 'seven grey geese at noon';

/** Creates the link of an email, as its recipient has it. */
async function linkFor(
  email: string,
  purpose: 'reset-password' | 'confirm-email',
): Promise<string> {
  const token = mintToken('link', random);
  await rig.place.sql(
    `insert into links (digest, purpose, subject, email, created, expires)
     select '${digestSecret(PEPPER, token)}', '${purpose}', id, email, 1, ${clock.now() + 3_600_000}
     from people where email = '${email}'`,
  );
  return token;
}

/** A person with everything that can be created in an account whose address belongs to another. */
async function squatter() {
  const email = crowd.newEmail();
  const browser = await Browser.signedUp(rig, email);
  const [own] = (await browser.ask('GET', '/me')).body.organizations;
  const at = `/organizations/${own.id}`;
  const { secret } = (await browser.ask('POST', '/me/totp', { password: PASSWORD })).body;
  const code = new TOTP({ secret }).generate({ timestamp: clock.now() });
  expect((await browser.ask('POST', '/me/totp/confirm', { code })).status).toBe(200);
  expect((await creation(browser)).status).toBe(409);
  const emails = { muted_emails: ['receipt'], incident_emails: 'all' };
  expect((await browser.ask('PATCH', '/me', emails)).body).toMatchObject(emails);
  expect((await browser.ask('POST', `${at}/keys`, { name: 'mine' })).status).toBe(201);
  const token = await browser.ask('POST', `${at}/tokens`, { name: 'mine', role: 'org-admin' });
  expect(token.status).toBe(201);
  // Before an address had to be confirmed for it, a squatter could also send invitations.
  const invited = { email: crowd.newEmail(), role: 'org-admin' };
  const setConfirmed = (to: string) =>
    rig.place.sql(`update people set email_confirmed = ${to} where email = '${email}'`);
  await setConfirmed('1');
  expect((await browser.ask('POST', `${at}/invitations`, invited)).status).toBe(201);
  await setConfirmed('null');
  const other = await crowd.somebody();
  await rig.place.sql(
    `insert into members (id, organization, person, role, created)
     select 'mem_${own.id.slice(4)}', '${own.id}', id, 'org-admin', ${clock.now()}
     from people where email = '${other.email}'`,
  );
  expect((await other.browser.ask('GET', at)).status).toBe(200);
  return { email, browser, other: other.browser, at, token: token.body.token as string };
}

async function expectNothingLeft(was: Awaited<ReturnType<typeof squatter>>): Promise<void> {
  const { browser, other, at, token, email } = was;
  expect(await browser.isSignedIn()).toBe(false);
  expect((await browser.signIn(email)).status).toBe(401);
  expect((await other.ask('GET', at)).status).not.toBe(200);
  const authorization = `Bearer ${token}`;
  expect((await rig.ask('GET', `/api/v1${at}`, undefined, { authorization })).status).toBe(401);
  const keys = await rig.place.sql(
    `select state, revoked, revoked_by from keys where organization = '${at.slice(15)}'`,
  );
  const ended = { state: 'revoked', revoked: BigInt(clock.now()), revoked_by: null };
  expect(keys).toEqual([ended]);
  const [left] = (await rig.place.sql(
    `select
       (select count(*) from keys where organization = '${at.slice(15)}' and state = 'active') as keys,
       (select count(*) from invitations where organization = '${at.slice(15)}' and state = 'open') as invitations,
       (select count(*) from recovery_codes where person = people.id) as codes,
       totp_secret, muted_emails, incident_emails from people where email = '${email}'`,
  )) as object[];
  expect(left).toEqual({
    keys: 0n,
    invitations: 0n,
    codes: 0n,
    totp_secret: null,
    muted_emails: null,
    incident_emails: null,
  });
}

test("a squatter keeps nothing through the owner's password reset", async () => {
  const was = await squatter();
  const token = await linkFor(was.email, 'reset-password');
  const owner = new Browser(rig);
  const reset = { token, password: OWNERS };
  expect((await owner.ask('POST', '/password-reset/confirm', reset)).status).toBe(200);
  await expectNothingLeft(was);
  expect((await owner.signIn(was.email, OWNERS)).status).toBe(200);
  expect((await owner.ask('GET', was.at)).status).toBe(200);
});

test("a squatter keeps nothing when the owner follows the confirmation's link, who is sent one for a password", async () => {
  const was = await squatter();
  const token = await linkFor(was.email, 'confirm-email');
  const owner = new Browser(rig);
  const first = await owner.ask('POST', '/email-confirm', { token });
  expect(first).toMatchObject({ status: 200, body: { confirmed: 'now', password_cleared: true } });
  await expectNothingLeft(was);
  const again = await owner.ask('POST', '/email-confirm', { token });
  // Whoever opens the link again, in another tab as well, is told that there is no password.
  expect(again.body).toMatchObject({ confirmed: 'before', password_cleared: true });
  const letters = await rig.place.sql(
    `select payload from jobs where subject = (select id from people where email = '${was.email}')
     and idempotency_key like 'letter/reset-password/%/first-proof'`,
  );
  expect(letters).toEqual([{ payload: expect.stringContaining('"after":"first-proof"') }]);
});

test('a password reset deletes the emails with links that wait, and those that were given up', async () => {
  const { email } = await crowd.somebody();
  const emails = `from jobs where kind = 'letter'
    and subject = (select id from people where email = '${email}')
    and idempotency_key like 'letter/confirm-email/%'`;
  for (const state of ['waiting', 'failed']) {
    await rig.place.sql(
      `insert into jobs (id, kind, subject, idempotency_key, payload, state, attempts, run_at, created, ended)
       select 'job_' || id || '${state}', 'letter', id, 'letter/confirm-email/' || id || '${state}',
         '{}', '${state}', 0, 1, 1, ${state === 'failed' ? '1' : 'null'}
       from people where email = '${email}'`,
    );
  }
  expect((await rig.place.sql(`select id ${emails}`)).length).toBeGreaterThanOrEqual(2);
  const reset = { token: await linkFor(email, 'reset-password'), password: OWNERS };
  expect((await new Browser(rig).ask('POST', '/password-reset/confirm', reset)).status).toBe(200);
  expect(await rig.place.sql(`select id ${emails}`)).toEqual([]);
});

test('an organization with another proven org-admin stays theirs, and the owner of the address is not in it', async () => {
  const was = await squatter();
  const organization = was.at.slice('/organizations/'.length);
  await rig.place.sql(
    `update people set email_confirmed = 1 where id in
     (select person from members where organization = '${organization}')
     and email <> '${was.email}'`,
  );
  const token = await linkFor(was.email, 'reset-password');
  const owner = new Browser(rig);
  const reset = { token, password: OWNERS };
  expect((await owner.ask('POST', '/password-reset/confirm', reset)).status).toBe(200);
  expect((await owner.signIn(was.email, OWNERS)).status).toBe(200);
  expect((await owner.ask('GET', '/me')).body.organizations).toEqual([]);
  expect((await owner.ask('GET', was.at)).status).toBe(404);
  expect((await was.other.ask('GET', was.at)).status).toBe(200);
  expect((await was.other.ask('GET', `${was.at}/credit`)).body.balance).toBe('0');
  // They can create an organization of their own.
  expect((await owner.ask('POST', '/organizations', { name: 'Mine' })).status).toBe(201);
});

test('whoever confirms in the session that they signed up in keeps what they made', async () => {
  const { email, browser } = await crowd.somebody();
  const [own] = (await browser.ask('GET', '/me')).body.organizations;
  const made = await browser.ask('POST', `/organizations/${own.id}/keys`, { name: 'mine' });
  const token = await linkFor(email, 'confirm-email');
  const confirmed = await browser.ask('POST', '/email-confirm', { token });
  expect(confirmed).toMatchObject({ status: 200, body: { password_cleared: false } });
  expect((await browser.ask('GET', '/me')).body.email_confirmed).toBe(true);
  const keys = (await browser.ask('GET', `/organizations/${own.id}/keys`)).body.data;
  expect(keys).toMatchObject([{ id: made.body.id, state: 'active' }]);
});

test('a later reset of a confirmed account ends sessions, and neither keys nor the second factor', async () => {
  const { email, browser } = await crowd.somebody();
  const confirm = await linkFor(email, 'confirm-email');
  expect((await browser.ask('POST', '/email-confirm', { token: confirm })).status).toBe(200);
  const [own] = (await browser.ask('GET', '/me')).body.organizations;
  await browser.ask('POST', `/organizations/${own.id}/keys`, { name: 'mine' });
  const reset = { token: await linkFor(email, 'reset-password'), password: OWNERS };
  expect((await new Browser(rig).ask('POST', '/password-reset/confirm', reset)).status).toBe(200);
  expect(await browser.isSignedIn()).toBe(false);
  await browser.signIn(email, OWNERS);
  const keys = (await browser.ask('GET', `/organizations/${own.id}/keys`)).body.data;
  expect(keys).toMatchObject([{ state: 'active' }]);
});
