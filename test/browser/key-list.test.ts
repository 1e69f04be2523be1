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
  await page.getByRole('button', { name: 'Revoked (1)' }).click();
  await expect.poll(names).toEqual(['web 10', 'Web 9', 'web 8']);
  await page.waitForURL(/state=active%2Cexpired%2Crevoked/);
  await lea.look('keys-searched');

  await page.reload();
  await expect.poll(names).toEqual(['web 10', 'Web 9', 'web 8']);
  await page.getByRole('searchbox', { name: 'Search API keys' }).fill('nobody');
  await page.getByText('No API keys match this search').waitFor();
  await lea.look('keys-none-found');
  await page.getByRole('searchbox', { name: 'Search API keys' }).fill('');
  await expect.poll(names).toEqual(['web 10', 'Web 9', 'web 8', 'nightly']);
});

test('many keys are shown in parts, and narrowed to their states', async () => {
  await using mia = await Visitor.signedUp(browser, up, { name: 'Mia', email: 'mia@example.com' });
  const { page } = mia;
  const id = await mia.organization();
  const keys = `/organizations/${id}/keys`;
  for (let number = 1; number <= 28; number += 1) {
    await up.api('POST', keys, { name: `batch ${number}` });
  }
  for (const name of ['old 1', 'old 2']) {
    const { id: key } = await up.api('POST', keys, { name });
    await up.api('POST', `${keys}/${key}/revoke`);
  }

  await page.goto(`/${id}/keys`);
  const rows = page.getByRole('region', { name: 'API keys' }).locator('tbody tr');
  await expect.poll(() => rows.count()).toBe(25);
  await page.getByText('25 of 28 keys are shown.').waitFor();
  await page.getByRole('button', { name: 'Show more' }).click();
  await expect.poll(() => rows.count()).toBe(28);
  // Whoever goes back from a key finds it again, where it was.
  await page.getByRole('link', { name: 'batch 1', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'batch 1' }).waitFor();
  await page.goBack();
  await expect.poll(() => rows.count()).toBe(28);
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(0);
  expect(await page.getByRole('button', { name: 'Show more' }).count()).toBe(0);

  await page.getByRole('button', { name: 'Revoked (2)' }).click();
  await page.getByRole('button', { name: 'Active (28)' }).click();
  await page.getByRole('button', { name: 'Expired (0)' }).click();
  await page.waitForURL(/state=revoked$/);
  await expect.poll(() => rows.count()).toBe(2);
  await page.reload();
  await expect.poll(() => rows.count()).toBe(2);
  await page.goto(`/${id}/keys?state=expired`);
  await page.getByText('No API keys in these states').waitFor();
  await page.goto(`/${id}/keys?revoked=shown`);
  await expect.poll(() => rows.count()).toBe(25);
  await mia.look('keys-many');
  await page.getByRole('button', { name: 'Show more' }).click();
  await expect.poll(() => rows.count()).toBe(30);
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
    page.getByRole('button', { name: 'Revoked (1)' }),
  );
  await page.waitForURL(/state=/);
  expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
    state: 'active,expired,revoked',
    sort: 'name',
    order: 'asc',
  });

  await page.goto(`/${id}/logs`);
  await clickBoth(
    page.getByRole('switch', { name: 'Live' }),
    page.getByRole('radio', { name: '7 days', exact: true }),
  );
  await page.waitForURL(/range=7d/);
  expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
    range: '7d',
    live: 'true',
  });
});
