/** Receipts: numbered, immutable, as data and as a page to print. */
import { expect, test } from 'vitest';
import { CARDS, payAt } from './payments-rig.ts';
import { signIn } from './people.ts';
import { pay, sharePayments } from './shared-payments-rig.ts';

sharePayments();

async function paid(organization: string): Promise<string> {
  const path = `/api/v1/organizations/${organization}/payments`;
  const begun = await pay.rig.ask('POST', path, { amount: '20' });
  await payAt(begun.body.checkout_url, CARDS.good);
  return `${path}/${begun.body.payment.id}`;
}

test('each payment has a receipt, and their numbers follow one another', async () => {
  const organization = await pay.customer();
  const [first, second] = [await paid(organization), await paid(organization)];
  const receipt = await pay.rig.ask('GET', `${second}/receipt`);
  expect(receipt.status).toBe(200);
  expect(receipt.body).toMatchObject({
    number: 'REC-000002',
    organization: { id: organization, name: 'Customer' },
    currency: 'USD',
    amount: '20',
    refunded: '0',
    provider: 'sandbox',
  });
  expect((await pay.rig.ask('GET', `${first}/receipt`)).body.number).toBe('REC-000001');
  const elsewhere = await paid(await pay.customer());
  expect((await pay.rig.ask('GET', `${elsewhere}/receipt`)).body.number).toBe('REC-000003');
});

test('what was not paid has no receipt, and what was paid back says so', async () => {
  const organization = await pay.customer();
  const path = `/api/v1/organizations/${organization}/payments`;
  const begun = await pay.rig.ask('POST', path, { amount: '20' });
  const open = `${path}/${begun.body.payment.id}/receipt`;
  expect((await pay.rig.ask('GET', open)).status).toBe(404);
  const done = await paid(organization);
  await pay.rig.ask('POST', `${done}/refund`, { amount: '4.99', reason: 'a fault' });
  const receipt = await pay.rig.ask('GET', `${done}/receipt`);
  expect(receipt.body).toMatchObject({
    amount: '20',
    refunded: '4.99',
    refund_pending: '4.99',
    number: 'REC-000004',
  });
  const page = await fetch(`${pay.rig.origin}${done}/receipt.html`, {
    headers: { authorization: `Bearer ${pay.rig.first.operator.token}` },
  });
  expect(await page.text()).toContain('Paid after refunds, including pending ones');
  await pay.work();
  expect((await pay.rig.ask('GET', `${done}/receipt`)).body).toMatchObject({
    refunded: '4.99',
    refund_pending: '0',
  });
});

test('a browser gets a page to print, in which a name is text and nothing else', async () => {
  const organization = await pay.customer();
  const name = `<img src=x onerror="alert(1)">&'`;
  await pay.rig.place.sql(
    `update organizations set name = '${name.replaceAll("'", "''")}' where id = '${organization}'`,
  );
  const path = await paid(organization);
  const viewer = await signIn(pay.rig, { role: 'viewer', organization });
  const cookie = { cookie: `penstock-session=${viewer.token}` };
  for (const [url, accept] of [
    [`${path}/receipt`, 'text/html,application/xhtml+xml;q=0.9'],
    [`${path}/receipt.html`, '*/*'],
  ] as const) {
    const page = await fetch(pay.rig.origin + url, { headers: { ...cookie, accept } });
    expect(page.status).toBe(200);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(page.headers.get('content-security-policy')).toContain("form-action 'none'");
    const text = await page.text();
    expect(text).toContain('Receipt REC-000005');
    expect(text).toContain('$20.00');
    expect(text).toMatch(/\$20\.00 paid on \w{3} \d{1,2}, \d{4}/);
    // The seller of this installation has set nothing about taxes.
    expect(text).not.toContain('Tax');
    expect(text).toContain('All amounts in USD');
    expect(text).toContain('Visa •••• 4242');
    expect(text).toMatch(/\w{3} \d{1,2}, \d{4} \(UTC\)/);
    expect(text).toContain('Penstock');
    expect(text).toContain('&lt;img src=x onerror=&quot;alert(1)&quot;&gt;&amp;&#39;');
    expect(text).not.toContain('<img');
  }
  const script = await fetch(`${pay.rig.origin}${path}/receipt`, {
    headers: { ...cookie, accept: 'application/json, text/html' },
  });
  expect(script.headers.get('content-type')).toContain('application/json');
});

test('a receipt is shown to its organization alone', async () => {
  const path = await paid(await pay.customer());
  const stranger = await signIn(pay.rig, { role: 'org-admin' });
  expect((await stranger.ask('GET', `${path}/receipt`)).status).toBe(404);
  const nobody = await fetch(`${pay.rig.origin}${path}/receipt.html`);
  expect(nobody.status).toBe(401);
});
