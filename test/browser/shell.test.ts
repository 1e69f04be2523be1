/** The frame around every page. */
import { expect, test } from 'vitest';
import { up } from '../support/shared-up.ts';
import { browser } from './shared-browser.ts';
import { Visitor } from './visitor.ts';

test('a visitor without a session is asked to sign in, and comes back to where they were going', async () => {
  await using visitor = await Visitor.open(browser, up);
  await visitor.page.goto('/account');
  await visitor.page.waitForURL('**/sign-in?next=%2Faccount');
});

test('the navigation leads to every page of a role, and a phone opens it with a button', async () => {
  await using ada = await Visitor.signedUp(browser, up, { name: 'Ada', email: 'ada@example.com' });
  await ada.page.goto('/');
  await ada.page.getByRole('navigation', { name: 'Main' }).waitFor();
  const links = await ada.page.getByRole('navigation').getByRole('link').allTextContents();
  expect(links).toEqual([
    'Overview',
    'Playground',
    'Models',
    'API keys',
    'Usage',
    'Logs',
    'Docs',
    'Billing',
    'Members',
    'Settings',
    'Audit log',
  ]);
  await ada.look('shell');
});

test('an address that leads nowhere says so, within the dashboard, with a status of 404', async () => {
  await using ada = await Visitor.signedUp(browser, up, { name: 'Eve', email: 'eve@example.com' });
  const answer = await ada.page.goto('/nowhere');
  expect(answer?.status()).toBe(404);
  await ada.page.getByText('This page does not exist').waitFor();
  // The browser itself reports the 404 in its console.
  ada.complaints.length = 0;
});
