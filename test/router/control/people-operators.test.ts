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
  expect(first).toMatchObject({ has_more: true, next: `created.desc.${first.data[0].id}` });
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

type Listed = { email: string; locked_at: string | null; last_sign_in: string | null };

/** All pages of the list of people, `limit` at once. */
async function list(query: string, limit = 100): Promise<Listed[]> {
  const rows: Listed[] = [];
  for (let after = ''; ; ) {
    const { status, body } = await rig.ask('GET', `/api/v1/people?limit=${limit}&${query}${after}`);
    expect(status, JSON.stringify(body)).toBe(200);
    rows.push(...body.data);
    if (body.next === null) return rows;
    after = `&after=${body.next}`;
  }
}

const emails = (rows: readonly Listed[]) => rows.map(({ email }) => email);

test('the list is filtered by status, operator and second factor, over pages of any size', async () => {
  const locked = await crowd.somebody();
  const plain = await crowd.somebody();
  const { id } = (await locked.browser.ask('GET', '/me')).body;
  await rig.ask('POST', `/api/v1/people/${id}/lock`);
  const confirmed = await crowd.somebody();
  await rig.place.sql(
    `update people set email_confirmed = 1, totp_step = 1 where email = '${confirmed.email}'`,
  );
  for (const limit of [1, 2, 100]) {
    expect(emails(await list('status=locked', limit))).toEqual([locked.email]);
    const unconfirmed = emails(await list('status=unconfirmed', limit));
    expect(unconfirmed[0]).toBe(plain.email);
    expect(unconfirmed).not.toContain(locked.email);
    const active = emails(await list('status=active', limit));
    expect(active[0]).toBe(confirmed.email);
    expect(active).not.toContain(plain.email);
    const operators = (await rig.ask('GET', '/api/v1/operators')).body.data as Listed[];
    expect(emails(await list('operator=yes', limit))).toEqual(emails(operators));
    expect(emails(await list('second_factor=on', limit))).toEqual([confirmed.email]);
  }
  const others = emails(await list('operator=no&second_factor=off&status=unconfirmed'));
  expect(others).toContain(plain.email);
  expect(others).not.toContain(confirmed.email);
  expect(await list(`second_factor=off&search=${confirmed.email}`)).toEqual([]);
});

test('the list is sorted by the last sign-in, either way, over pages of any size', async () => {
  const [one, two, three] = [
    await crowd.somebody(),
    await crowd.somebody(),
    await crowd.somebody(),
  ];
  clock.advance(HOUR_MS);
  await new Browser(rig).signIn(two.email);
  await new Browser(rig).signIn(one.email);
  const never = 'never@example.com';
  await rig.ask('POST', '/api/v1/operators', { email: never, name: 'Never' });
  // Both signed in at the same instant, so the newer account comes first.
  const latest = [two.email, one.email, three.email];
  for (const limit of [1, 2, 100]) {
    const rows = await list('sort=last_sign_in', limit);
    expect(emails(rows).slice(0, 3)).toEqual(latest);
    expect(rows.find(({ email }) => email === never)).toMatchObject({ last_sign_in: null });
    const reversed = emails(await list('sort=last_sign_in&order=asc', limit));
    expect(reversed).toEqual(emails(rows).toReversed());
    expect(reversed.indexOf(never)).toBeLessThan(reversed.indexOf(three.email));
    expect(emails(await list('order=asc', limit))).toEqual(
      emails(await list('', limit)).toReversed(),
    );
  }
});

/** The operator's CSV of a list. */
async function csv(query: string) {
  const headers = { authorization: `Bearer ${rig.first.operator.token}` };
  const response = await fetch(`${rig.origin}/api/v1/people?format=csv&${query}`, { headers });
  const name = response.headers.get('content-disposition');
  return { name, lines: (await response.text()).split('\r\n') };
}

test('the CSV has all people who match, and no cell that a spreadsheet could run', async () => {
  const email = crowd.newEmail();
  await Browser.signedUp(rig, email, { name: '=HYPERLINK("x")', organization: 'One' });
  const { name, lines } = await csv(`search=${email}&limit=1`);
  expect(name).toBe('attachment; filename="people.csv"');
  const [header = '', row = '', rest] = lines;
  expect(header).toBe(
    'id,name,email,status,operator,second_factor,organizations,last_sign_in,locked_at,created',
  );
  const at = new Date(clock.now()).toISOString();
  expect(row).toContain(`,"'=HYPERLINK(""x"")",${email},unconfirmed,no,off,1,${at},,`);
  expect(rest).toBe('');
  const whole = await csv('sort=last_sign_in&limit=1');
  expect(whole.lines.length - 2).toBe((await list('')).length);
  const { browser } = await crowd.somebody();
  expect((await browser.ask('GET', '/people?format=csv')).status).toBe(403);
});

test.each([
  'sort=name',
  'order=up',
  'status=gone',
  'operator=true',
  'second_factor=1',
  'status=locked&status=active',
  `search=${'x'.repeat(101)}`,
  'after=1_org_0',
  `after=per_${'0'.repeat(26)}`,
  `after=last_sign_in.desc.5_per_${'0'.repeat(26)}`,
  `after=created.asc.per_${'0'.repeat(26)}`,
  `sort=last_sign_in&after=created.desc.per_${'0'.repeat(26)}`,
  `sort=last_sign_in&after=last_sign_in.desc.9999999999999999_per_${'0'.repeat(26)}`,
])('the query %s is refused', async (query) => {
  expect((await rig.ask('GET', `/api/v1/people?${query}`)).status).toBe(400);
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
    passkeys: 0,
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
