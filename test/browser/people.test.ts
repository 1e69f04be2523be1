/**
 * How people get an account: signing up, signing in, links in emails, invitations, and a second
 * organization.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { up } from '../support/shared-up.ts';
import { Up } from '../support/up.ts';
import { dialog } from './operator-steps.ts';
import { letterTo } from './letters.ts';
import { browser } from './shared-browser.ts';
import { signIn, signOut } from './signing.ts';
import { Visitor } from './visitor.ts';

const PASSWORD = 'three blue herons at dawn';
const ANOTHER = 'four grey cranes at dusk';

function heading(page: Page, name: string) {
  return page.getByRole('heading', { level: 1, name });
}

/**
 * Expects that no token of a link is left where scripts, servers or the next person at this browser
 * could find it.
 */
async function expectNoTokenKept(page: Page): Promise<void> {
  const kept = await page.evaluate(() =>
    JSON.stringify([
      location.href,
      history.state,
      Object.entries(localStorage),
      Object.entries(sessionStorage),
    ]),
  );
  expect(kept).not.toContain('penstock-link');
}

test('somebody signs up, and is in their organization', async () => {
  await using ada = await Visitor.open(browser, up);
  const { page } = ada;
  await page.goto('/sign-in');
  await page.getByRole('link', { name: 'Create one' }).click();
  await page.getByText('Confirm your email to get $5 in free credit.').waitFor();
  await ada.look('sign-up');
  // What is missing is told at each field, and the first one has the focus.
  await page.getByLabel('Email').fill('ada');
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByText('Enter an email address.').waitFor();
  await page.getByText('Enter a password.').waitFor();
  const missing = page.getByText('Enter your name.');
  const name = page.getByRole('textbox', { name: 'Your name' });
  expect(await name.getAttribute('aria-invalid')).toBe('true');
  expect(await name.evaluate((field) => document.activeElement === field)).toBe(true);
  await ada.look('sign-up-incomplete');
  await name.fill('Ada Lovelace');
  expect(await missing.count()).toBe(0);
  await page.getByLabel('Email').fill('ada@example.com');
  await page.getByLabel('Organization').fill('Analytical Engines');
  const password = page.getByLabel('Password', { exact: true });
  await password.fill('ada@example.com');
  await page.getByRole('button', { name: 'Create account' }).click();
  await page
    .getByText('This password is your own name or email address. Choose another.')
    .waitFor();
  await ada.look('sign-up-refused');
  await password.fill(PASSWORD);
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.waitForURL(/\/org_[0-9a-z]{26}$/);
  await page.getByRole('navigation').getByText('Analytical Engines').waitFor();
});

