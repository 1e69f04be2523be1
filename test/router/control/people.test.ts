/** People: signing up, what they change of themselves, and what letters' links are good for. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mintId, mintToken, digestSecret } from '../../../shared/ids.ts';
import { systemRandom as random } from '../../../shared/random.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { Browser, PASSWORD } from './browser.ts';
import { DASHBOARD, openPost, type Post, readable } from './post.ts';
import { type Answer, PEPPER, type Rig, startRig } from './rig.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const OTHER = 'seven grey geese at noon';

const clock = new ManualClock(Date.now());
let rig: Rig;
let post: Post;
beforeAll(async () => {
  rig = await startRig(clock);
  post = await openPost(rig, { clock });
});
afterAll(async () => {
  await post[Symbol.asyncDispose]();
  await rig[Symbol.asyncDispose]();
});

let count = 0;
/** Of a day of its own, so that no test is in the way of another's sign-ups. */
function newEmail(): string {
  clock.advance(DAY_MS);
  return `person-${count++}@example.com`;
}

async function somebody(): Promise<{ email: string; browser: Browser }> {
  const email = newEmail();
  return { email, browser: await Browser.signedUp(rig, email) };
}

function signUp(body: object): Promise<Answer> {
  return new Browser(rig).ask('POST', '/sign-up', { password: PASSWORD, name: 'Ada', ...body });
}

const auditOf = async (email: string) =>
  (
    await rig.place.sql(
      `select action, details, actor_kind from audit
       where target = (select id from people where email = '${email}')`,
    )
  )
    .map((row) => (row as { action: string }).action)
    .toSorted();

describe('signing up', () => {
  test('makes a person, signed in, and an organization with its welcome credit, whose admin they are', async () => {
    const email = newEmail();
    const browser = new Browser(rig);
    const body = { email: `  ${email.toUpperCase()} `, password: PASSWORD, name: 'Ada L' };
    const { status, body: me } = await browser.ask('POST', '/sign-up', body);
    expect(status).toBe(201);
    expect(me).toMatchObject({
      email,
      email_confirmed: false,
      name: 'Ada L',
      operator: false,
      second_factor: false,
      organizations: [{ name: "Ada L's organization", region: 'global', role: 'org-admin' }],
    });
    expect((await browser.ask('GET', '/me')).body).toEqual(me);
    const [organization] = me.organizations;
    const credit = await browser.ask('GET', `/organizations/${organization.id}/credit`);
    expect(credit.body).toMatchObject({ balance: '5' });
    expect(await auditOf(email)).toEqual(['person.sign-up']);
  });

  test('takes the name that is given for the organization', async () => {
    const browser = await Browser.signedUp(rig, newEmail(), { organization: 'Engines' });
    expect((await browser.ask('GET', '/me')).body.organizations).toMatchObject([
      { name: 'Engines' },
    ]);
  });

  test('an address is had once, in whatever case it is typed', async () => {
    const { email } = await somebody();
    const organizations = async () =>
      (await rig.place.sql('select id from organizations order by id')).length;
    const before = await organizations();
    const again = await signUp({ email: email.toUpperCase() });
    expect(again.status).toBe(409);
    expect(again.body.error).toMatchObject({ code: 'conflict', param: 'email' });
    expect(again.headers.get('set-cookie')).toBeNull();
    expect(await organizations()).toBe(before);
  });

  test('of ten at once with one address, one succeeds', async () => {
    const email = newEmail();
    const answers = await Promise.all(Array.from({ length: 10 }, () => signUp({ email })));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(1);
    expect(statuses.filter((status) => status === 409)).toHaveLength(9);
  });

  test('is tried twenty times a day from an address, and no more', async () => {
    const { email } = await somebody();
    for (let n = 1; n < 20; n++) expect((await signUp({ email })).status).toBe(409);
    const refused = await signUp({ email: 'one-more@example.com' });
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('86400');
    clock.advance(DAY_MS);
    expect((await signUp({ email: 'one-more@example.com' })).status).toBe(201);
  });

  test.each([
    ['too short', { password: 'eleven char' }, 'password'],
    ['too long', { password: 'x'.repeat(129) }, 'password'],
    ['among the commonest', { password: 'Password1234' }, 'password'],
    ['of one character', { password: 'aaaaaaaaaaaaaa' }, 'password'],
    ['the address itself', { password: 'GUESSABLE@example.com' }, 'password'],
    ['the name itself', { password: 'ada of lovelace', name: 'Ada of Lovelace' }, 'password'],
    ['for no address', { email: 'guessable' }, 'email'],
    [
      'for an address with a header in it',
      { email: 'a@example.com\r\nbcc: b@example.com' },
      'email',
    ],
    ['for a name with a line break', { name: 'A\nda' }, 'name'],
    ['with a link of nobody', { invitation: `penstock-link-${'a'.repeat(40)}` }, 'invitation'],
    ['with a link that is none', { invitation: 'x' }, 'invitation'],
  ])('a password or a field %s is refused by name', async (_what, body, param) => {
    clock.advance(DAY_MS);
    const answer = await signUp({ email: 'guessable@example.com', ...body });
    expect(answer.status).toBe(400);
    expect(answer.body.error).toMatchObject({ code: 'invalid_value', param });
  });

  test('where only the invited may, nobody else does', async () => {
    await using closed = await startRig(clock, ['global'], { signUp: 'invited' });
    const body = { email: 'stranger@example.com', password: PASSWORD, name: 'Ada' };
    const answer = await new Browser(closed).ask('POST', '/sign-up', body);
    expect(answer.status).toBe(403);
    const url = await invite(closed, 'stranger@example.com');
    const invited = await new Browser(closed).ask('POST', '/sign-up', { ...body, invitation: url });
    expect(invited.status).toBe(201);
  });
});

