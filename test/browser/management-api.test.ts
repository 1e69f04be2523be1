/** The API browser, as visitors, customers and operators read it. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { up } from '../support/shared-up.ts';
import { browser } from './shared-browser.ts';
import { Visitor } from './visitor.ts';

const groupsOf = (page: Page) => page.locator('.opblock-tag > a').allTextContents();

async function open(page: Page, path = '/api/docs'): Promise<void> {
  await page.goto(path);
  await page.locator('.opblock-tag').first().waitFor();
}

test('a visitor sees groups in words, without the operations of operators', async () => {
  await using visitor = await Visitor.open(browser, up);
  const { page } = visitor;
  await open(page);
  const groups = await groupsOf(page);
  expect(groups.slice(0, 5)).toEqual([
    'API keys',
    'Members',
    'Usage',
    'Credit and billing',
    'Webhooks',
  ]);
  expect(groups.at(-1)).toBe('Account');
  expect(await page.locator('.opblock').count()).toBe(0);
  await page.getByText('ORGANIZATION_ID').waitFor();
  await page.evaluate(() => document.fonts.ready);
  expect(await page.evaluate(() => document.fonts.check("14px 'Inter Variable'"))).toBe(true);

  await page.getByPlaceholder('Filter operations').fill('BUDGET');
  await expect.poll(() => groupsOf(page)).toEqual(['Credit and billing']);
  await page.getByText('Credit and billing').click();
  await page.locator('.opblock').first().waitFor();
  expect(await page.locator('.authorization__btn:visible').count()).toBe(0);

  await open(page, '/api/docs?operators');
  expect((await groupsOf(page)).at(-1)).toBe('Operators: customers');
});

test("a customer's own organization is filled in", async () => {
  await using ada = await Visitor.signedUp(browser, up, {
    name: 'Ada',
    email: 'ada@example.com',
    organization: 'Analytical Engines',
  });
  const { page } = ada;
  const organization = await ada.organization();
  await open(page);
  await page.getByText(`/organizations/${organization}/credit`).waitFor();
  expect(await groupsOf(page)).not.toContain('Operators: hosts');
  await page.getByText('API keys', { exact: true }).click();
  await page.locator('#operations-API_keys-getOrganizationKeys .opblock-summary-control').click();
  await expect.poll(() => page.getByPlaceholder('organization').inputValue()).toBe(organization);
});

test('an operator sees the operations of operators last', async () => {
  await using operator = await Visitor.operator(browser, up);
  await open(operator.page);
  const groups = await groupsOf(operator.page);
  expect(groups.slice(-4)).toEqual([
    'Account',
    'Operators: hosts',
    'Operators: platform',
    'Operators: customers',
  ]);
});