test('somebody who has not confirmed their address is told that this brings them credit', async () => {
  const email = 'dina@example.com';
  await using dina = await Visitor.signedUp(browser, up, {
    name: 'Dina',
    email,
    unconfirmed: true,
  });
  const { page } = dina;
  const id = await dina.organization();
  await page.goto(`/${id}/keys`);
  await page
    .getByText(`Confirm your email to get $5 in free credit. We sent a link to ${email}.`)
    .waitFor();
  expect(await page.getByText('The organization has no credit.').count()).toBe(0);
  await page
    .getByText('Requests are refused until you confirm your email or add credit.')
    .waitFor();
  await dina.look('welcome-notice');
  // The logs offer what helps, and no longer time.
  await page.goto(`/${id}/logs`);
  const logs = page.getByRole('main');
  await logs.getByText('No requests in this period').waitFor();
  // The first one is that of the notice above the page.
  await logs.getByRole('button', { name: 'Resend email' }).nth(1).waitFor();
  expect(await logs.getByRole('button', { name: 'Show the last 30 days' }).count()).toBe(0);

  const { key } = await up.api('POST', `/organizations/${id}/keys`, { name: 'first' });
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const messages = [{ role: 'user', content: 'Say hello.' }];
  const body = { model: 'deepseek-ai/deepseek-v4-flash', messages };
  const refused = await up.post('/chat/completions', body, { headers });
  expect(refused.status).toBe(402);
  const { request_id: request } = (await refused.json()) as { request_id: string };
  await expect
    .poll(async () =>
      (await page.request.get(`/api/v1/organizations/${id}/requests/${request}`)).ok(),
    )
    .toBe(true);
  await page.goto(`/${id}/logs/${request}`);
  await page.getByText('It gets its free credit when you confirm your email.').waitFor();
  const main = page.getByRole('main');
  // The first one is that of the notice above the page.
  const resend = main.getByRole('button', { name: 'Resend email' }).nth(1);
  await resend.click();
  await main.getByText(`We sent another link to ${email}.`).waitFor();
  await page.goto(`/${id}`);
  await page.getByText('A request arrived but was refused.').waitFor();
  await page.getByText('It gets its free credit when you confirm your email.').waitFor();
  await resend.waitFor();
  await dina.look('overview-awaits-welcome');
  await page.goto(`/${id}/playground`);
  await page.getByLabel('Message', { exact: true }).fill('Hello');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByText('The organization has no credit yet.').waitFor();
  await resend.waitFor();

  const link = await letterTo(up, email, '/confirm');
  const notice = page.getByRole('status').filter({ hasText: 'in free credit' });
  await notice.getByRole('button', { name: 'Resend email' }).click();
  await notice.getByText(`We sent another link to ${email}.`).waitFor();

  // Both places say when no more can be sent for now.
  const ask = async () => {
    const sent = { headers: { origin: up.origin } };
    return (await page.request.post('/api/v1/me/email/confirmation', sent)).status();
  };
  await expect.poll(ask).toBe(429);
  await notice.getByRole('button', { name: 'Resend email' }).click();
  await notice.getByText('Too many').waitFor();
  await resend.click();
  await page.getByRole('alert').getByText('Too many').waitFor();
  await dina.look('welcome-notice-limited');

  // The notice goes away although the link is opened in another tab.
  const tab = await page.context().newPage();
  await tab.goto(link);
  await heading(tab, 'Email confirmed').waitFor();
  await tab.getByText('$5 in free credit added.').waitFor();
  await tab.waitForURL(/\/org_[0-9a-z]{26}$/);
  await page.getByText('Confirm your email').waitFor({ state: 'detached' });
  // The request that was refused before asks nobody to pay.
  await page.goto(`/${id}`);
  await page.getByText('The organization has credit now: send the request again.').waitFor();
  expect(await page.getByText('The organization has no credit.').count()).toBe(0);
});

test('who has had credit and not confirmed their email is asked for both', async () => {
  const email = 'nora@example.com';
  await using nora = await Visitor.signedUp(browser, up, {
    name: 'Nora',
    email,
    unconfirmed: true,
  });
  const { page } = nora;
  const id = await nora.organization();
  const path = `/organizations/${id}`;
  await up.api('POST', `${path}/credit/adjustments`, { amount: '0.0001', reason: 'test' });
  const { key } = await up.api('POST', `${path}/keys`, { name: 'first' });
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  // It is too long for this credit, which covers a short one.
  const messages = [{ role: 'user', content: 'Say hello. '.repeat(5_000) }];
  const body = { model: 'deepseek-ai/deepseek-v4-flash', messages };
  const refused = await up.post('/chat/completions', body, { headers });
  expect(refused.status).toBe(402);
  const { request_id: request, error } = (await refused.json()) as {
    request_id: string;
    error: { message: string };
  };
  expect(error.message).not.toContain('email');
  await expect
    .poll(async () =>
      (await page.request.get(`/api/v1/organizations/${id}/requests/${request}`)).ok(),
    )
    .toBe(true);
  await page.goto(`/${id}/logs/${request}`);
  await page.getByText('Add credit, or turn on auto-recharge.').waitFor();
  await page.getByRole('status').filter({ hasText: 'Credit is low' }).waitFor();
  await page.getByText('Confirm your email to get $5 in free credit.').waitFor();
  // The credit may cover a request.
  await page.goto(`/${id}/keys`);
  await page.getByRole('button', { name: 'Copy curl example' }).waitFor();
  expect(await page.getByText('Requests are refused until').count()).toBe(0);
});

