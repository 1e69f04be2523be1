/** Passkeys with an authenticator of Chromium: adding, signing in, renaming and removing. */
import type { CDPSession } from 'playwright-core';
import { expect, test } from 'vitest';
import { up } from '../support/shared-up.ts';
import { browser } from './shared-browser.ts';
import { signIn, signOut } from './signing.ts';
import { Visitor } from './visitor.ts';

const PASSWORD = 'three blue herons at dawn';

/** Opens a page of the dashboard by its host name: browsers have no passkeys for an IP address. */
function named(path: string): string {
  return up.origin.replace('127.0.0.1', 'localhost') + path;
}

/** Gives the visitor's browser an authenticator that recognizes its user. */
async function authenticator({
  page,
}: Visitor): Promise<Readonly<{ cdp: CDPSession; id: string }>> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const { authenticatorId: id } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { cdp, id };
}

async function atAccount(name: string): Promise<Visitor> {
  const email = `${name.toLowerCase()}@example.com`;
  await using signedUp = await Visitor.signedUp(browser, up, { name, email, unconfirmed: true });
  expect(await signedUp.organization()).not.toBe('');
  const visitor = await Visitor.open(browser, up);
  await visitor.page.goto(named('/sign-in?next=/account'));
  await signIn(visitor.page, email, PASSWORD);
  await visitor.page.getByRole('heading', { level: 1, name: 'Account' }).waitFor();
  return visitor;
}

/**
 * Makes this a browser that offers no passkeys where the email is typed. Chromium's authenticator for
 * tests chooses what is offered at once, before the button can be pressed.
 */
async function withoutAutofill({ page }: Visitor): Promise<void> {
  await page.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = async () => false;
  });
  await page.reload();
}

async function addPasskey({ page }: Visitor, name: string, password = PASSWORD): Promise<void> {
  await page.getByRole('button', { name: 'Add passkey' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByLabel('Password', { exact: true }).fill(password);
  await dialog.getByRole('button', { name: 'Continue' }).click();
}

test('a passkey is added, signs in without the password, and does not once it is removed', async () => {
  await using ada = await atAccount('Ada');
  const { page } = ada;
  const { cdp, id } = await authenticator(ada);
  await withoutAutofill(ada);
  await page.getByText('No passkeys').waitFor();
  await ada.look('passkeys-none');
  await addPasskey(ada, 'Laptop', 'not the password');
  await page.getByText('The password is wrong').waitFor();
  await ada.look('passkeys-add');
  await page.getByRole('dialog').getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('Passkey added', { exact: true }).waitFor();
  await page.getByText('Not used yet').waitFor();
  const { credentials } = await cdp.send('WebAuthn.getCredentials', { authenticatorId: id });
  expect(credentials).toMatchObject([{ isResidentCredential: true, rpId: 'localhost' }]);

  await signOut(page);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.waitForURL(/\/org_/);
  await page.goto(named('/account'));
  await page.getByText('Last used').first().waitFor();
  await page.getByRole('button', { name: 'Rename passkey: Laptop' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Old laptop');
  await page.getByRole('button', { name: 'Rename', exact: true }).click();
  await page.getByText('Old laptop', { exact: true }).waitFor();
  await ada.look('passkeys');

  // An authenticator adds no second passkey of the same account.
  await addPasskey(ada, 'Again');
  await page.getByText('This device already has a passkey of your account.').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();

  await page.getByRole('button', { name: 'Remove passkey: Old laptop' }).click();
  await ada.look('passkeys-remove');
  await page.getByRole('button', { name: 'Remove passkey', exact: true }).click();
  await page.getByText('No passkeys').waitFor();
  await signOut(page);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.getByRole('alert').getByText('The passkey is not known here').waitFor();
  await ada.look('passkeys-refused');
});

test('the browser offers the passkey where the email is typed', async () => {
  await using cleo = await atAccount('Cleo');
  const { page } = cleo;
  await authenticator(cleo);
  await addPasskey(cleo, 'Phone');
  await page.getByText('Passkey added', { exact: true }).waitFor();
  await signOut(page);
  await page.waitForURL(/\/org_/);
});

test('a person whose authenticator has no passkey is told so, and signs in with the password', async () => {
  await using bob = await atAccount('Bob');
  const { page } = bob;
  await authenticator(bob);
  await signOut(page);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.getByRole('alert').getByText('No passkey was used').waitFor();
  await signIn(page, 'bob@example.com', PASSWORD);
  await page.waitForURL(/\/org_/);
});

test('at an address that has no passkeys, none is offered, and the account says where they are', async () => {
  await using eve = await Visitor.signedUp(browser, up, {
    name: 'Eve',
    email: 'eve@example.com',
    unconfirmed: true,
  });
  const { page } = eve;
  await page.goto('/account');
  await page.getByText(`Passkeys work only at ${named('')}`).waitFor();
  expect(await page.getByRole('button', { name: 'Add passkey' }).count()).toBe(0);
  await signOut(page);
  await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
  expect(await page.getByRole('button', { name: 'Sign in with a passkey' }).count()).toBe(0);
});
