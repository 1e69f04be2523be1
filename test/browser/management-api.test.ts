/** The API reference, as visitors, customers and operators read it. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { up } from '../support/shared-up.ts';
import { browser } from './shared-browser.ts';
import { Visitor } from './visitor.ts';

const groups = (page: Page) => page.getByRole('navigation', { name: 'Groups of operations' });

/** The names of the groups in the list at the side. */
const groupsOf = async (page: Page) =>
  (await groups(page).locator('> ul > li > a').filter({ visible: true }).allTextContents()).slice(
    1,
  );

const filter = (page: Page) => page.getByRole('searchbox', { name: 'Filter operations' });

async function open(page: Page, path = '/docs/api'): Promise<void> {
  await page.goto(path);
  await page.getByRole('heading', { level: 1 }).waitFor();
}

test('a visitor sees groups in words, without the operations of operators', async () => {
  await using visitor = await Visitor.open(browser, up);
  const { page } = visitor;
  // The address of earlier versions leads here, too.
  await open(page, '/api/docs');
  await page.getByRole('heading', { level: 1, name: 'Management API' }).waitFor();
  const shown = await groupsOf(page);
  expect(shown.slice(0, 5)).toEqual([
    'API keys',
    'Members',
    'Usage',
    'Credit and billing',
    'Webhooks',
  ]);
  expect(shown.at(-1)).toBe('Account');
  const header = page.getByRole('banner');
  await header.getByRole('link', { name: 'Sign in' }).waitFor();
  await header.getByRole('link', { name: 'Create account' }).waitFor();
  const first = page.getByLabel('the first request');
  await first.getByText(`${up.origin}/api/v1/organizations/ORGANIZATION_ID/credit`).waitFor();
  const main = page.getByRole('main');
  expect(await main.getByText('operator token').count()).toBe(0);
  await visitor.look('api-introduction');

  await open(page, '/docs/api?operators');
  expect((await groupsOf(page)).at(-1)).toBe('Operators: customers');
  // Whoever has asked for the operations of operators keeps them on the other pages.
  await groups(page).getByRole('link', { name: 'Operators: hosts' }).click();
  await page.getByRole('heading', { level: 1, name: 'Operators: hosts' }).waitFor();
  await open(page, '/docs/api/operators-hosts');
  await page.getByText('This page does not exist').waitFor();
});

test('a filter shows exactly the operations that it has found, and each leads to its place', async () => {
  await using visitor = await Visitor.open(browser, up);
  const { page } = visitor;
  await open(page);
  await filter(page).fill('BUDGET');
  await page.getByText('2 operations', { exact: true }).waitFor();
  const main = page.getByRole('main');
  expect(await main.getByRole('heading', { level: 2 }).allTextContents()).toEqual([
    'Credit and billing',
  ]);
  const region = main.getByRole('region', { name: 'Credit and billing' });
  expect(await region.getByRole('listitem').allTextContents()).toEqual([
    'Get the budget, what was spent of it in this month, and a forecastGET/organizations/{organization}/budget',
    'Set the budget, or remove itPUT/organizations/{organization}/budget',
  ]);
  expect(await region.locator('mark').allTextContents()).toEqual([
    'budget',
    'budget',
    'budget',
    'budget',
  ]);
  await visitor.look('api-found');
  await region.getByRole('link', { name: 'Set the budget' }).click();
  await page.waitForURL('**/docs/api/billing#setBudget');
  const heading = page.getByRole('heading', { level: 2, name: 'Set the budget' });
  await expect
    .poll(async () => (await heading.boundingBox())?.y)
    .toSatisfy((y: number) => y >= 0 && y < 300);
  expect(await filter(page).inputValue()).toBe('');

  await filter(page).fill('no such operation');
  await page.getByText('0 operations', { exact: true }).waitFor();
  await page.getByText('No operation has all of these words').waitFor();
  await filter(page).press('Escape');
  await page.getByRole('heading', { level: 1, name: 'Credit and billing' }).waitFor();
});