test('an address that has an account is told so', async () => {
  await using other = await Visitor.open(browser, up);
  const { page } = other;
  await page.goto('/sign-up');
  await page.getByLabel('Your name').fill('Ada Again');
  await page.getByLabel('Email').fill('ada@example.com');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByText('Somebody has signed up with this address').waitFor();
  await page.getByRole('link', { name: 'Sign in as ada@example.com' }).click();
  await page.waitForURL(/\/sign-in$/);
  expect(await page.getByLabel('Email').inputValue()).toBe('ada@example.com');
  // The password is all that is missing, so it has the focus.
  await page.getByLabel('Password', { exact: true }).and(page.locator(':focus')).waitFor();
  await page.keyboard.type(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(/\/org_[0-9a-z]{26}$/);
});

test('the link of the first letter confirms the address, once', async () => {
  await using ada = await Visitor.open(browser, up);
  const { page } = ada;
  // In a browser where they are signed in, because elsewhere the first confirmation of an address
  // ends what was made before it.
  await page.goto('/sign-in');
  await signIn(page, 'ada@example.com', PASSWORD);
  await page.waitForURL(/\/org_[0-9a-z]{26}$/);
  const link = await letterTo(up, 'ada@example.com', '/confirm');
  await page.goto(link);
  await heading(page, 'Email confirmed').waitFor();
  await expectNoTokenKept(page);
  await page.getByRole('button', { name: 'Stay' }).click();
  await ada.look('confirm-done');
  await page.goto('about:blank');
  await page.goto(link);
  await heading(page, 'Email already confirmed').waitFor();
  await page.getByText('This link was used before. You sign in with this email.').waitFor();
  await ada.look('confirm-again');
  await page.goto('about:blank');
  await page.goto(`${link.slice(0, -1)}${link.endsWith('0') ? '1' : '0'}`);
  await heading(page, 'Email not confirmed').waitFor();
  await page.getByRole('link', { name: 'Account' }).waitFor();
  await ada.look('confirm-refused');
  await page.goto('/confirm');
  await page.getByText('Open the link in the email').waitFor();
});

test.each(['key', 'click', 'focus'])(
  'the dashboard does not open by itself after a %s on the page of the confirmation',
  async (sign) => {
    const email = `stays-${sign}@example.com`;
    await using visitor = await Visitor.signedUp(browser, up, {
      name: 'Stay',
      email,
      unconfirmed: true,
    });
    const { page } = visitor;
    const link = await letterTo(up, email, '/confirm');
    await page.clock.install();
    await page.goto(link);
    const announced = page.getByText('The dashboard opens in a moment.');
    await announced.waitFor();
    if (sign === 'key') await page.keyboard.press('Shift');
    if (sign === 'click') await page.mouse.click(5, 5);
    if (sign === 'focus') await page.getByRole('link', { name: 'Continue' }).focus();
    await announced.waitFor({ state: 'detached' });
    await page.clock.fastForward(60_000);
    expect(new URL(page.url()).pathname).toBe('/confirm');
    await page.getByRole('link', { name: 'Continue' }).click();
    await page.waitForURL(/\/org_[0-9a-z]{26}$/);
  },
);

test('a first confirmation where nobody is signed in says that the password was removed', async () => {
  const email = 'faye@example.com';
  await using faye = await Visitor.signedUp(browser, up, {
    name: 'Faye',
    email,
    unconfirmed: true,
  });
  const link = await letterTo(up, email, '/confirm');
  await using elsewhere = await Visitor.open(browser, up);
  const { page } = elsewhere;
  await page.clock.install();
  await page.goto(link);
  await heading(page, 'Email confirmed').waitFor();
  await page.getByText('the password was removed').waitFor();
  await page.getByText('We sent you an email with a link to set a new password.').waitFor();
  expect(await page.getByText('The dashboard opens').count()).toBe(0);
  await page.clock.fastForward(60_000);
  expect(new URL(page.url()).pathname).toBe('/confirm');
  await elsewhere.look('confirm-started-over');
  await page.goto('about:blank');
  await page.goto(link);
  await heading(page, 'Email already confirmed').waitFor();
  await page.getByText('the password was removed').waitFor();
  await page.goto(await letterTo(up, email, '/reset'));
  await page.getByLabel('New password').fill(ANOTHER);
  await page.getByRole('button', { name: 'Set password' }).click();
  await page.getByRole('link', { name: 'Sign in' }).click();
  await signIn(page, email, ANOTHER);
  await page.waitForURL(/\/org_[0-9a-z]{26}$/);
  // Somebody else who is signed in is told whose link it is, and stays where they are.
  await using other = await Visitor.signedUp(browser, up, {
    name: 'Gus',
    email: 'gus@example.com',
  });
  await other.page.goto(link);
  await other.page.getByText(`The link belongs to the account of ${email}.`).waitFor();
  await other.page.getByText('you are signed in as gus@example.com.').waitFor();
  // The browser that signed up has no session any more.
  await faye.page.goto('/account');
  await heading(faye.page, 'Sign in').waitFor();
});

test('an address that is changed is confirmed where nobody is signed in, and leads to sign-in', async () => {
  const next = 'gina-2@example.com';
  await using gina = await Visitor.signedUp(browser, up, {
    name: 'Gina',
    email: 'gina@example.com',
  });
  const headers = { origin: up.origin };
  const data = { email: next, password: PASSWORD };
  const asked = await gina.page.request.post('/api/v1/me/email', { data, headers });
  expect(asked.ok(), await asked.text()).toBe(true);
  await using elsewhere = await Visitor.open(browser, up);
  const { page } = elsewhere;
  await page.goto(await letterTo(up, next, '/confirm'));
  await heading(page, 'Email confirmed').waitFor();
  await page.getByText('You sign in with this email.').waitFor();
  expect(await page.getByText('The dashboard opens').count()).toBe(0);
  expect(await page.getByText('Email confirmed').count()).toBe(1);
  await page.getByRole('link', { name: 'Sign in' }).click();
  await signIn(page, next, PASSWORD);
  await page.waitForURL(/\/org_[0-9a-z]{26}$/);
});

test('somebody signs out and in again, and is where they were going', async () => {
  await using ada = await Visitor.open(browser, up);
  const { page } = ada;
  await page.goto('/account');
  await heading(page, 'Sign in').waitFor();
  await ada.look('sign-in');
  await signIn(page, 'ada@example.com', 'not the password');
  await page.getByRole('alert').getByText('is wrong').waitFor();
  await ada.look('sign-in-refused');
  await signIn(page, 'ada@example.com', PASSWORD);
  await page.waitForURL('**/account');
  await heading(page, 'Account').waitFor();
  await signOut(page);
  await heading(page, 'Sign in').waitFor();
  await signIn(page, 'ada@example.com', PASSWORD);
  await page.waitForURL(/\/org_[0-9a-z]{26}$/);
});

test('a password that was forgotten is set anew by the link of a letter, which works once', async () => {
  await using ada = await Visitor.open(browser, up);
  const { page } = ada;
  await page.goto('/sign-in');
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('name'));
  await expect.poll(focused).toBe('email');
  await page.getByLabel('Email').fill('ada@example.com');
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await heading(page, 'Reset your password').waitFor();
  expect(await page.getByLabel('Email').inputValue()).toBe('ada@example.com');
  expect(page.url()).not.toContain('ada');
  await ada.look('reset-ask');
  await page.getByRole('button', { name: 'Send link' }).click();
  await page.getByText('If an account uses the email').waitFor();
  await ada.look('reset-sent');
  const link = await letterTo(up, 'ada@example.com', '/reset');
  await page.goto(link);
  await heading(page, 'Set a new password').waitFor();
  await page.waitForURL((url) => url.hash === '');
  await expectNoTokenKept(page);
  await ada.look('reset-set');
  await page.getByLabel('New password').fill(ANOTHER);
  await page.getByRole('button', { name: 'Set password' }).click();
  await heading(page, 'Password changed').waitFor();
  await ada.look('reset-done');
  await page.getByRole('link', { name: 'Sign in' }).click();
  await signIn(page, 'ada@example.com', PASSWORD);
  await page.getByRole('alert').getByText('is wrong').waitFor();
  await signIn(page, 'ada@example.com', ANOTHER);
  await page.waitForURL(/\/org_/);
  await page.goto(link);
  await page.getByLabel('New password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Set password' }).click();
  await heading(page, 'This link is no longer valid').waitFor();
  await ada.look('reset-spent');
  await page.getByRole('button', { name: 'Request another link' }).click();
  await page.getByLabel('Email').waitFor();
});

