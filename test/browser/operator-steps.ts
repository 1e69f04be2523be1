/** Steps of an operator on a page, shared by several tests. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { type Region, REGION_NAMES } from '../../shared/region.ts';
import type { Visitor } from './visitor.ts';

export const MODEL = 'qwen/qwen3-235b-a22b-instruct-2507';

/** Returns the figure with this label at the top of the page. */
export function figure(page: Page, label: string): Locator {
  return page.getByText(label, { exact: true }).locator('xpath=following-sibling::p[1]');
}

/** Returns the title of the page, with what stands beside and below it. */
export function head(page: Page): Locator {
  return page.locator('header').filter({ has: page.getByRole('heading', { level: 1 }) });
}

export async function ask(page: Page, trigger: string, item: string): Promise<void> {
  await page.getByRole('button', { name: trigger, exact: true }).click();
  await page.getByRole('menuitem', { name: item }).click();
}

export function dialog(page: Page, kind: 'dialog' | 'alertdialog' = 'dialog'): Locator {
  return page.getByRole(kind);
}

/** Takes screenshots with the pointer over nothing, because hovering changes colors. */
export async function look(visitor: Visitor, name: string): Promise<void> {
  await visitor.page.mouse.move(0, 0);
  await visitor.look(name);
}

export async function adjustCredit(operator: Visitor): Promise<void> {
  const { page } = operator;
  await page.getByRole('button', { name: 'Adjust credit' }).click();
  await dialog(page).getByLabel('Amount in USD').fill('-2000');
  await dialog(page).getByText('−$1,975.00').waitFor();
  await dialog(page).getByLabel('Reason').fill('a mistake');
  await dialog(page).getByRole('button', { name: 'Adjust credit' }).click();
  await dialog(page).getByText('The available credit would fall below').waitFor();
  await look(operator, 'operator-adjust-refused');
  await dialog(page).getByLabel('Amount in USD').fill('2.500000000001');
  await dialog(page).getByText('$27.50', { exact: true }).waitFor();
  await dialog(page).getByLabel('Reason').fill('for the trouble');
  await dialog(page).getByRole('button', { name: 'Adjust credit' }).click();
  await dialog(page).waitFor({ state: 'detached' });
}

export async function setRate(operator: Visitor): Promise<void> {
  const { page } = operator;
  await ask(page, `Actions for the rate of ${MODEL}`, 'Set rate');
  await dialog(page).getByLabel('Prompt', { exact: true }).fill('0.1');
  await dialog(page).getByLabel('Cached prompt').fill('0.05');
  await dialog(page).getByLabel('Completion').fill('0.3000001');
  await dialog(page).getByRole('button', { name: 'Set rate' }).click();
  await dialog(page).getByText('at most 6 decimals').waitFor();
  await look(operator, 'operator-rate-refused');
  await dialog(page).getByLabel('Completion').fill('0.300001');
  await dialog(page).getByRole('button', { name: 'Set rate' }).click();
  const row = page.getByRole('row').filter({ hasText: MODEL });
  await row.getByText('Agreed').waitFor();
  await row.getByText('$0.300001').waitFor();
}

export async function setTerms({ page }: Visitor): Promise<void> {
  await page.getByRole('button', { name: 'Change limits' }).click();
  await dialog(page).getByLabel('Requests per minute').fill('many');
  await dialog(page).getByRole('button', { name: 'Change limits' }).click();
  await dialog(page).getByText('Enter a whole number').waitFor();
  await dialog(page).getByLabel('Requests per minute').fill('77');
  await dialog(page).getByRole('button', { name: 'Change limits' }).click();
  await page.getByText('77', { exact: true }).waitFor();

  await page.getByRole('button', { name: 'Change billing' }).click();
  await dialog(page).getByRole('radio', { name: 'Invoiced' }).click();
  await dialog(page).getByLabel('Credit limit in USD').fill('500');
  await dialog(page).getByLabel('Days to pay').fill('14');
  await dialog(page).getByRole('button', { name: 'Change billing' }).click();
  await page.getByText('Invoiced monthly', { exact: true }).waitFor();

  await page.getByRole('button', { name: 'Change billing' }).click();
  await dialog(page).getByText('gets an invoice for each month').waitFor();
  await dialog(page).getByRole('radio', { name: 'Prepaid' }).click();
  await dialog(page).getByText('within about a minute a last invoice covers').waitFor();
  await dialog(page).getByRole('button', { name: 'Cancel' }).click();
}

