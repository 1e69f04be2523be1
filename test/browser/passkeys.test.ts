/** Passkeys with an authenticator of Chromium: adding, signing in, renaming and removing. */
import type { CDPSession } from 'playwright-core';
import { expect, test } from 'vitest';
import type { PasskeyCreation } from '../../shared/api/passkeys.ts';
import { PASSKEYS_MAX } from '../../shared/bounds/passkeys.ts';
import { MINUTE_MS } from '../../shared/durations.ts';
import { Authenticator } from '../support/authenticator.ts';
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
  await using signedUp = await Visitor.signedUp(browser, up, { name, email });
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

/** Adds a passkey of an authenticator in software, through the API at the address of the page. */
async function addThroughApi({ page }: Visitor, name: string): Promise<void> {
  const { origin } = new URL(page.url());
  const post = async (path: string, data: object) => {
    const answer = await page.request.post(`${origin}/api/v1/me/passkeys${path}`, {
      data,
      headers: { origin },
    });
    expect(answer.ok(), await answer.text()).toBe(true);
    return (await answer.json()) as unknown;
  };
  const options = (await post('/challenge', { password: PASSWORD })) as PasskeyCreation;
  await post('', { name, credential: new Authenticator(named('')).create(options) });
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

test('a person whose authenticator gives no passkey is told so, and signs in with the password', async () => {
  await using bob = await atAccount('Bob');
  const { page } = bob;
  const { cdp, id: authenticatorId } = await authenticator(bob);
  await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
  await addPasskey(bob, 'Phone');
  await page.getByRole('dialog').getByText('No passkey was added. It was canceled').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await signOut(page);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.getByRole('alert').getByText('No passkey was used').waitFor();
  await signIn(page, 'bob@example.com', PASSWORD);
  await page.waitForURL(/\/org_/);
});

test('at an address that has no passkeys, none is offered, and the account says where they are', async () => {
  await using eve = await Visitor.signedUp(browser, up, { name: 'Eve', email: 'eve@example.com' });
  const { page } = eve;
  await page.goto('/account');
  await page.getByText(`Passkeys work only at ${named('')}`).waitFor();
  expect(await page.getByRole('button', { name: 'Add passkey' }).count()).toBe(0);
  await addThroughApi(eve, 'Phone');
  await page.reload();
  await page.getByText('Phone', { exact: true }).waitFor();
  await page.getByText(`Passkeys work only at ${named('')}`).waitFor();
  await eve.look('passkeys-elsewhere');
  await signOut(page);
  await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
  expect(await page.getByRole('button', { name: 'Sign in with a passkey' }).count()).toBe(0);
});

test('an account whose address is not confirmed adds none, and says so', async () => {
  const person = { name: 'Sam', email: 'sam@example.com', unconfirmed: true };
  await using sam = await Visitor.signedUp(browser, up, person);
  const { page } = sam;
  await page.goto('/account');
  await page.getByText('Confirm your email address to add one.').waitFor();
  expect(await page.getByRole('button', { name: 'Add passkey' }).count()).toBe(0);
});

test('the account of a person who cannot have more passkeys says so in place of the button', async () => {
  await using max = await atAccount('Max');
  const { page } = max;
  await page.getByRole('button', { name: 'Add passkey' }).waitFor();
  for (let n = 0; n < PASSKEYS_MAX; n++) await addThroughApi(max, `Key ${n}`);
  await page.reload();
  await page.getByText(`You have ${PASSKEYS_MAX} passkeys, and cannot have more.`).waitFor();
  expect(await page.getByRole('button', { name: 'Add passkey' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Remove passkey: Key 7' }).click();
  await page.getByRole('button', { name: 'Remove passkey', exact: true }).click();
  await page.getByRole('button', { name: 'Add passkey' }).waitFor();
});

test('the passkeys that the browser offers are asked for again before the challenge expires', async () => {
  await using lea = await Visitor.open(browser, up);
  const { page } = lea;
  // No authenticator: Chromium's for tests refuses at once when it has no passkey to offer.
  await page.addInitScript(() => {
    const { credentials } = navigator;
    const get = credentials.get.bind(credentials);
    let times = 0;
    credentials.get = (options) => {
      document.documentElement.dataset['asked'] = String(++times);
      return get(options);
    };
  });
  await page.clock.install();
  await page.goto(named('/sign-in'));
  const asked = (times: number) => page.locator(`html[data-asked="${times}"]`).waitFor();
  await asked(1);
  await page.clock.fastForward(5 * MINUTE_MS - 1);
  await asked(2);
});