/** Invites as the operator, and returns the link from the answer. */
async function invite(email: string, organization = up.first.organization.id): Promise<string> {
  const path = `/organizations/${organization}/invitations`;
  const { url } = await up.api('POST', path, { email, role: 'developer' });
  return url;
}

test('a new person signs up by an invitation, and is in its organization', async () => {
  const link = await invite('bob@example.com');
  await using bob = await Visitor.open(browser, up);
  const { page } = bob;
  await page.goto(link);
  await heading(page, `Join ${up.first.organization.name}`).waitFor();
  await page
    .getByText('bob@example.com is invited to join as developer. The invitation expires on')
    .waitFor();
  await page.waitForURL((url) => url.hash === '');
  await expectNoTokenKept(page);
  expect(await page.getByLabel('Email').inputValue()).toBe('bob@example.com');
  expect(await page.getByLabel('Email').isEditable()).toBe(false);
  await bob.look('invitation-newcomer');
  await page.getByLabel('Your name').fill('Bob');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign up and join' }).click();
  await page.waitForURL(`**/${up.first.organization.id}`);
  await page.goto(link);
  await heading(page, 'This invitation is no longer valid').waitFor();
  await bob.look('invitation-over');
  await page.goto('/invitation');
  await heading(page, 'Open the link again').waitFor();
});

