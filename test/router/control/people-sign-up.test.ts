/** Signing up: a person with their own organization, or in the organization that invited them. */
import { beforeAll, describe, expect, test } from 'vitest';
import { mintId, mintToken } from '../../../shared/ids.ts';
import { digestSecret } from '../../../shared/peppers.ts';
import { systemRandom as random } from '../../../shared/random.ts';
import { auditOf, Browser, PASSWORD } from './browser.ts';
import { openPost, type Post } from './post.ts';
import { type Answer, PEPPER, type Rig, startRig } from './rig.ts';
import { clock, crowd, rig, shareCrowd } from './shared-crowd.ts';

shareCrowd();

const DAY_MS = 86_400_000;

let post: Post;
beforeAll(async () => {
  post = await openPost(rig, { clock });
  return () => post[Symbol.asyncDispose]();
});

function signUp(body: object): Promise<Answer> {
  return new Browser(rig).ask('POST', '/sign-up', { password: PASSWORD, name: 'Ada', ...body });
}

describe('signing up', () => {
  test('makes a person, signed in, and an organization whose admin they are, without credit yet', async () => {
    const email = crowd.newEmail();
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
    expect(credit.body).toMatchObject({ balance: '0' });
    expect(await auditOf(rig, email)).toEqual(['person.sign-up']);
  });

  test('lets nobody send invitations before the own address is confirmed', async () => {
    const email = crowd.newEmail();
    const browser = await Browser.signedUp(rig, email);
    const [{ id }] = (await browser.ask('GET', '/me')).body.organizations;
    const path = `/organizations/${id}/invitations`;
    const send = (to: string) => browser.ask('POST', path, { email: to });
    expect(await send('stranger@example.com')).toMatchObject({
      status: 403,
      body: { error: { message: expect.stringContaining('Confirm your email address') } },
    });
    expect((await browser.ask('GET', path)).body.data).toEqual([]);

    const { token } = await post.letterTo(email);
    expect((await browser.ask('POST', '/email-confirm', { token })).status).toBe(200);
    const invited = await send('stranger@example.com');
    expect(invited.status).toBe(201);
    // An address that is not confirmed may not send it again, either.
    await rig.place.sql(`update people set email_confirmed = null where email = '${email}'`);
    const again = await browser.ask('POST', `${path}/${invited.body.id}/resend`);
    expect(again).toMatchObject({ status: 403 });
  });

  test('takes the name that is given for the organization', async () => {
    const browser = await Browser.signedUp(rig, crowd.newEmail(), { organization: 'Engines' });
    expect((await browser.ask('GET', '/me')).body.organizations).toMatchObject([
      { name: 'Engines' },
    ]);
  });

  test('an address is had once, in whatever case it is typed', async () => {
    const { email } = await crowd.somebody();
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
    const email = crowd.newEmail();
    const answers = await Promise.all(Array.from({ length: 10 }, () => signUp({ email })));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(1);
    expect(statuses.filter((status) => status === 409)).toHaveLength(9);
  });

  test('is tried twenty times a day from an address, and no more', async () => {
    const { email } = await crowd.somebody();
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

/**
 * Creates an open invitation to the first run's organization, with a link that was sent to
 * `sentTo`.
 */
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
    const email = crowd.newEmail();
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
    const again = await signUp({ email: crowd.newEmail(), invitation });
    expect(again.body.error).toMatchObject({ code: 'invalid_value', param: 'invitation' });
  });

  test('with another address than the letter went to, that one is still to be confirmed', async () => {
    const email = crowd.newEmail();
    const invitation = await invite(rig, 'somewhere-else@example.com');
    expect((await signUp({ email, invitation })).body).toMatchObject({ email_confirmed: false });
    expect((await post.letterTo(email)).token).not.toBe('');
  });

  test('an expired one makes nobody', async () => {
    const email = crowd.newEmail();
    const invitation = await invite(rig, email);
    clock.advance(7 * DAY_MS);
    expect((await signUp({ email, invitation })).status).toBe(400);
    expect(await rig.place.sql(`select id from people where email = '${email}'`)).toEqual([]);
  });
});
