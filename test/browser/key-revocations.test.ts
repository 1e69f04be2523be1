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

test('a key says that an operator or which management token created and revoked it', async () => {
  await using bea = await Visitor.signedUp(browser, up, { name: 'Bea', email: 'bea@example.com' });
  const { page } = bea;
  const id = await bea.organization();
  const keys = `/organizations/${id}/keys`;
  const body = { name: 'Terraform', role: 'developer' };
  const { token } = await up.api('POST', `/organizations/${id}/tokens`, body);
  const made = await fetch(`${up.origin}/api/v1${keys}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'nightly' }),
  });
  const { id: key } = (await made.json()) as { id: string };
  await up.api('POST', `${keys}/${key}/revoke`);
  await page.goto(`/${id}/keys?revoked=shown`);
  const row = page.getByRole('row', { name: /nightly/ });
  await row.getByText('by management token Terraform').waitFor();
  await row.getByText(/^\w+ \d+, \d+ by an operator$/).waitFor();
  await row.getByRole('link', { name: 'nightly' }).click();
  await page.getByRole('definition').filter({ hasText: 'Management token Terraform' }).waitFor();
  await page.getByRole('definition').filter({ hasText: 'by an operator' }).waitFor();
});

test('a revoked key names nobody if nobody is known to have revoked it', async () => {
  await using cid = await Visitor.signedUp(browser, up, { name: 'Cid', email: 'cid@example.com' });
  const { page } = cid;
  const id = await cid.organization();
  const keys = `/api/v1/organizations/${id}/keys`;
  const { key: _, ...made } = await up.api('POST', `/organizations/${id}/keys`, {
    name: 'nightly',
  });
  const revoked = { ...made, state: 'revoked', revoked: '2026-05-04T00:00:00.000Z' };
  const list = { data: [revoked], has_more: false, next: null };
  await page.route(
    (url) => url.pathname === keys,
    (route) => route.fulfill({ json: list }),
  );
  await page.goto(`/${id}/keys?revoked=shown`);
  const row = page.getByRole('row', { name: /nightly/ });
  await row.getByText('Revoked', { exact: true }).waitFor();
  expect(await row.getByRole('cell').nth(1).innerText()).toMatch(/^Revoked\s+\w+ \d+, \d+$/);
});