export async function moveTo({ page }: Visitor, region: Region): Promise<void> {
  await page.getByRole('button', { name: 'Move to another region' }).click();
  await dialog(page).getByLabel('New region').selectOption(region);
  await dialog(page).getByRole('button', { name: 'Move organization' }).click();
  await page.getByRole('definition').getByText(REGION_NAMES[region], { exact: true }).waitFor();
}

export async function refund({ page }: Visitor): Promise<void> {
  await page.getByRole('button', { name: /^Refund REC-/ }).click();
  await dialog(page).getByLabel('Amount in USD').fill('10');
  await dialog(page).getByLabel('Reason').fill('half of it was not needed');
  await dialog(page).getByRole('button', { name: 'Refund payment' }).click();
  await dialog(page).waitFor({ state: 'detached' });
  const payments = page.getByRole('region', { name: 'Online payments' });
  // The payment provider may not have answered yet.
  await payments.getByRole('cell', { name: /^\$10\.00( pending)?$/ }).waitFor();
}

/** Returns the API's answer to this visitor. */
export async function seenBy({ page }: Visitor, path: string): Promise<unknown> {
  const answer = await page.request.get(`/api/v1${path}`);
  return await answer.json();
}

/**
 * Drains the host that does not drain yet, ends the drains of both at once, and drains both when one
 * of them has stopped.
 */
export async function changeSeveral(operator: Visitor, agent: ChildProcess): Promise<void> {
  const { page } = operator;
  const hosts = dialog(page).getByRole('row');
  const choose = (action: string) =>
    page.getByRole('button', { name: action, exact: true }).click();
  await page.getByRole('checkbox', { name: 'Select all connected hosts' }).check();
  await page.getByText('2 selected').waitFor();
  await choose('Drain selected');
  await dialog(page).getByText('6 models are served by no other worker').waitFor();
  await dialog(page).getByText('Of the selected hosts, 1 drains already.').waitFor();
  await look(operator, 'operator-drain-several');
  await choose('Drain 1 host');
  await hosts.filter({ hasText: 'local' }).getByText('Drained', { exact: true }).waitFor();
  await choose('Done');
  await figure(page, 'Workers ready').getByText('0 of 2').waitFor();
  await choose('End drain of selected');
  await choose('End the drain of 2 hosts');
  for (const host of ['local', 'gpu-2']) {
    await hosts.filter({ hasText: host }).getByText('Not draining', { exact: true }).waitFor();
  }
  await choose('Done');

  await choose('Drain selected');
  agent.kill('SIGTERM');
  await once(agent, 'exit');
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const drains = '**/api/v1/agents/*/drain';
  await page.route(drains, async (route) => {
    await released;
    await route.continue();
  });
  await choose('Drain 2 hosts');
  // The dialog stays until all hosts have answered, so that no failure is missed.
  await hosts.filter({ hasText: 'gpu-2' }).getByText('Waiting', { exact: true }).waitFor();
  await page.keyboard.press('Escape');
  const done = page.getByRole('button', { name: 'Done', exact: true });
  expect(await done.isDisabled()).toBe(true);
  release();
  await hosts.filter({ hasText: 'local' }).getByText('Drained', { exact: true }).waitFor();
  await hosts
    .filter({ hasText: 'gpu-2' })
    .getByText('Failed. This host is not connected to this router')
    .waitFor();
  await look(operator, 'operator-drain-failed');
  await choose('Done');
  await page.unroute(drains);
  await page.getByText('1 selected').waitFor();
  await choose('End drain of selected');
  await choose('End the drain of 1 host');
  await hosts.filter({ hasText: 'local' }).getByText('Not draining', { exact: true }).waitFor();
  await choose('Done');
}