/** An open invitation to the first run's organization, with a link that was sent to its address. */
async function invite(to: Rig, email: string, sentTo = email): Promise<string> {
  const id = mintId('invitation', clock, random);
  const token = mintToken('link', random);
  const expires = clock.now() + 7 * DAY_MS;
  await to.place.sql(
    `insert into invitations (id, organization, email, role, state, created, expires)
     values ('${id}', '${to.first.organization.id}', '${email}', 'developer', 'open', 1, ${expires})`,
    `insert into links (digest, purpose, subject, email, created, expires)
     values ('${digestSecret(PEPPER, token)}', 'invitation', '${id}', '${sentTo}', 1, ${expires})`,
  );
  return token;
}

describe('signing up by invitation', () => {
  test('joins the organization, makes none, and has shown the address', async () => {
    const email = newEmail();
    const invitation = await invite(rig, email);
    const before = await rig.place.sql('select id from organizations order by id');
    const { status, body } = await signUp({ email, invitation });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      email_confirmed: true,
      organizations: [{ id: rig.first.organization.id, role: 'developer' }],
    });
    expect(await rig.place.sql('select id from organizations order by id')).toEqual(before);
    expect((await rig.bytes()).includes(invitation)).toBe(false);
    const again = await signUp({ email: newEmail(), invitation });
    expect(again.body.error).toMatchObject({ code: 'invalid_value', param: 'invitation' });
  });

  test('with another address than the letter went to, that one is still to be confirmed', async () => {
    const email = newEmail();
    const invitation = await invite(rig, 'somewhere-else@example.com');
    expect((await signUp({ email, invitation })).body).toMatchObject({ email_confirmed: false });
    expect((await post.letterTo(email)).token).not.toBe('');
  });

  test('an expired one makes nobody', async () => {
    const email = newEmail();
    const invitation = await invite(rig, email);
    clock.advance(7 * DAY_MS);
    expect((await signUp({ email, invitation })).status).toBe(400);
    expect(await rig.place.sql(`select id from people where email = '${email}'`)).toEqual([]);
  });
});

describe('the address', () => {
  const confirm = (token: string) => new Browser(rig).ask('POST', '/email-confirm', { token });

  test('is confirmed by the link of the letter, once and within a day', async () => {
    const { email, browser } = await somebody();
    const letter = await post.letterTo(email);
    expect(readable(letter.raw)).toContain(`${DASHBOARD}/confirm#token=`);
    expect((await confirm(letter.token)).status).toBe(200);
    expect((await browser.ask('GET', '/me')).body.email_confirmed).toBe(true);
    const again = await confirm(letter.token);
    expect(again.body.error).toMatchObject({ code: 'invalid_value', param: 'token' });

    const late = await post.letterTo((await somebody()).email);
    clock.advance(DAY_MS);
    expect((await confirm(late.token)).status).toBe(400);
  });

  test('is changed when the new one is confirmed, and the former is told', async () => {
    const { email, browser } = await somebody();
    const wanted = `new-${email}`;
    const ask = (password: string) => browser.ask('POST', '/me/email', { email: wanted, password });
    expect((await ask('not the password')).status).toBe(403);
    expect((await ask(PASSWORD)).status).toBe(202);
    const letter = await post.letterTo(wanted);
    expect((await browser.ask('GET', '/me')).body.email).toBe(email);
    expect((await confirm(letter.token)).status).toBe(200);
    expect((await browser.ask('GET', '/me')).body).toMatchObject({
      email: wanted,
      email_confirmed: true,
    });
    expect(readable((await post.letterTo(email)).raw)).toContain('was changed');
    expect((await new Browser(rig).signIn(email)).status).toBe(401);
    expect((await new Browser(rig).signIn(wanted)).status).toBe(200);
  });

  test('of somebody else is not had, and who asks for it is not told whose it is', async () => {
    const taken = (await somebody()).email;
    await post.work();
    const { browser } = await somebody();
    const letters = post.received.filter(({ to }) => to.includes(taken)).length;
    const asked = await browser.ask('POST', '/me/email', { email: taken, password: PASSWORD });
    expect(asked.status).toBe(202);
    await post.work();
    expect(post.received.filter(({ to }) => to.includes(taken))).toHaveLength(letters);
    // Free when it was asked for, and somebody's when the link is followed.
    const contested = newEmail();
    await browser.ask('POST', '/me/email', { email: contested, password: PASSWORD });
    const { token } = await post.letterTo(contested);
    await Browser.signedUp(rig, contested);
    expect((await confirm(token)).status).toBe(409);
  });
});

