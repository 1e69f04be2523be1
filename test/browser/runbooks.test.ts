/** The runbooks of alerts, for operators. */
import { expect, test } from 'vitest';
import { Up } from '../support/up.ts';
import { browser } from './shared-browser.ts';
import { Visitor } from './visitor.ts';

const LONG = { timeout: 120_000 };

test(
  'an operator finds a runbook, copies its command, and goes on to the next one',
  LONG,
  async () => {
    await using up = await Up.start();
    const { data: agents } = await up.api('GET', '/agents');
    await up.api('POST', `/agents/${agents[0].id}/drain`);
    await using operator = await Visitor.operator(browser, up);
    const { page } = operator;
    await page.goto('/operator/runbooks');
    const active = page.locator('section').filter({ hasText: 'An alarm is active for these.' });
    const unserved = /^No worker can serve a model\s*PenstockModelWithoutWorker.*Active now/;
    await active.getByRole('link', { name: unserved }).waitFor();
    // It is listed once, and the documents follow.
    expect(await page.getByText('PenstockModelWithoutWorker').count()).toBe(1);
    await page.getByRole('link', { name: 'Load balancers' }).waitFor();
    await operator.look('operator-runbooks');

    await page.getByRole('radio', { name: 'Warning' }).click();
    await page.waitForURL(/severity=ticket/);
    await page.getByRole('searchbox', { name: 'Search runbooks' }).fill('alarm host_lost');
    await page.waitForURL(/search=alarm/);
    const found = page.getByRole('main').getByRole('link');
    await page.getByText('Store and ledger').waitFor({ state: 'detached' });
    expect(await found.count()).toBe(1);
    await page.getByRole('searchbox', { name: 'Search runbooks' }).fill('nothing of that kind');
    await page.getByText('No runbook fits').waitFor();
    await operator.look('operator-runbooks-none');
    await page.getByRole('searchbox', { name: 'Search runbooks' }).fill('host_lost');
    await found.filter({ hasText: 'PenstockAgentDown' }).click();

    await page.getByRole('heading', { level: 1, name: 'An agent does not answer' }).waitFor();
    await page.locator('h1 + p').getByText('PenstockAgentDown', { exact: true }).waitFor();
    await page.getByText('No router has this alarm now').waitFor();
    await page.getByText('No alarm was recorded in the last 90 days').waitFor();
    await page.getByRole('article').getByRole('heading', { name: 'Do' }).waitFor();
    await operator.look('operator-runbook-quiet');
    const places = page.getByRole('navigation', { name: 'In the dashboard' });
    const fleet = places.getByRole('link', { name: 'Open fleet' });
    expect(await fleet.getAttribute('href')).toBe('/operator/fleet');
    await page.getByRole('button', { name: 'Copy the command penstock admin agent list' }).click();
    await expect
      .poll(() => page.evaluate(() => navigator.clipboard.readText()))
      .toBe('penstock admin agent list');
    const onThisPage = page.getByRole('navigation', { name: 'On this page' });
    await onThisPage.getByRole('link', { name: 'Do' }).click();
    await page.waitForURL(/PenstockAgentDown#do$/);
    await page
      .getByRole('navigation', { name: 'Hosts and engines' })
      .getByRole('link', { name: 'An engine does not answer' })
      .click();
    await page.getByRole('heading', { level: 1, name: 'An engine does not answer' }).waitFor();
  },
);

test(
  'an address of the time when all runbooks were one page leads to the runbook',
  LONG,
  async () => {
    await using up = await Up.start();
    await using operator = await Visitor.operator(browser, up);
    const { page } = operator;
    await page.goto('/operator/runbooks#penstockstoreslow');
    await page.getByRole('heading', { level: 1, name: 'The store is slow' }).waitFor();
    expect(new URL(page.url()).hash).toBe('');
    await page.getByText('Only your monitoring knows whether this alert is firing').waitFor();
    await page.getByRole('article').getByRole('link', { name: 'Sizing' }).click();
    await page.waitForURL('**/operator/documents/sizing');
    await page.getByRole('heading', { level: 1, name: 'Sizing' }).waitFor();
    const main = page.getByRole('navigation', { name: 'Main' });
    await main.locator('[data-above]').filter({ hasText: 'Runbooks' }).waitFor();
    const regions = page.getByRole('article').getByRole('link', { name: 'Regions' }).first();
    await regions.waitFor();
    await page.getByRole('article').getByRole('link', { name: 'Performance' }).first().waitFor();
    const around = page.getByRole('navigation', { name: 'On this page' });
    await around.getByRole('link', { name: 'What things cost' }).waitFor();
    await operator.look('operator-document');
    // On a phone, each value of a table has the name of its column, and nothing has to be scrolled.
    await page.setViewportSize({ width: 390, height: 844 });
    const table = page.getByRole('region', { name: 'Table' }).first();
    expect(await table.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
    const column = await table
      .locator('tbody td')
      .nth(1)
      .evaluate((cell) => getComputedStyle(cell, '::before').content);
    expect(column).toMatch(/Figure/);
    await page.setViewportSize({ width: 1360, height: 900 });
    await regions.click();
    await page.getByRole('heading', { level: 1, name: 'Regions' }).waitFor();
    await page.goto('/operator/runbooks/PenstockNowhere');
    await page.getByText('This runbook does not exist').waitFor();
  },
);

test('only operators see runbooks', LONG, async () => {
  await using up = await Up.start();
  await using ada = await Visitor.signedUp(browser, up, {
    name: 'Ada',
    email: 'ada@example.com',
    organization: 'Looms',
  });
  await ada.page.goto('/operator/runbooks/PenstockStoreDown');
  await ada.page.getByText('Only platform operators can see this page.').waitFor();
  expect(await ada.page.getByText('PenstockStoreDown').count()).toBe(0);
});
