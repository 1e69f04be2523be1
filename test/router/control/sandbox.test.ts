/** The sandbox's checkout, as a browser and as an attacker sees it. */
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { CARDS, formOf, payAt, readPage, submitForm } from './payments-rig.ts';
import { pay, sharePayments } from './shared-payments-rig.ts';

sharePayments();

/** Starts a customer's checkout of USD 20, and returns its URL. */
async function begin(keep_method = false): Promise<{ organization: string; url: string }> {
  const organization = await pay.customer();
  const path = `/api/v1/organizations/${organization}/payments`;
  const begun = await pay.rig.ask('POST', path, { amount: '20', keep_method });
  return { organization, url: begun.body.checkout_url };
}

test('the page says that it is a test, shows the amount, and runs no script', async () => {
  const { url } = await begin();
  const page = await readPage(await fetch(url));
  expect(page.status).toBe(200);
  expect(page.text).toContain('This is a test. No money moves.');
  expect(page.text).toContain('Pay $20.00');
  expect(page.text).not.toContain('<script');
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  const policy = page.headers.get('content-security-policy') ?? '';
  expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/=]+';/);
  // Hashed as a browser does it. With another hash, the page would be shown without its style.
  const style = /<style>([^<]*)<\/style>/.exec(page.text)?.[1] ?? '';
  const hash = createHash('sha256').update(style).digest('base64');
  expect(policy).toContain(`style-src 'sha256-${hash}'`);
  expect(policy).toContain("form-action 'self'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(page.headers.get('cache-control')).toBe('no-store');
});

test('a card that is declined says so, pays nothing, and another may be tried', async () => {
  const { organization, url } = await begin();
  const declined = await payAt(url, CARDS.declined);
  expect(declined.text).toContain('Your card was declined.');
  expect(declined.text).toContain(`value="${CARDS.declined}"`);
  expect(await pay.balance(organization)).toBe('5');
  expect((await payAt(url, CARDS.good)).status).toBe(303);
  expect(await pay.balance(organization)).toBe('25');
});

test('a card that asks is confirmed on a second page, or not', async () => {
  const { organization, url } = await begin();
  const asked = await payAt(url, CARDS.asks);
  expect(asked.text).toContain('asks you to confirm');
  expect(await pay.balance(organization)).toBe('5');
  // An open confirmation is still there when the page is opened again.
  expect((await readPage(await fetch(url))).text).toContain('asks you to confirm');
  const form = formOf(asked);
  const failed = await submitForm(`${url}/confirm`, { form, answer: 'fail' });
  expect(failed.text).toContain('The payment was not confirmed.');
  expect(await pay.balance(organization)).toBe('5');
  const unasked = await submitForm(`${url}/confirm`, { form, answer: 'confirm' });
  expect(unasked.text).toContain('has no card of this number');
  await payAt(url, CARDS.asks);
  const paid = await submitForm(`${url}/confirm`, { form, answer: 'confirm' });
  expect(paid.status).toBe(303);
  expect(await pay.balance(organization)).toBe('25');
});

test('a number that is none of the cards is told apart', async () => {
  const { url } = await begin();
  for (const card of ['4111 1111 1111 1111', '', 'constructor']) {
    expect((await payAt(url, card)).text).toContain('has no card of this number');
  }
});

test('a checkout is paid once, however often its form is sent', async () => {
  const { organization, url } = await begin();
  const form = formOf(await readPage(await fetch(url)));
  const sent = await Promise.all(
    Array.from({ length: 10 }, () => submitForm(url, { form, card: CARDS.good })),
  );
  expect(sent.filter(({ status }) => status === 303)).toHaveLength(1);
  expect(await pay.balance(organization)).toBe('25');
  expect((await readPage(await fetch(url))).text).toContain('This checkout is complete');
});