test('somebody with an account signs in first, comes back to the invitation, and joins', async () => {
  const link = await invite('ada@example.com');
  await using ada = await Visitor.open(browser, up);
  const { page } = ada;
  await page.goto(link);
  await page.getByRole('link', { name: 'Sign in to join' }).click();
  await page.getByText('After you sign in, you return to the invitation').waitFor();
  await expectNoTokenKept(page);
  await signIn(page, 'ada@example.com', ANOTHER);
  await page.getByText('You are signed in as Ada Lovelace').waitFor();
  await ada.look('invitation-signed-in');
  await page.getByRole('button', { name: 'Join' }).click();
  await page.waitForURL(`**/${up.first.organization.id}`);
  await page.getByRole('navigation').getByText(up.first.organization.name).waitFor();
});

test('who is signed in as somebody else may sign out and join as a new person', async () => {
  const link = await invite('carol@example.com');
  const eve = { name: 'Eve', email: 'eve@example.com' };
  await using shared = await Visitor.signedUp(browser, up, eve);
  const { page } = shared;
  await page.goto(link);
  await page.getByText('The invitation was sent to a different email').waitFor();
  await page.getByRole('button', { name: 'Sign out and use another account' }).click();
  await page.getByLabel('Your name').fill('Carol');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign up and join' }).click();
  await page.waitForURL(`**/${up.first.organization.id}`);
  await page.getByRole('navigation').getByText('carol@example.com').waitFor();
});

test('a further organization is opened in the only region that is served, and is gone to', async () => {
  const dan = { name: 'Dan', email: 'dan@example.com', organization: 'First' };
  await using visitor = await Visitor.signedUp(browser, up, dan);
  const { page } = visitor;
  const first = await visitor.organization();
  await page.goto('/new-organization');
  await page
    .getByText('The welcome credit is only for the organization that you signed up with')
    .waitFor();
  await visitor.look('new-organization');
  await page.getByLabel('Name').fill('Second');
  expect(await page.getByText('Region').count()).toBe(0);
  await page.getByRole('button', { name: 'Create organization' }).click();
  await page.getByRole('navigation').getByText('Second').waitFor();
  expect(page.url()).not.toContain(first);
  const id = new URL(page.url()).pathname.slice(1);
  const made = await up.admin<{ region: string }>('organization', 'show', '--organization', id);
  expect(made).toMatchObject({ name: 'Second', region: 'global' });
});

