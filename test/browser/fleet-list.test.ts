/** How operators find one of many workers. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Up } from '../support/up.ts';
import { browser } from './shared-browser.ts';
import { Visitor } from './visitor.ts';

let up: Up;
beforeAll(async () => {
  up = await Up.start(['--regions']);
}, 180_000);
afterAll(() => up[Symbol.asyncDispose]());

test('workers are searched, filtered and sorted, and the address keeps all of it', async () => {
  await using operator = await Visitor.operator(browser, up);
  const { page } = operator;
  await page.goto('/operator/fleet');
  const workers = page.getByRole('region', { name: 'Workers' });
  const names = () => workers.locator('tbody tr td:first-child button').allInnerTexts();
  const hosts = Object.keys(up.first.hosts ?? {}).toSorted();
  const all = hosts.map((host) => expect.stringContaining(host));
  await expect.poll(names).toEqual(all);
  await workers.getByRole('button', { name: 'Worker', exact: true }).click();
  await expect.poll(names).toEqual(all.toReversed());

  const search = page.getByRole('searchbox', { name: 'Search workers' });
  const [first = ''] = hosts;
  await search.fill(first.toUpperCase());
  await expect.poll(names).toEqual([expect.stringContaining(first)]);
  await search.fill('');
  await page.getByRole('button', { name: 'Filter by region' }).click();
  await page.getByRole('menuitem', { name: 'EU' }).click();
  const inEu = hosts.filter((host) => up.first.hosts?.[host]?.region === 'eu').toReversed();
  await expect.poll(names).toEqual(inEu.map((host) => expect.stringContaining(host)));
  await operator.look('operator-fleet-filtered');

  await page.reload();
  await expect.poll(names).toEqual(inEu.map((host) => expect.stringContaining(host)));
  await page.getByRole('button', { name: 'Filter by status' }).click();
  await page.getByRole('menuitem', { name: 'Draining' }).click();
  await page.getByText('No workers match').waitFor();
  await operator.look('operator-fleet-none-found');
  await page.getByRole('button', { name: 'Show all workers' }).click();
  await expect.poll(names).toEqual(all.toReversed());
});