describe('the password', () => {
  test('is changed by whoever knows it; other sessions end, and this one gets a new token', async () => {
    const { email, browser } = await somebody();
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
    expect(await auditOf(email)).toEqual(['person.password', 'person.sign-up']);
  });

  test('is guessed at ten times in a session, and no more', async () => {
    const { browser } = await somebody();
    const change = async (current: string) =>
      (await browser.ask('POST', '/me/password', { current, password: OTHER })).status;
    for (let n = 0; n < 10; n++) expect(await change(`wrong ${n}`)).toBe(403);
    expect(await change(PASSWORD)).toBe(429);
  });

  test('is reset by link, once and within an hour; all sessions end and the address is shown', async () => {
    const { email, browser } = await somebody();
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
    // Neither it nor the one that was sent before.
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
    const { email } = await somebody();
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
    for (const email of [(await somebody()).email, 'nobody-has-this-either@example.com']) {
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
  const { browser } = await somebody();
  expect((await browser.ask('PATCH', '/me', { name: ' Grace ' })).body.name).toBe('Grace');
  expect((await browser.ask('PATCH', '/me', { name: 'a\u0000b' })).status).toBe(400);
  expect((await browser.ask('PATCH', '/me', { operator: true })).status).toBe(400);
});

describe('operators', () => {
  test('find people by a part of the name or the address, page by page', async () => {
    const email = newEmail();
    const browser = await Browser.signedUp(rig, email, { name: 'Zoë 100%_Real' });
    const find = async (search: string) =>
      (await rig.ask('GET', `/api/v1/people?search=${encodeURIComponent(search)}`)).body.data;
    for (const search of ['100%_r', email.slice(0, -4), email.toUpperCase()]) {
      expect(await find(search)).toMatchObject([{ email, name: 'Zoë 100%_Real' }]);
    }
    expect(await find('100__')).toEqual([]);
    const first = (await rig.ask('GET', '/api/v1/people?limit=1')).body;
    expect(first).toMatchObject({ has_more: true, next: first.data[0].id });
    const next = (await rig.ask('GET', `/api/v1/people?limit=1&after=${first.next}`)).body;
    expect(next.data[0].id).not.toBe(first.data[0].id);
    expect((await browser.ask('GET', '/people')).status).toBe(403);
    expect(JSON.stringify(await find(''))).not.toContain('argon2');
  });

  test('make a link for somebody whom no letter reaches', async () => {
    const { email, browser } = await somebody();
    const body = { email, purpose: 'reset-password' };
    const made = await rig.ask('POST', '/api/v1/people/links', body);
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({
      purpose: 'reset-password',
      expires: new Date(clock.now() + HOUR_MS).toISOString(),
    });
    const [url = '', token = ''] = made.body.url.split('#token=');
    expect(url).toBe(`${rig.origin}/reset`);
    const reset = { token, password: OTHER };
    expect((await new Browser(rig).ask('POST', '/password-reset/confirm', reset)).status).toBe(200);
    expect((await browser.signIn(email, OTHER)).status).toBe(200);
    expect(await auditOf(email)).toEqual(['person.link', 'person.reset', 'person.sign-up']);
    const nobody = await rig.ask('POST', '/api/v1/people/links', {
      ...body,
      email: 'no@example.com',
    });
    expect(nobody.status).toBe(404);
    expect((await browser.ask('POST', '/people/links', body)).status).toBe(403);
  });
});
