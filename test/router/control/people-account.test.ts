/** Changes that people make to their account, and the effect of the links in emails. */
import { beforeAll, describe, expect, test } from 'vitest';
import { addressLetter } from '../../../router/control/mail/recipients.ts';
import { auditOf, Browser, PASSWORD } from './browser.ts';
import { DASHBOARD, openPost, type Post, readable } from './post.ts';
import { clock, crowd, rig, shareCrowd } from './shared-crowd.ts';

shareCrowd();

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const OTHER = 'seven grey geese at noon';

let post: Post;
beforeAll(async () => {
  post = await openPost(rig, { clock });
  return () => post[Symbol.asyncDispose]();
});

/** The response to a link that was used before. */
const BEFORE = {
  done: true,
  confirmed: 'before',
  password_cleared: false,
  welcome_credit: null,
} as const;

describe('the address', () => {
  const confirm = (token: string, by = new Browser(rig)) =>
    by.ask('POST', '/email-confirm', { token });

  test('is confirmed by the link of the letter, once and within a day', async () => {
    const { email, browser } = await crowd.somebody();
    const letter = await post.letterTo(email);
    expect(readable(letter.raw)).toContain(`${DASHBOARD}/confirm#token=`);
    expect((await confirm(letter.token, browser)).status).toBe(200);
    expect((await browser.ask('GET', '/me')).body.email_confirmed).toBe(true);
    // A link that was used changes nothing, and says that it was used.
    const again = await confirm(letter.token);
    expect(again).toMatchObject({ status: 200, body: BEFORE });
    expect(await browser.isSignedIn()).toBe(true);
    expect(await auditOf(rig, email)).toEqual(['person.confirm-email', 'person.sign-up']);

    const late = await post.letterTo((await crowd.somebody()).email);
    clock.advance(DAY_MS);
    const ended = await confirm(late.token);
    expect(ended.status).toBe(400);
    expect(ended.body.error).toMatchObject({ code: 'invalid_value', param: 'token' });
    expect((await confirm(letter.token)).status).toBe(400);
  });

  test('is sent another link without a password, until it is confirmed', async () => {
    const { email, browser } = await crowd.somebody();
    const first = await post.letterTo(email);
    expect((await browser.ask('POST', '/me/email/confirmation')).status).toBe(202);
    const second = await post.letterTo(email);
    expect(second.token).not.toBe(first.token);
    expect((await confirm(second.token, browser)).status).toBe(200);
    const again = await browser.ask('POST', '/me/email/confirmation');
    expect(again).toMatchObject({ status: 409, body: { error: { code: 'conflict' } } });
  });

  test('that was given up does not come back with an email that was still waiting', async () => {
    const { email, browser } = await crowd.somebody();
    const wanted = `right-${email}`;
    await browser.ask('POST', '/me/email', { email: wanted, password: PASSWORD });
    const { token } = await post.letterTo(wanted);
    const before = post.received.filter(({ to }) => to.includes(email)).length;
    expect((await browser.ask('POST', '/me/email/confirmation')).status).toBe(202);
    expect((await confirm(token, browser)).status).toBe(200);
    await post.work();
    const letters = post.received.filter(({ to }) => to.includes(email)).slice(before);
    expect(letters.map(({ raw }) => readable(raw).includes('/confirm#token='))).not.toContain(true);
    expect((await browser.ask('GET', '/me')).body.email).toBe(wanted);
  });

  test('that was given up does not come back with an email that is being sent', async () => {
    const { email, browser } = await crowd.somebody();
    const { id } = (await browser.ask('GET', '/me')).body;
    const wanted = `other-${email}`;
    await browser.ask('POST', '/me/email', { email: wanted, password: PASSWORD });
    const { token } = await post.letterTo(wanted);
    await browser.ask('POST', '/me/email/confirmation');
    const jobs = () =>
      rig.place.sql(`select id from jobs where subject = '${id}' and state = 'running'`);
    await rig.place.sql(
      `update jobs set state = 'running', leased_by = 'a router'
         where subject = '${id}' and state = 'waiting'`,
    );
    const [sending] = (await jobs()) as { id: string }[];
    expect((await confirm(token, browser)).status).toBe(200);
    // It is gone, so it is not tried again. An attempt that has just begun gets no link.
    expect(await jobs()).toEqual([]);
    const letter = { kind: 'confirm-email', person: id, email } as const;
    const link = { digest: 'a digest', purpose: 'confirm-email' } as const;
    const asked = { job: sending?.id ?? '', letter, link, now: clock.now() };
    expect(await rig.store.call(addressLetter, asked)).toBe('withdrawn');
  });

  test('whose owner proves it leaves nothing that waits for whoever signed up with it', async () => {
    const { email, browser } = await crowd.somebody();
    const { token } = await post.letterTo(email);
    const foreign = `thief-${email}`;
    await browser.ask('POST', '/me/email', { email: foreign, password: PASSWORD });
    const proven = await confirm(token);
    expect(proven).toMatchObject({ status: 200, body: { password_cleared: true } });
    await post.work();
    expect(post.received.filter(({ to }) => to.includes(foreign))).toEqual([]);
    // Its owner gets the email by which they set a password.
    expect(readable((await post.letterTo(email)).raw)).toContain('/reset#token=');
  });

  test('can be corrected by somebody who has asked for too many confirmations', async () => {
    const { email, browser } = await crowd.somebody();
    const again = () => browser.ask('POST', '/me/email/confirmation');
    for (let n = 0; n < 5; n++) expect((await again()).status).toBe(202);
    expect((await again()).status).toBe(429);
    const wanted = { email: `fixed-${email}`, password: PASSWORD };
    expect((await browser.ask('POST', '/me/email', wanted)).status).toBe(202);
  });

  test('that was confirmed is not said to be confirmed once the account has another', async () => {
    const { email, browser } = await crowd.somebody();
    const { token } = await post.letterTo(email);
    expect((await confirm(token, browser)).status).toBe(200);
    const wanted = { email: `other-${email}`, password: PASSWORD };
    expect((await browser.ask('POST', '/me/email', wanted)).status).toBe(202);
    const other = await post.letterTo(wanted.email);
    expect((await confirm(other.token, browser)).status).toBe(200);
    expect((await confirm(token)).status).toBe(400);
    expect(await confirm(other.token)).toMatchObject({ status: 200, body: BEFORE });
  });

  test('is confirmed once where its link is opened twice at once', async () => {
    const { email, browser } = await crowd.somebody();
    const { token } = await post.letterTo(email);
    const answers = await Promise.all([confirm(token, browser), confirm(token, browser)]);
    const told: string[] = answers.map(({ body }) => body.confirmed);
    expect(told.toSorted()).toEqual(['before', 'now']);
  });

  test('is changed when the new one is confirmed, and the former is told', async () => {
    const { email, browser } = await crowd.somebody();
    const wanted = `new-${email}`;
    const ask = (password: string) => browser.ask('POST', '/me/email', { email: wanted, password });
    expect((await ask('not the password')).status).toBe(403);
    expect((await ask(PASSWORD)).status).toBe(202);
    const letter = await post.letterTo(wanted);
    expect((await browser.ask('GET', '/me')).body.email).toBe(email);
    expect((await confirm(letter.token, browser)).status).toBe(200);
    expect((await browser.ask('GET', '/me')).body).toMatchObject({
      email: wanted,
      email_confirmed: true,
    });
    expect(readable((await post.letterTo(email)).raw)).toContain('was changed');
    expect((await new Browser(rig).signIn(email)).status).toBe(401);
    expect((await new Browser(rig).signIn(wanted)).status).toBe(200);
  });

  test('of somebody else is not had, and who asks for it is not told whose it is', async () => {
    const taken = (await crowd.somebody()).email;
    await post.work();
    const { browser } = await crowd.somebody();
    const letters = post.received.filter(({ to }) => to.includes(taken)).length;
    const asked = await browser.ask('POST', '/me/email', { email: taken, password: PASSWORD });
    expect(asked.status).toBe(202);
    await post.work();
    expect(post.received.filter(({ to }) => to.includes(taken))).toHaveLength(letters);
    // The address was free when the change was requested, and belongs to another person when the
    // link is followed.
    const contested = crowd.newEmail();
    await browser.ask('POST', '/me/email', { email: contested, password: PASSWORD });
    const { token } = await post.letterTo(contested);
    await Browser.signedUp(rig, contested);
    expect((await confirm(token)).status).toBe(409);
  });
});

