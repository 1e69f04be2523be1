/** Operators find people and organizations, end sessions, and lock accounts. */
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { up } from '../support/shared-up.ts';
import { ask, dialog, look } from './operator-steps.ts';
import { browser } from './shared-browser.ts';
import { signIn } from './signing.ts';
import { Visitor } from './visitor.ts';

const PASSWORD = 'three blue herons at dawn';

async function openPerson({ page }: Visitor, name: string): Promise<void> {
  await page.goto(`/operator/people?search=${name}`);
  await page.getByRole('link', { name, exact: true }).click();
  await page.getByRole('heading', { level: 1, name }).waitFor();
}

async function confirm(page: Page, action: string): Promise<void> {
  await dialog(page, 'alertdialog').getByRole('button', { name: action }).click();
  await dialog(page, 'alertdialog').waitFor({ state: 'detached' });
}

/** The names in the first column of a list, without those of other tests. */
async function shown(page: Page, table: string, names: readonly string[]): Promise<string[]> {
  const links = await page
    .getByRole('region', { name: table })
    .getByRole('row')
    .getByRole('cell')
    .getByRole('link')
    .allTextContents();
  return links.filter((name) => names.includes(name));
}

async function filter(page: Page, name: string, choice: string): Promise<void> {
  await page.getByRole('button', { name: `Filter by ${name}` }).click();
  await page.getByRole('menuitem', { name: choice, exact: true }).click();
}

async function download(page: Page): Promise<string[]> {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: /^CSV of these/ }).click(),
  ]);
  const text = await readFile(await file.path(), 'utf8');
  return text.trimEnd().split('\r\n');
}

test('an operator ends one session of a person, and then all of them', async () => {
  const email = 'jean@example.com';
  await using jean = await Visitor.signedUp(browser, up, { name: 'Jean Bartik', email });
  await using elsewhere = await Visitor.open(browser, up);
  await elsewhere.page.goto('/sign-in');
  await signIn(elsewhere.page, email, PASSWORD);
  await elsewhere.page.waitForURL(/\/org_[0-9a-z]{26}$/);
  await using operator = await Visitor.operator(browser, up);
  const { page } = operator;
  await openPerson(operator, 'Jean Bartik');
  const rows = page.getByRole('region', { name: 'Sessions' }).getByRole('row');
  await expect.poll(() => rows.count()).toBe(3);
  await look(operator, 'operator-person-sessions');
  // The last used comes first.
  await rows
    .nth(1)
    .getByRole('button', { name: /^End session: / })
    .click();
  await dialog(page, 'alertdialog').getByText('is signed out at once').waitFor();
  await look(operator, 'operator-end-session');
  await confirm(page, 'End session');
  await expect.poll(() => rows.count()).toBe(2);
  await page.getByRole('button', { name: 'End all sessions' }).click();
  await confirm(page, 'End all sessions');
  await page.getByText('This person has no open session.').waitFor();
  for (const visitor of [jean, elsewhere]) {
    await visitor.page.goto('/account');
    await visitor.page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor();
  }
});

test('a locked account says so where its password is known, until an operator unlocks it', async () => {
  const email = 'kay@example.com';
  await using kay = await Visitor.signedUp(browser, up, { name: 'Kay McNulty', email });
  await using operator = await Visitor.operator(browser, up);
  const { page } = operator;
  await openPerson(operator, 'Kay McNulty');
  await page.getByRole('button', { name: 'Lock account' }).click();
  await dialog(page).getByText('API keys and management tokens').waitFor();
  await dialog(page).getByLabel('Reason').fill('stolen cards');
  await look(operator, 'operator-lock');
  await dialog(page).getByRole('button', { name: 'Lock account' }).click();
  await page.getByText('Reason: stolen cards').waitFor();
  await page.getByText('This account is locked').waitFor();
  await page.locator('h1 + p').getByText('Locked', { exact: true }).waitFor();
  await page.getByText('This person has no open session.').waitFor();
  await page
    .getByRole('button', { name: 'Operator locked the account of Kay McNulty: stolen cards' })
    .waitFor();
  await look(operator, 'operator-person-locked');

  await kay.page.goto('/account');
  await signIn(kay.page, email, 'not the password');
  await kay.page.getByRole('alert').getByText('is wrong').waitFor();
  await signIn(kay.page, email, PASSWORD);
  await kay.page.getByRole('alert').getByText('This account is locked').waitFor();
  await kay.look('sign-in-locked');

  await page.goto('/operator/people');
  await filter(page, 'status', 'Locked');
  await page.getByRole('cell', { name: `Kay McNulty ${email}` }).waitFor();
  await ask(page, `Actions for ${email}`, 'Unlock account');
  await dialog(page).getByRole('button', { name: 'Unlock account' }).click();
  await dialog(page).waitFor({ state: 'detached' });
  await page.getByText('Nobody matches these filters').waitFor();
  await signIn(kay.page, email, PASSWORD);
  await kay.page.waitForURL('**/account');
});

