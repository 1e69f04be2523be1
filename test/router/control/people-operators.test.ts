/** People, as operators see them. */
import { expect, test } from 'vitest';
import { auditOf, Browser } from './browser.ts';
import { clock, crowd, rig, shareCrowd } from './shared-crowd.ts';

shareCrowd();

const HOUR_MS = 3_600_000;
const OTHER = 'seven grey geese at noon';

test('operators find people by a part of the name or the address, page by page', async () => {
  const email = crowd.newEmail();
  const browser = await Browser.signedUp(rig, email, { name: 'Zoë 100%_Real' });
  const find = async (search: string) =>
    (await rig.ask('GET', `/api/v1/people?search=${encodeURIComponent(search)}`)).body.data;
  for (const search of ['100%_r', 'zoë', 'ZOË', email.slice(0, -4), email.toUpperCase()]) {
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

test('each person is listed with their organizations and their last sign-in', async () => {
  const { email, browser } = await crowd.somebody();
  const { body } = await browser.ask('GET', '/me');
  const { id: organization, name } = body.organizations[0];
  const find = async (search: string) =>
    (await rig.ask('GET', `/api/v1/people?search=${encodeURIComponent(search)}`)).body.data;
  const signedUp = new Date(clock.now()).toISOString();
  expect(await find(email)).toMatchObject([
    {
      organizations: [{ id: organization, name, role: 'org-admin' }],
      organization_count: 1,
      last_sign_in: signedUp,
    },
  ]);
  for (let made = 0; made < 6; made++) {
    expect((await browser.ask('POST', '/organizations', { name: `Z${made}` })).status).toBe(201);
  }
  clock.advance(HOUR_MS);
  const again = new Browser(rig);
  expect((await again.signIn(email)).status).toBe(200);
  const at = new Date(clock.now()).toISOString();
  expect((await again.ask('POST', '/sign-out')).status).toBe(200);
  const [person] = await find(body.id);
  expect(person).toMatchObject({ email, organization_count: 7, last_sign_in: at });
  expect(person.organizations).toHaveLength(5);
});

test('a person is shown with their organizations, sessions and second factor, without secrets', async () => {
  const { email, browser } = await crowd.somebody();
  const me = (await browser.ask('GET', '/me')).body;
  const { id: organization, name } = me.organizations[0];
  clock.advance(HOUR_MS);
  const again = new Browser(rig);
  expect((await again.signIn(email)).status).toBe(200);
  const at = new Date(clock.now()).toISOString();
  const shown = (await rig.ask('GET', `/api/v1/people/${me.id}`)).body;
  expect(shown).toMatchObject({
    id: me.id,
    email,
    email_confirmed: false,
    email_confirmed_at: null,
    organizations: [{ id: organization, name, role: 'org-admin', joined: me.created }],
    last_sign_in: at,
    second_factor: false,
    recovery_codes_left: 0,
  });
  expect(shown.sessions).toHaveLength(2);
  expect(shown.sessions[0]).toMatchObject({ created: at });
  expect(Object.keys(shown.sessions[0]).toSorted()).toEqual([
    'address',
    'client',
    'created',
    'expires',
    'id',
    'last_seen',
  ]);
  expect(JSON.stringify(shown)).not.toMatch(/argon2|digest|totp/);
  expect((await browser.ask('GET', `/people/${me.id}`)).status).toBe(403);
  expect((await rig.ask('GET', `/api/v1/people/per_${'0'.repeat(26)}`)).status).toBe(404);
});

test('operators make a link for somebody whom no letter reaches', async () => {
  const { email, browser } = await crowd.somebody();
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
  expect(await auditOf(rig, email)).toEqual([
    'person.make-link',
    'person.reset-password',
    'person.sign-up',
  ]);
  const nobody = await rig.ask('POST', '/api/v1/people/links', {
    ...body,
    email: 'no@example.com',
  });
  expect(nobody.status).toBe(404);
  expect((await browser.ask('POST', '/people/links', body)).status).toBe(403);
});
