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

test('a revoked key names nobody if no member revoked it', async () => {
  await using bea = await Visitor.signedUp(browser, up, { name: 'Bea', email: 'bea@example.com' });
  const { page } = bea;
  const id = await bea.organization();
  const keys = `/organizations/${id}/keys`;
  const { id: key } = await up.api('POST', keys, { name: 'nightly' });
  await up.api('POST', `${keys}/${key}/revoke`);
  await page.goto(`/${id}/keys?revoked=shown`);
  const row = page.getByRole('row', { name: /nightly/ });
  await row.getByText('Revoked', { exact: true }).waitFor();
  expect(await row.getByRole('cell').nth(1).innerText()).toMatch(/^Revoked\s+\w+ \d+, \d+$/);
  await row.getByRole('link', { name: 'nightly' }).click();
  const revoked = page
    .getByRole('definition')
    .filter({ has: page.locator('time') })
    .nth(1);
  await page.getByRole('term').filter({ hasText: 'Revoked' }).waitFor();
  expect(await revoked.innerText()).not.toContain('by');
});
