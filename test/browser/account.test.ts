/** A person's own account, from the first name to its deletion. */
import { TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { up } from '../support/shared-up.ts';
import { letterTo } from './letters.ts';
import { browser } from './shared-browser.ts';
import { signIn, signOut } from './signing.ts';
import { Visitor } from './visitor.ts';

const PASSWORD = 'three blue herons at dawn';
const ANOTHER = 'four grey cranes at dusk';
const STEP_MS = 30_000;

async function atAccount(name: string): Promise<Visitor> {
  const email = `${name.toLowerCase()}@example.com`;
  const visitor = await Visitor.signedUp(browser, up, {
    name,
    email,
    organization: `${name}'s`,
    unconfirmed: true,
  });
  await visitor.page.goto('/account');
  await visitor.page.getByRole('heading', { level: 1, name: 'Account' }).waitFor();
  return visitor;
}

/** Reauthenticates: enters the password in the dialog, and confirms the action. */
async function prove(page: Page, action: string, password = PASSWORD): Promise<void> {
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Password', { exact: true }).fill(password);
  await dialog.getByRole('button', { name: action }).click();
}

/** The switch for emails about incidents, which says to which address they are sent. */
function incidentsOf(page: Page, checked: boolean) {
  const name = 'Email incidents to zoe@example.com';
  return page.getByRole('switch', { name, exact: true, checked, disabled: false });
}

/** Returns the code for a secret, this many time steps from now. Each code is accepted once. */
function codeOf(secret: string, steps = 0): string {
  return new TOTP({ secret }).generate({ timestamp: Date.now() + steps * STEP_MS });
}

test('a name is changed, and is the one that is shown', async () => {
  await using ada = await atAccount('Ada');
  const { page } = ada;
  await page.getByText('This session').waitFor();
  await ada.look('account');
  const save = page.getByRole('button', { name: 'Save name' });
  expect(await save.isDisabled()).toBe(true);
  await page.getByLabel('Name').fill('Ada King');
  await save.click();
  await page.getByText('Name saved', { exact: true }).waitFor();
  await page.getByRole('navigation').getByText('Ada King').waitFor();
  expect(await save.isDisabled()).toBe(true);
});

test('the time zone and the theme are chosen for this browser, and emails are switched off', async () => {
  await using zoe = await atAccount('Zoe');
  const { page } = zoe;
  await page.getByRole('radio', { name: 'UTC', exact: true }).click();
  await page.getByRole('radio', { name: 'Dark', exact: true }).click();
  await page.reload();
  await page.getByRole('radio', { name: 'UTC', exact: true, checked: true }).waitFor();
  await page.getByRole('radio', { name: 'Dark', exact: true, checked: true }).waitFor();
  expect(await page.evaluate(() => document.documentElement.dataset['theme'])).toBe('dark');
  // A tab that is open already follows.
  const other = await page.context().newPage();
  await other.goto('/account');
  await other.getByRole('radio', { name: 'Dark', exact: true, checked: true }).waitFor();
  await page.getByRole('radio', { name: 'Light', exact: true }).click();
  await other.getByRole('radio', { name: 'Light', exact: true, checked: true }).waitFor();
  expect(await other.evaluate(() => document.documentElement.dataset['theme'])).toBe('light');
  await page.getByText('Sent to zoe@example.com.').waitFor();
  const receipts = page.getByRole('switch', { name: 'Notify: Receipts' });
  const budget = page.getByRole('switch', { name: 'Notify: Budget' });
  const saving = Promise.withResolvers<void>();
  await page.route('**/api/v1/me', async (route) => {
    await saving.promise;
    await route.continue();
  });
  await receipts.click();
  // A change sends all switches, so none can be changed before it is saved.
  await budget.and(page.getByRole('switch', { disabled: true })).waitFor();
  saving.resolve();
  await page.getByText('Notifications saved', { exact: true }).waitFor();
  await budget.click();
  await budget.and(page.getByRole('switch', { checked: false, disabled: false })).waitFor();
  await page.reload();
  for (const one of [receipts, budget]) {
    await one.and(page.getByRole('switch', { checked: false })).waitFor();
  }
  await page.getByRole('switch', { name: 'Notify: Low balance', checked: true }).waitFor();
  await incidentsOf(page, false).click();
  await incidentsOf(page, true).waitFor();
  await page.getByText('Sent only after you have confirmed your email.').waitFor();
  // The status page has the same switch.
  await other.goto('/status');
  await other.getByRole('button', { name: 'Subscribe' }).click();
  const dialog = other.getByRole('dialog', { name: 'Subscribe to incidents' });
  await dialog.getByText('Email incidents to zoe@example.com', { exact: true }).waitFor();
  await incidentsOf(other, true).click();
  await incidentsOf(other, false).waitFor();
  await page.reload();
  await incidentsOf(page, false).waitFor();
  await page.getByRole('link', { name: "Zoe's", exact: true }).click();
  await page.waitForURL(/\/billing\?view=budget$/);
  await page.getByRole('heading', { level: 2, name: 'Monthly budget' }).waitFor();
});

test('an address takes the place of the former once the link that went there is opened', async () => {
  await using bob = await atAccount('Bob');
  const { page } = bob;
  await page.getByText('Not confirmed').waitFor();
  await page.getByRole('button', { name: 'Change email' }).click();
  await page.getByLabel('New email').fill('robert@example.com');
  await prove(page, 'Send link', 'not the password');
  await page.getByText('The password is wrong').waitFor();
  await bob.look('account-email');
  await prove(page, 'Send link');
  await page.getByText('A link was sent to robert@example.com').waitFor();
  await bob.look('account-email-sent');
  await page.goto(await letterTo(up, 'robert@example.com', '/confirm'));
  await page.getByRole('heading', { name: 'Email confirmed' }).waitFor();
  await page.getByRole('link', { name: 'Continue' }).waitFor();
  await page.goto('/account');
  const main = page.getByRole('main');
  await main.getByText('robert@example.com', { exact: true }).waitFor();
  await main.getByText('Sent to robert@example.com.', { exact: true }).waitFor();
  await page.getByText('Confirmed', { exact: true }).waitFor();
});

test('an address that is not confirmed is sent another link', async () => {
  await using carol = await atAccount('Carol');
  const { page } = carol;
  const first = await letterTo(up, 'carol@example.com', '/confirm');
  await page.getByRole('button', { name: 'Resend email' }).click();
  await page.getByText('We sent another link to carol@example.com').waitFor();
  await expect.poll(() => letterTo(up, 'carol@example.com', '/confirm')).not.toBe(first);
});

test('a password is changed, and the one before signs in no more', async () => {
  await using dan = await atAccount('Dan');
  const { page } = dan;
  await page.getByRole('button', { name: 'Change password' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Current password').fill('not the password');
  await dialog.getByLabel('New password').fill(ANOTHER);
  await dialog.getByRole('button', { name: 'Change password' }).click();
  await dialog.getByText('The password is wrong').waitFor();
  await dan.look('account-password');
  await dialog.getByLabel('Current password').fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Change password' }).click();
  await dialog.waitFor({ state: 'detached' });
  await signOut(page);
  await signIn(page, 'dan@example.com', PASSWORD);
  await page.getByRole('alert').getByText('is wrong').waitFor();
  await signIn(page, 'dan@example.com', ANOTHER);
  await page.waitForURL(/\/org_/);
});

test('a second factor is set up, asked for, replaced by a recovery code, and removed', async () => {
  await using eve = await atAccount('Eve');
  const { page } = eve;
  await page.getByRole('button', { name: 'Set up' }).click();
  await eve.look('account-second-factor-password');
  await prove(page, 'Continue');
  const secret = (await page.getByRole('dialog').locator('code').textContent()) ?? '';
  const bare = secret.replaceAll(' ', '');
  await eve.look('account-second-factor-secret');
  // The field has the focus, though the dialog has taken the place of another.
  await page.keyboard.type('000000');
  expect(await page.getByLabel('Code').inputValue()).toBe('000000');
  await page.keyboard.press('Enter');
  await page.getByText('This is not the current code.').waitFor();
  await page.getByLabel('Code').fill(codeOf(bare));
  await page.getByRole('button', { name: 'Turn on' }).click();
  await page.getByText('Save your recovery codes').waitFor();
  await eve.look('account-recovery-codes');
  const codes = (await page.getByLabel('recovery codes').locator('pre').textContent()) ?? '';
  const [recovery = ''] = codes.split('\n');
  await page.getByRole('button', { name: 'Done' }).click();
  const question = page.getByRole('alertdialog', { name: 'Close without copying?' });
  await question.getByRole('button', { name: 'Keep open' }).click();
  await page.getByRole('button', { name: 'Copy recovery codes' }).click();
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByText('Save your recovery codes').waitFor({ state: 'detached' });

  await signOut(page);
  await signIn(page, 'eve@example.com', PASSWORD);
  await page.getByRole('heading', { name: 'Enter your code' }).waitFor();
  await eve.look('sign-in-code');
  await page.getByLabel('Code').fill('000000');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('This code is wrong, or it was used before.').waitFor();
  await page.getByLabel('Code').fill(codeOf(bare, 1));
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(/\/org_/);

  await signOut(page);
  await signIn(page, 'eve@example.com', PASSWORD);
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await page.getByLabel('Recovery code').fill(recovery);
  await eve.look('sign-in-recovery');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(/\/org_/);

  await page.goto('/account');
  await page.getByRole('button', { name: 'Turn off' }).click();
  await prove(page, 'Turn off two-factor authentication');
  await page.getByText('Require a code from an authenticator app').waitFor();
  await signOut(page);
  await signIn(page, 'eve@example.com', PASSWORD);
  await page.waitForURL(/\/org_/);
});

test('a dialog that takes the place of another returns the focus to where the first was opened', async () => {
  await using eli = await atAccount('Eli');
  const { page } = eli;
  const begin = page.getByRole('button', { name: 'Set up' });
  await begin.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByLabel('Code').waitFor();
  await page.keyboard.type('12');
  expect(await page.getByLabel('Code').inputValue()).toBe('12');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await expect.poll(() => begin.evaluate((button) => button === document.activeElement)).toBe(true);
});

test('sessions are seen and ended, one at a time and all at once', async () => {
  await using fay = await atAccount('Fay');
  await using other = await Visitor.open(browser, up);
  await other.page.goto('/account');
  await signIn(other.page, 'fay@example.com', PASSWORD);
  await other.page.getByText('This session').waitFor();
  const { page } = fay;
  await page.reload();
  await fay.look('account-sessions');
  await page.getByRole('button', { name: 'End session' }).click();
  await page.getByRole('button', { name: 'End session' }).waitFor({ state: 'detached' });
  await other.page.reload();
  await other.page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await page.getByRole('button', { name: 'Sign out everywhere' }).click();
  await fay.look('account-sign-out-everywhere');
  const asked = page.getByRole('alertdialog');
  await asked.getByRole('button', { name: 'Sign out everywhere' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await page.goto('/account');
  await page.waitForURL('**/sign-in?next=%2Faccount');
});

test('an account is deleted with the password, and signs in no more', async () => {
  await using gus = await atAccount('Gus');
  const { page } = gus;
  await page.getByRole('button', { name: 'Delete account' }).click();
  await gus.look('account-delete');
  await prove(page, 'Delete account');
  await page.getByText('Account deleted', { exact: true }).waitFor();
  await page.waitForURL('**/sign-in');
  await signIn(page, 'gus@example.com', PASSWORD);
  await page.getByRole('alert').getByText('is wrong').waitFor();
});

test('the last org-admin of an organization with others in it has to name another first', async () => {
  await using hal = await atAccount('Hal');
  const organization = await hal.organization();
  const { url } = await up.api('POST', `/organizations/${organization}/invitations`, {
    email: 'ida@example.com',
    role: 'viewer',
  });
  await using ida = await Visitor.open(browser, up);
  await ida.page.goto(url);
  await ida.page.getByLabel('Your name').fill('Ida');
  await ida.page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await ida.page.getByRole('button', { name: 'Sign up and join' }).click();
  await ida.page.waitForURL(`**/${organization}`);
  await hal.page.getByRole('button', { name: 'Delete account' }).click();
  await prove(hal.page, 'Delete account');
  const dialog = hal.page.getByRole('dialog', { name: 'Delete your account' });
  const refusal = dialog.getByRole('alert');
  await refusal.getByText("You are the last administrator of Hal's").waitFor();
  await hal.look('account-delete-refused');
  // It leads to the pages where that is changed.
  const settings = refusal.getByRole('link', { name: "Settings of Hal's" });
  expect(await settings.getAttribute('href')).toBe(`/${organization}/settings`);
  await refusal.getByRole('link', { name: "Members of Hal's" }).click();
  await hal.page.waitForURL(`**/${organization}/members`);
  await hal.page.getByRole('heading', { name: 'Members', level: 1 }).waitFor();
  await dialog.waitFor({ state: 'detached' });
});