test('an operator opens an organization for a customer, and is led to its page', async () => {
  await using operator = await Visitor.operator(browser, up);
  const { page } = operator;
  await page.goto('/operator/organizations');
  await page.getByRole('link', { name: 'New organization' }).click();
  await page.getByText('As an operator, you create the organization for a customer').waitFor();
  // The pages for operators stay in the navigation.
  await page.waitForURL('**/operator/organizations/new');
  const here = page.getByRole('navigation', { name: 'Main' }).locator('[data-status=active]');
  expect(await here.allTextContents()).toEqual(['Organizations']);
  await page.goto('/new-organization');
  await page.waitForURL('**/operator/organizations/new');
  await page.getByRole('main').getByRole('link', { name: 'Organizations' }).click();
  await page.waitForURL('**/operator/organizations');
  await page.getByRole('link', { name: 'New organization' }).click();
  await page.getByLabel('Name').fill('Customer');
  await page.getByRole('button', { name: 'Create organization' }).click();
  await page.waitForURL(/\/operator\/organizations\/org_[0-9a-z]{26}$/);
  await page.getByRole('heading', { level: 1, name: 'Customer' }).waitFor();
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  expect(await up.credit(id)).toMatchObject({ balance: '5' });

  const steps = page
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: 'Next steps' }) });
  await steps.getByText('It has $5. Adjust the credit to grant more.').waitFor();
  await operator.look('operator-organization-new');
  await steps.getByRole('link', { name: 'Adjust credit' }).click();
  await page.getByRole('button', { name: 'Adjust credit' }).waitFor();
  await page.goBack();
  await steps.getByRole('link', { name: 'Change terms' }).click();
  await page.getByRole('button', { name: 'Change limits' }).waitFor();
  await page.goBack();
  await page.goto(`/${id}/members`);
  await page.getByText('No members yet').waitFor();
  await page.getByText('To invite the first one, allow changes above.').waitFor();
  await page.goto(`/operator/organizations/${id}`);
  await steps.getByRole('button', { name: 'Invite administrator' }).click();
  await dialog(page).getByText('Next, you invite the administrator.').waitFor();
  await operator.look('operator-organization-allow');
  await dialog(page).getByLabel('Reason').fill('A new customer.');
  await dialog(page).getByRole('button', { name: 'Allow changes' }).click();
  await dialog(page)
    .getByRole('radio', { name: /^Administrator/, checked: true })
    .waitFor();
  // A developer could invite nobody, so one alone leaves the step to be done.
  await dialog(page)
    .getByRole('radio', { name: /^Developer/ })
    .check();
  await dialog(page).getByLabel('Email').fill('second@customer.example');
  await dialog(page).getByRole('button', { name: 'Send invitation' }).click();
  await dialog(page).getByRole('button', { name: 'Done' }).click();
  await page.getByText('Changes are allowed until').waitFor();
  await steps.getByRole('button', { name: 'Invite administrator' }).waitFor();
  await steps.getByRole('button', { name: 'Invite administrator' }).click();
  await dialog(page).getByLabel('Email').fill('third@customer.example');
  await dialog(page).getByRole('button', { name: 'Send invitation' }).click();
  // The link is shown only here, although an administrator is invited now.
  await page.getByText('An administrator is invited, and has not accepted yet.').waitFor();
  await dialog(page).getByText('third@customer.example').waitFor();
  await dialog(page).getByRole('button', { name: 'Done' }).click();
  const invitations = `/organizations/${id}/invitations`;
  const { data } = await up.api('GET', invitations);
  const third = data.find(({ email }: { email: string }) => email === 'third@customer.example');
  await up.api('DELETE', `${invitations}/${third.id}`);
  // Until it is known whether anybody administers it, no role is shown, and none is sent.
  const held = Promise.withResolvers<void>();
  await page.route('**/invitations?**', async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.goto(`/operator/organizations/${id}?view=access`);
  await page.getByRole('button', { name: 'Invite member' }).click();
  await dialog(page).getByLabel('Email').fill('first@customer.example');
  expect(await dialog(page).getByRole('radio').count()).toBe(0);
  const sends = dialog(page).getByRole('button', { name: 'Send invitation' });
  expect(await sends.isDisabled()).toBe(true);
  held.resolve();
  await dialog(page)
    .getByRole('radio', { name: /^Administrator/, checked: true })
    .waitFor();
  await page.unrouteAll();
  await sends.click();
  await dialog(page).getByRole('button', { name: 'Done' }).click();
  await page.getByRole('row', { name: /second@customer.example Developer An operator/ }).waitFor();
  await page
    .getByRole('row', { name: /first@customer.example Administrator An operator/ })
    .waitFor();
  await page.getByRole('button', { name: 'Invite member' }).click();
  expect(
    await dialog(page)
      .getByRole('radio', { name: /^Developer/ })
      .isChecked(),
  ).toBe(true);
  await dialog(page).getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('link', { name: 'Overview', exact: true }).click();
  await steps.getByText('An administrator is invited, and has not accepted yet.').waitFor();
});

test('where sign-up is by invitation alone, who tries is told what to do', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'penstock-closed-'));
  try {
    const settings = join(folder, 'router.yaml');
    await writeFile(settings, 'control:\n  signUp: invited\n');
    await using closed = await Up.start(['--settings', settings]);
    await using mallory = await Visitor.open(browser, closed);
    const { page } = mallory;
    await page.goto('/');
    await page.getByText('Accounts are by invitation.').waitFor();
    expect(await page.getByRole('link', { name: 'Create account' }).count()).toBe(0);
    await mallory.look('landing-closed');
    await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click();
    await heading(page, 'Sign in').waitFor();
    expect(await page.getByRole('link', { name: 'Create one' }).count()).toBe(0);
    await page.goto('/sign-up');
    await heading(page, 'Sign-up is by invitation only').waitFor();
    await mallory.look('sign-up-closed');
  } finally {
    await rm(folder, { recursive: true });
  }
});
