/** How the pages of keys show that a key was revoked. */
import { expect, test } from 'vitest';
import { up } from '../support/shared-up.ts';
import { browser } from './shared-browser.ts';
import { Visitor } from './visitor.ts';

test('keys are shown although a router of an earlier version answers without when they were revoked', async () => {
  await using ann = await Visitor.signedUp(browser, up, { name: 'Ann', email: 'ann@example.com' });
  const { page } = ann;
  const id = await ann.organization();
  const key = await up.api('POST', `/organizations/${id}/keys`, { name: 'nightly' });
  const { revoked: _, revoked_by: __, key: ___, ...earlier } = key;
  const list = { data: [earlier], has_more: false, next: null };
  const keys = `/api/v1/organizations/${id}/keys`;
  await page.route(
    (url) => url.pathname.startsWith(keys),
    (route) =>
      route.fulfill({ json: new URL(route.request().url()).pathname === keys ? list : earlier }),
  );
  await page.goto(`/${id}/keys`);
  await page
    .getByRole('row', { name: /nightly/ })
    .getByText('Active')
    .click();
  await page.getByRole('heading', { level: 1, name: 'nightly' }).waitFor();
  await page.getByText('Key ID', { exact: true }).waitFor();
  expect(await page.getByText('Revoked', { exact: true }).count()).toBe(0);
});

test('a revoked key names the member who revoked it, and nobody if no member did', async () => {
  await using bea = await Visitor.signedUp(browser, up, { name: 'Bea', email: 'bea@example.com' });
  const { page } = bea;
  const id = await bea.organization();
  const keys = `/organizations/${id}/keys`;
  const own = await up.api('POST', keys, { name: 'by a member' });
  const revoked = await page.request.post(`/api/v1${keys}/${own.id}/revoke`);
  expect(revoked.status()).toBe(200);
  const foreign = await up.api('POST', keys, { name: 'by an operator' });
  await up.api('POST', `${keys}/${foreign.id}/revoke`);
  await page.goto(`/${id}/keys`);
  const row = (name: string) => page.getByRole('row', { name: new RegExp(name) });
  const status = (name: string) => row(name).getByRole('cell').nth(1).innerText();
  await row('by an operator').waitFor();
  expect(await status('by a member')).toMatch(/^Revoked\s+\w+ \d+, \d+ by Bea$/);
  expect(await status('by an operator')).toMatch(/^Revoked\s+\w+ \d+, \d+$/);
  const when = page.getByRole('definition').filter({ hasText: /\d by Bea$/ });
  await page.goto(`/${id}/keys/${own.id}`);
  await when.waitFor();
  await page.goto(`/${id}/keys/${foreign.id}`);
  await page.getByText('Revoked', { exact: true }).first().waitFor();
  expect(await when.count()).toBe(0);
});
