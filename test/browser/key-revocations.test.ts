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
