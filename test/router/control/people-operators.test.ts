/** People, as operators see them. */
import { expect, test } from 'vitest';
import { auditOf, Browser } from './browser.ts';
import { clock, crowd, rig } from './shared-crowd.ts';

const HOUR_MS = 3_600_000;
const OTHER = 'seven grey geese at noon';

test('operators find people by a part of the name or the address, page by page', async () => {
  const email = crowd.newEmail();
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
