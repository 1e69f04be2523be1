/** How people find one of many API keys. */
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
