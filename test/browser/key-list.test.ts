/** How people find one of many API keys. */
import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { up } from '../support/shared-up.ts';
import { browser } from './shared-browser.ts';
import { Visitor } from './visitor.ts';

test('the keys are searched by name and sorted, and the address keeps both', async () => {
  await using lea = await Visitor.signedUp(browser, up, { name: 'Lea', email: 'lea@example.com' });
  const { page } = lea;
  const id = await lea.organization();
  const keys = `/organizations/${id}/keys`;
  for (const name of ['web 10', 'nightly', 'Web 9']) await up.api('POST', keys, { name });
  const { id: old } = await up.api('POST', keys, { name: 'web 8' });
  await up.api('POST', `${keys}/${old}/revoke`);

  await page.goto(`/${id}/keys`);
  const table = page.getByRole('region', { name: 'API keys' });
  const names = () => table.locator('tbody').getByRole('link').allInnerTexts();
  await expect.poll(names).toEqual(['Web 9', 'nightly', 'web 10']);
  await table.getByRole('button', { name: 'Name' }).click();
  await expect.poll(names).toEqual(['nightly', 'Web 9', 'web 10']);
  await table.getByRole('button', { name: 'Name' }).click();
  await expect.poll(names).toEqual(['web 10', 'Web 9', 'nightly']);
  await page.getByRole('searchbox', { name: 'Search API keys' }).fill('WEB');
  await expect.poll(names).toEqual(['web 10', 'Web 9']);
  await page.getByRole('switch', { name: 'Show revoked (1)' }).click();
  await expect.poll(names).toEqual(['web 10', 'Web 9', 'web 8']);
  await page.waitForURL(/revoked=shown/);
  await lea.look('keys-searched');

  await page.reload();
  await expect.poll(names).toEqual(['web 10', 'Web 9', 'web 8']);
  await page.getByRole('searchbox', { name: 'Search API keys' }).fill('nobody');
  await page.getByText('No API keys match this search').waitFor();
  await lea.look('keys-none-found');
  await page.getByRole('searchbox', { name: 'Search API keys' }).fill('');
  await expect.poll(names).toEqual(['web 10', 'Web 9', 'web 8', 'nightly']);
});

/** Two clicks before the page has rendered what the first changes. */
async function clickBoth(one: Locator, other: Locator): Promise<void> {
  const second = await other.elementHandle();
  await one.evaluate((first, next) => {
    (first as HTMLElement).click();
    (next as HTMLElement).click();
  }, second);
}

test('two changes of a list at once both count, and stand in the address', async () => {
  await using kai = await Visitor.signedUp(browser, up, { name: 'Kai', email: 'kai@example.com' });
  const { page } = kai;
  const id = await kai.organization();
  const { id: old } = await up.api('POST', `/organizations/${id}/keys`, { name: 'old' });
  await up.api('POST', `/organizations/${id}/keys`, { name: 'new' });
  await up.api('POST', `/organizations/${id}/keys/${old}/revoke`);
  await page.goto(`/${id}/keys`);
  const table = page.getByRole('region', { name: 'API keys' });
  await clickBoth(
    table.getByRole('button', { name: 'Name' }),
    page.getByRole('switch', { name: 'Show revoked (1)' }),
  );
  await page.waitForURL(/revoked=shown/);
  expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
    revoked: 'shown',
    sort: 'name',
    order: 'asc',
  });

  await page.goto(`/${id}/logs`);
  await clickBoth(
    page.getByRole('switch', { name: 'Live' }),
    page.getByRole('radio', { name: '7d', exact: true }),
  );
  await page.waitForURL(/range=7d/);
  expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
    range: '7d',
    live: 'true',
  });
});
