/** Where people find the operator, the terms and the privacy policy that are configured. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Up } from '../support/up.ts';
import { browser } from './shared-browser.ts';
import { signIn, signOut } from './signing.ts';
import { Visitor } from './visitor.ts';

const LONG = { timeout: 240_000 };
const CONTACT = 'mailto:support@example.com';
const PASSWORD = 'three blue herons at dawn';

let folder: string;
let up: Up;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'penstock-operator-'));
  const settings = join(folder, 'router.yaml');
  await writeFile(
    settings,
    `operator:
  contact: support@example.com
  terms: https://example.com/terms?a=1&b="2
  privacy: https://example.com/privacy
`,
  );
  up = await Up.start(['--settings', settings]);
}, 120_000);

afterAll(async () => {
  await up[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

test('the first page, sign-up and the account menu lead to the operator', LONG, async () => {
  await using visitor = await Visitor.open(browser, up);
  const { page } = visitor;
  await page.goto('/');
  const links = page.getByRole('navigation', { name: 'Company' }).getByRole('link');
  await links.first().waitFor();
  expect(
    await links.evaluateAll((found) =>
      found.map((link) => [link.textContent, link.getAttribute('href')]),
    ),
  ).toEqual([
    ['Contact', CONTACT],
    ['Terms of service', 'https://example.com/terms?a=1&b="2'],
    ['Privacy policy', 'https://example.com/privacy'],
  ]);
  await visitor.look('landing-operator');
  await page.goto('/sign-up');
  await page
    .getByText('By signing up you agree to the terms of service and the privacy policy.')
    .waitFor();
  await visitor.look('sign-up-terms');
  await using ada = await Visitor.signedUp(browser, up, {
    name: 'Ada',
    email: 'ada@example.com',
    organization: 'Engines',
  });
  await ada.page.goto(`/${await ada.organization()}`);
  await ada.page.getByRole('button', { name: 'Account menu' }).click();
  const support = ada.page.getByRole('menuitem', { name: 'Contact support' });
  expect(await support.getAttribute('href')).toBe(CONTACT);
  await ada.look('account-menu', { on: 'desktop' });
  // On a phone, the menu belongs to the navigation, which is opened first.
  await ada.page.keyboard.press('Escape');
  await ada.page.setViewportSize({ width: 390, height: 844 });
  await ada.page.getByRole('button', { name: 'Open navigation' }).click();
  await ada.page.getByRole('button', { name: 'Account menu' }).click();
  await support.waitFor();
  await ada.look('account-menu', { on: 'phone' });
  await ada.page.goto(`/${await ada.organization()}/settings`);
  const limits = ada.page.getByRole('link', { name: 'contact support' });
  expect(await limits.getAttribute('href')).toBe(CONTACT);
});

test('the checkout and the receipt have the contact of the operator', LONG, async () => {
  await using bea = await Visitor.signedUp(browser, up, {
    name: 'Bea',
    email: 'bea@example.com',
    organization: 'Looms',
  });
  const { page } = bea;
  const id = await bea.organization();
  const path = `/organizations/${id}/payments`;
  const begun = await page.request.post(`/api/v1${path}`, {
    data: { amount: '20' },
    headers: { origin: up.origin, 'idempotency-key': 'looms-1' },
  });
  const { payment, checkout_url: checkout } = await begun.json();
  await page.goto(checkout);
  const support = page.getByRole('link', { name: 'Contact support' });
  expect(await support.getAttribute('href')).toBe(CONTACT);
  await bea.look('checkout-contact');
  await page.getByRole('button', { name: 'Pay $20.00' }).click();
  await page.waitForURL(`**/${id}/billing**`);
  await page.goto(`/api/v1${path}/${payment.id}/receipt.html`);
  const contact = page.getByRole('link', { name: 'support@example.com' });
  expect(await contact.getAttribute('href')).toBe(CONTACT);
  await bea.look('receipt-contact');
});

test('a suspended organization and a locked person are led to the operator', LONG, async () => {
  await using cy = await Visitor.signedUp(browser, up, {
    name: 'Cy',
    email: 'cy@example.com',
    organization: 'Mills',
  });
  const { page } = cy;
  const id = await cy.organization();
  await up.api('PATCH', `/organizations/${id}/terms`, { status: 'suspended' });
  await page.goto(`/${id}/keys`);
  const operator = page.getByRole('link', { name: 'Contact support' });
  expect(await operator.getAttribute('href')).toBe(CONTACT);
  await cy.look('suspended-contact');
  const me = await (await page.request.get('/api/v1/me')).json();
  await signOut(page);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await up.api('POST', `/people/${me.id}/lock`);
  await page.goto('/sign-in');
  await signIn(page, 'cy@example.com', PASSWORD);
  await page.getByRole('alert').getByText('This account is locked').waitFor();
  const support = page.getByRole('link', { name: 'Contact support' });
  expect(await support.getAttribute('href')).toBe(CONTACT);
  await cy.look('locked-contact');
});