test("an operation has its fields, its errors, and a request with the customer's own organization", async () => {
  await using ada = await Visitor.signedUp(browser, up, {
    name: 'Ada',
    email: 'ada@example.com',
    organization: 'Analytical Engines',
  });
  const { page } = ada;
  const organization = await ada.organization();
  // An address without its group leads to the operation, as those of earlier versions did.
  await open(page, '/docs/api#createKey');
  await page.waitForURL('**/docs/api/api-keys#createKey');
  // The dashboard's navigation is around the page.
  const navigation = page.getByRole('navigation', { name: 'Main' });
  await navigation.getByRole('button', { name: /Analytical Engines/ }).waitFor();
  expect(await groupsOf(page)).not.toContain('Operators: hosts');

  const create = page.getByRole('region', { name: 'Create an API key', exact: true });
  await create.getByText('with the role org-admin or developer').waitFor();
  const body = create.getByRole('group', { name: 'Body' });
  const fields = body.locator('> div > ul > li');
  const name = fields.filter({ hasText: /^name/ });
  await name.getByText('required', { exact: true }).waitFor();
  await name.getByText('1 to 100 characters').waitFor();
  const limits = fields.filter({ hasText: /^limits/ });
  await limits.getByRole('button', { name: 'Show the fields of limits' }).click();
  await limits.getByText('requests_per_minute').waitFor();
  const answer = create.getByRole('group', { name: 'Response 201' });
  // The example shows the fields of an answer, which open on request.
  expect(await answer.getByText('revoked_by').filter({ visible: true }).count()).toBe(0);
  await answer.getByText(/^\d+ fields/).click();
  await answer.getByText('revoked_by').first().waitFor();
  await create.getByText(/^Errors 400/).click();
  await create.getByText('rate_limited').waitFor();
  await ada.look('api-keys');

  await create.getByRole('button', { name: 'Copy the request' }).click();
  const request = await page.evaluate(() => navigator.clipboard.readText());
  expect(request).toContain(
    `curl -X POST ${up.origin}/api/v1/organizations/${organization}/keys \\\n` +
      '  -H "Authorization: Bearer $PENSTOCK_TOKEN" \\\n',
  );
  await create.getByLabel('the response: Create an API key').getByText('"id": "key_').waitFor();

  // The list at the side marks the operation that is read.
  const current = groups(page).locator('[aria-current=location]').filter({ visible: true });
  await page.getByRole('heading', { level: 2, name: 'Revoke a key' }).scrollIntoViewIfNeeded();
  await page.evaluate(() => document.getElementById('revokeKey')?.scrollIntoView());
  await expect.poll(() => current.allTextContents()).toEqual(['Revoke a key']);

  // The reference says where a token comes from.
  await page.goto('/docs/api');
  await page.getByRole('link', { name: 'settings of Analytical Engines' }).click();
  await page.waitForURL(`**/${organization}/settings`);
});

test('an operator sees the operations of operators last', async () => {
  await using operator = await Visitor.operator(browser, up);
  const { page } = operator;
  await open(page);
  expect((await groupsOf(page)).slice(-4)).toEqual([
    'Account',
    'Operators: hosts',
    'Operators: figures and jobs',
    'Operators: customers',
  ]);
  await page.getByText('An operator token may do what its operator may.').waitFor();
  await page.getByRole('main').getByRole('link', { name: 'Operators', exact: true }).click();
  await page.waitForURL('**/operator/operators');
});

test('on a phone no group is wider than the window', async () => {
  await using operator = await Visitor.operator(browser, up);
  const { page } = operator;
  await page.setViewportSize({ width: 390, height: 844 });
  await open(page);
  const addresses = await page
    .getByRole('navigation', { name: 'Groups of operations', includeHidden: true })
    .first()
    .locator('a')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
  expect(addresses.length).toBe(14);
  for (const address of addresses) {
    await open(page, address);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width, address).toBe(390);
  }
  await page.getByText('All groups').click();
  await groups(page).getByRole('link', { name: 'API keys' }).click();
  await page.getByRole('heading', { level: 1, name: 'API keys' }).waitFor();
});
