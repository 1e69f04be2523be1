/** Organizations and hosts are given one of the regions that are served, and move between them. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Up, until } from '../support/up.ts';
import { browser } from './shared-browser.ts';
import { moveTo } from './operator-steps.ts';
import { Visitor } from './visitor.ts';

let up: Up;
beforeAll(async () => {
  up = await Up.start(['--regions']);
}, 180_000);
afterAll(() => up[Symbol.asyncDispose]());

test('an org-admin moves to EU after being told what follows, and gets the new base URL', async () => {
  await using ada = await Visitor.signedUp(browser, up, { name: 'Ada', email: 'ada@example.com' });
  const { page } = ada;
  const organization = await ada.organization();
  const { key } = await up.api('POST', `/organizations/${organization}/keys`, { name: 'app' });
  const { global, eu } = up.first.regions as Record<'global' | 'eu', string>;
  const statusAt = async (base: string) => {
    const headers = { authorization: `Bearer ${key}` };
    return (await fetch(`${base}/models`, { headers })).status;
  };
  expect([await statusAt(global), await statusAt(eu)]).toEqual([200, 401]);

  await page.goto(`/${organization}/settings`);
  await page.getByRole('button', { name: 'Move to EU' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('The base URL changes.').waitFor();
  await dialog.getByText(global).waitFor();
  await dialog.getByText(eu).waitFor();
  await dialog.getByText('Keys, credit, limits and billing do not change.').waitFor();
  await dialog.getByText('You cannot undo this.').waitFor();
  await ada.look('settings-move');
  await dialog.getByRole('button', { name: 'Move to EU' }).click();
  await dialog.getByText('Organization moved to EU').waitFor();
  expect(await dialog.getByLabel('new base URL', { exact: true }).textContent()).toBe(eu);
  await ada.look('settings-moved');
  await until(
    async () => (await statusAt(global)) === 401,
    'the former base URL to refuse the key',
  );
  expect(await statusAt(eu)).toBe(200);

  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByText('Requests run only in the EU.').waitFor();
  await page.getByText(eu).waitFor();
  expect(await page.getByRole('button', { name: /^Move to/ }).count()).toBe(0);
  await ada.look('settings-eu');
});

test('an organization is opened in a region, and an operator moves it anywhere', async () => {
  const dan = { name: 'Dan', email: 'dan@example.com', organization: 'First' };
  await using visitor = await Visitor.signedUp(browser, up, dan);
  const { page } = visitor;
  const first = await visitor.organization();
  await page.goto('/new-organization');
  await page.getByText('from Global to US or EU later').waitFor();
  await visitor.look('new-organization-regions');
  await page.getByLabel('Name').fill('Second');
  await page.getByRole('radio', { name: 'EU' }).check();
  await page.getByRole('button', { name: 'Create organization' }).click();
  await page.getByRole('navigation').getByText('Second').waitFor();
  expect(page.url()).not.toContain(first);
  const id = new URL(page.url()).pathname.slice(1);
  const regionOf = async () =>
    (await up.admin<{ region: string }>('organization', 'show', '--organization', id)).region;
  expect(await regionOf()).toBe('eu');

  await using operator = await Visitor.operator(browser, up);
  await operator.page.goto(`/operator/organizations/${id}`);
  await moveTo(operator, 'global');
  expect(await regionOf()).toBe('global');
});

test('a host is enrolled in a region', async () => {
  await using operator = await Visitor.operator(browser, up);
  const { page } = operator;
  await page.goto('/operator/fleet');
  await page.getByRole('button', { name: 'Enrol host' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('gpu-us');
  await dialog.getByLabel('Region').selectOption('us');
  await dialog.getByRole('button', { name: 'Enrol host' }).click();
  await dialog.getByRole('button', { name: 'Done' }).click();
  // Its agent has not connected yet.
  await page.getByRole('alertdialog').getByRole('button', { name: 'Close', exact: true }).click();
  await page.getByRole('row', { name: 'gpu-us' }).getByText('US', { exact: true }).waitFor();
});