test('a form of another page, or from another origin, pays nothing', async () => {
  const { organization, url } = await begin();
  const other = await begin();
  const form = formOf(await readPage(await fetch(url)));
  const stolen = formOf(await readPage(await fetch(other.url)));
  const card = CARDS.good;
  expect((await submitForm(url, { form: stolen, card })).status).toBe(403);
  expect((await submitForm(url, { form: '', card })).status).toBe(403);
  expect((await submitForm(url, { form, card }, { origin: 'https://evil.example' })).status).toBe(
    403,
  );
  expect((await submitForm(url, { form, card, amount: '1' })).status).toBe(400);
  expect(await pay.balance(organization)).toBe('5');
});

test('a checkout cannot be guessed, and its address is not in the store', async () => {
  const { url } = await begin();
  const token = new URL(url).pathname.split('/').at(-1) as string;
  expect(token).toMatch(/^[0-9a-f]{40}$/);
  expect(await pay.rig.bytes()).not.toContain(token);
  const other = url.replace(token, '0'.repeat(40));
  expect((await fetch(other)).status).toBe(404);
  expect((await fetch(url.replace(token, 'x'))).status).toBe(404);
});

test('it goes back to the dashboard, and nowhere else', async () => {
  const { url } = await begin();
  const page = await readPage(await fetch(`${url}?success_url=https://evil.example`));
  const links = [...page.text.matchAll(/href="([^"]+)"/g)].map(([, href]) => href);
  expect(links).toEqual([
    '/favicon.svg',
    expect.stringMatching(
      new RegExp(`^${pay.rig.origin}/org_\\w+/billing\\?payment=pay_\\w+&amp;checkout=left$`),
    ),
  ]);
  expect((await payAt(url, CARDS.good)).location).toMatch(
    new RegExp(`^${pay.rig.origin}/org_\\w+/billing\\?`),
  );
});

test('a form that is larger than a form, or no form, is refused', async () => {
  const { url } = await begin();
  expect((await submitForm(url, { form: 'x'.repeat(5_000), card: '' })).status).toBe(400);
  const json = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"form":"","card":""}',
  });
  expect(json.status).toBe(403);
});

test('a top-up keeps the card where that was asked for', async () => {
  const { organization, url } = await begin(true);
  await payAt(url, CARDS.good);
  const path = `/api/v1/organizations/${organization}/recharge`;
  const { body } = await pay.rig.ask('GET', path);
  expect(body).toMatchObject({ state: 'off', method: { label: 'Visa •••• 4242 (test)' } });
});

test('a card may be kept without a payment', async () => {
  const organization = await pay.customer();
  const begun = await pay.rig.ask('POST', `/api/v1/organizations/${organization}/payment-method`);
  expect(begun.body.payment).toMatchObject({ purpose: 'setup', amount: null });
  const page = await payAt(begun.body.checkout_url, CARDS.good);
  expect(page.status).toBe(303);
  expect(await pay.balance(organization)).toBe('5');
  const path = `/api/v1/organizations/${organization}/payments/${begun.body.payment.id}`;
  const { body } = await pay.rig.ask('GET', path);
  expect(body).toMatchObject({ state: 'succeeded', paid: null, receipt: null });
});

test('a checkout that only keeps a card speaks of the card, not of a payment', async () => {
  const organization = await pay.customer();
  const begun = await pay.rig.ask('POST', `/api/v1/organizations/${organization}/payment-method`);
  const url = begun.body.checkout_url;
  const form = formOf(await payAt(url, CARDS.asks));
  const failed = await submitForm(`${url}/confirm`, { form, answer: 'fail' });
  expect(failed.text).toContain('The card was not confirmed.');
  await pay.rig.place.sql(
    `update sandbox_checkouts set expires = 1 where payment = '${begun.body.payment.id}'`,
  );
  const expired = (await readPage(await fetch(url))).text;
  expect(expired).toContain('This checkout has expired');
  expect(expired).toContain('No card was saved. You can save one on the billing page.');
  expect(expired).not.toContain('top-up');
});