test('operators cannot lock their own account', async () => {
  await using operator = await Visitor.operator(browser, up);
  const { page } = operator;
  const { email } = up.first.operator;
  await page.goto('/operator/people?operator=yes');
  await page.getByRole('button', { name: `Actions for ${email}` }).click();
  const item = page.getByRole('menuitem', { name: 'Lock account' });
  expect(await item.getAttribute('aria-disabled')).toBe('true');
});

test('people are filtered and sorted in the address, and downloaded as they are filtered', async () => {
  const names = ['Betty Holberton', 'Marlyn Meltzer', 'Fran Bilas'];
  const [betty, marlyn, fran] = names;
  for (const [at, name] of names.entries()) {
    const email = `eniac-${at}@example.com`;
    await using _ = await Visitor.signedUp(browser, up, { name, email, unconfirmed: at === 1 });
  }
  await using again = await Visitor.open(browser, up);
  await again.page.goto('/sign-in');
  await signIn(again.page, 'eniac-0@example.com', PASSWORD);
  await again.page.waitForURL(/\/org_/);
  await using operator = await Visitor.operator(browser, up);
  const { page } = operator;
  const list = () => shown(page, 'People', names);
  await page.goto('/operator/people?search=eniac');
  await expect.poll(list).toEqual([fran, marlyn, betty]);
  await page.getByRole('button', { name: 'Last sign-in' }).click();
  await expect.poll(list).toEqual([betty, fran, marlyn]);
  await page.getByRole('button', { name: 'Last sign-in' }).click();
  await expect.poll(list).toEqual([marlyn, fran, betty]);
  await look(operator, 'operator-people-sorted');
  await filter(page, 'status', 'Email not confirmed');
  await expect.poll(list).toEqual([marlyn]);
  expect(new URL(page.url()).search).toContain('status=unconfirmed');
  await page.reload();
  await expect.poll(list).toEqual([marlyn]);
  expect(await download(page)).toEqual([
    expect.stringMatching(/^id,name,email,status,/),
    expect.stringContaining(',Marlyn Meltzer,eniac-1@example.com,unconfirmed,no,off,1,'),
  ]);
  await filter(page, 'two-factor', 'On');
  await page.getByText('Nobody matches these filters').waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect.poll(list).toEqual([marlyn, fran, betty]);
});

test('organizations are filtered in the address, and downloaded as they are filtered', async () => {
  const names = ['Relay One', 'Relay Two', 'Relay Three'];
  const ids: string[] = [];
  for (const name of names) ids.push((await up.api('POST', '/organizations', { name })).id);
  const [one, two] = ids;
  await up.api('PATCH', `/organizations/${one}/terms`, { status: 'suspended' });
  await up.api('POST', `/organizations/${two}/credit/adjustments`, {
    amount: '-5',
    reason: 'a test',
  });
  await using operator = await Visitor.operator(browser, up);
  const { page } = operator;
  const list = () => shown(page, 'Organizations', names);
  await page.goto('/operator/organizations?search=relay');
  await expect.poll(list).toEqual(names.toReversed());
  const row = (name: string) => page.getByRole('row').filter({ hasText: name });
  await row('Relay One').getByText('Suspended').waitFor();
  await row('Relay Two').getByText('Out of credit').waitFor();
  await look(operator, 'operator-organizations-filtered');
  await filter(page, 'status', 'Suspended');
  await expect.poll(list).toEqual(['Relay One']);
  await page.getByRole('button', { name: 'Remove filter: Status' }).click();
  await filter(page, 'balance', '$0 or less');
  await expect.poll(list).toEqual(['Relay Two']);
  expect(new URL(page.url()).search).toContain('credit=none');
  expect(await download(page)).toEqual([
    expect.stringMatching(/^id,name,status,/),
    expect.stringContaining(',Relay Two,active,global,prepaid,0,0,'),
  ]);
  await row('Relay Two').getByText('Out of credit').click();
  await page.waitForURL(`**/operator/organizations/${two}`);
});