describe('the password', () => {
  test('is changed by whoever knows it; other sessions end, and this one gets a new token', async () => {
    const { email, browser } = await crowd.somebody();
    const other = new Browser(rig);
    await other.signIn(email);
    const change = (current: string, password: string) =>
      browser.ask('POST', '/me/password', { current, password });
    const wrong = await change('not the password', OTHER);
    expect(wrong.status).toBe(403);
    expect(wrong.body.error.param).toBe('current');
    expect((await change(PASSWORD, 'password1234')).status).toBe(400);
    const before = browser.token;
    expect((await change(PASSWORD, OTHER)).status).toBe(200);
    expect(await other.isSignedIn()).toBe(false);
    expect(await browser.isSignedIn()).toBe(true);
    expect(browser.token).not.toBe(before);
    expect((await new Browser(rig).signIn(email)).status).toBe(401);
    expect((await new Browser(rig).signIn(email, OTHER)).status).toBe(200);
    expect(readable((await post.letterTo(email)).raw)).toContain('password of your account');
    expect(await auditOf(rig, email)).toEqual(['person.change-password', 'person.sign-up']);
  });

  test('changed, leaves nothing to whoever knew it before: no link that was sent, and none that waits', async () => {
    const { browser } = await crowd.somebody();
    const ask = (email: string) => browser.ask('POST', '/me/email', { email, password: PASSWORD });
    await ask('thief-1@example.com');
    const { token } = await post.letterTo('thief-1@example.com');
    await ask('thief-2@example.com');
    const change = { current: PASSWORD, password: OTHER };
    expect((await browser.ask('POST', '/me/password', change)).status).toBe(200);
    expect((await new Browser(rig).ask('POST', '/email-confirm', { token })).status).toBe(400);
    await post.work();
    expect(post.received.filter(({ to }) => to.includes('thief-2@example.com'))).toEqual([]);
  });

  test('is guessed at ten times in a session, and no more', async () => {
    const { browser } = await crowd.somebody();
    const change = async (current: string) =>
      (await browser.ask('POST', '/me/password', { current, password: OTHER })).status;
    for (let n = 0; n < 10; n++) expect(await change(`wrong ${n}`)).toBe(403);
    expect(await change(PASSWORD)).toBe(429);
  });

  test('is reset by link, once and within an hour; all sessions end and the address is shown', async () => {
    const { email, browser } = await crowd.somebody();
    const ask = () => new Browser(rig).ask('POST', '/password-reset', { email });
    const reset = (token: string, password = OTHER) =>
      new Browser(rig).ask('POST', '/password-reset/confirm', { token, password });
    await ask();
    const first = await post.letterTo(email);
    await ask();
    const second = await post.letterTo(email);
    expect(second.token).not.toBe(first.token);
    for (let n = 0; n < 11; n++) await new Browser(rig).signIn(email, 'a stranger guesses');

    expect((await reset(second.token, 'password1234')).status).toBe(400);
    expect((await reset(second.token)).status).toBe(200);
    expect(await browser.isSignedIn()).toBe(false);
    const signedIn = await browser.signIn(email, OTHER);
    expect(signedIn.status).toBe(200);
    expect(signedIn.body.email_confirmed).toBe(true);
    // Neither this link nor the one sent before it works again.
    expect((await reset(second.token)).status).toBe(400);
    expect((await reset(first.token)).status).toBe(400);

    await post.work();
    await ask();
    const late = await post.letterTo(email);
    expect(late.token).not.toBe('');
    clock.advance(HOUR_MS);
    expect((await reset(late.token)).status).toBe(400);
    expect((await rig.bytes()).includes(late.token)).toBe(false);
  });

  test('of nobody is reset with the same answer and the same work', async () => {
    const { email } = await crowd.somebody();
    await post.work();
    const jobs = async () => (await rig.place.sql('select id from jobs')).length;
    const answers = [];
    for (const whose of [email, 'nobody-has-this@example.com']) {
      const before = await jobs();
      const { status, body } = await new Browser(rig).ask('POST', '/password-reset', {
        email: whose,
      });
      answers.push({ status, body, jobs: (await jobs()) - before });
    }
    expect(answers[0]).toEqual({ status: 202, body: { done: true }, jobs: 1 });
    expect(answers[1]).toEqual(answers[0]);
    await post.work();
    expect(post.received.filter(({ to }) => to.includes('nobody-has-this@example.com'))).toEqual(
      [],
    );
  });

  test('is asked to be reset five times an hour, whether or not somebody has the address', async () => {
    for (const email of [(await crowd.somebody()).email, 'nobody-has-this-either@example.com']) {
      clock.advance(HOUR_MS);
      const ask = async () =>
        (await new Browser(rig).ask('POST', '/password-reset', { email })).status;
      for (let n = 0; n < 5; n++) expect(await ask()).toBe(202);
      expect(await ask()).toBe(429);
    }
  });

  test('none that anybody has typed is anywhere in the store', async () => {
    const bytes = await rig.bytes();
    for (const typed of [PASSWORD, OTHER, 'a stranger guesses', 'not the password']) {
      expect(bytes.includes(typed)).toBe(false);
    }
  });
});

test('a name is changed, and is no more than a name', async () => {
  const { browser } = await crowd.somebody();
  expect((await browser.ask('PATCH', '/me', { name: ' Grace ' })).body.name).toBe('Grace');
  expect((await browser.ask('PATCH', '/me', { name: 'a\u0000b' })).status).toBe(400);
  expect((await browser.ask('PATCH', '/me', { operator: true })).status).toBe(400);
});
