/** Receipts: numbers without gaps in a series, parties that are frozen, and the PDF. */
import { expect, test } from 'vitest';
import { DRAWINGS_MAX } from '../../../router/control/documents/drawings.ts';
import { findEventSubject } from '../../../router/control/payments/events.ts';
import { ingestEvent } from '../../../router/control/payments/ingest-event.ts';
import { openPayment } from '../../../router/control/payments/procedures.ts';
import { mintId, type OrganizationId, type PaymentId } from '../../../shared/ids.ts';
import { PICO_PER_USD, picoUsd } from '../../../shared/money.ts';
import { systemRandom } from '../../../shared/random.ts';
import { readPdf } from '../../support/read-pdf.ts';
import { SELLER } from '../../support/seller.ts';
import { applyAndFail } from '../ledger/registry.ts';
import { log } from './rig.ts';
import { pay, sharePayments } from './shared-payments-rig.ts';

sharePayments();

const AMOUNT = picoUsd(20n * PICO_PER_USD);

async function begun(organization: string): Promise<PaymentId> {
  const id = mintId('payment', pay.clock, systemRandom);
  await pay.rig.store.call(openPayment, {
    id,
    organization: organization as OrganizationId,
    provider: 'sandbox',
    purpose: 'top-up',
    amount: AMOUNT,
    keepMethod: false,
    charged: null,
    person: null,
    idempotencyKey: null,
    created: pay.clock.now(),
  });
  return id;
}

function paidEvent(payment: PaymentId) {
  const about = { payment, reference: `ch_${payment}`, customer: null, method: null };
  return { kind: 'paid', event: `paid ${payment}`, amount: AMOUNT, ...about } as const;
}

async function settle(payment: PaymentId, seller: typeof SELLER | null = SELLER): Promise<void> {
  const parts = { store: pay.rig.store, clock: pay.clock, log, seller };
  const { outcome } = await ingestEvent(parts, 'sandbox', paidEvent(payment));
  expect(outcome).toBe('applied');
}

const pathOf = (organization: string, payment: PaymentId) =>
  `/api/v1/organizations/${organization}/payments/${payment}/receipt`;

async function receiptOf(organization: string, payment: PaymentId) {
  return (await pay.rig.ask('GET', pathOf(organization, payment))).body;
}

async function pdfOf(path: string): Promise<{ headers: Headers; pages: string[] }> {
  const authorization = `Bearer ${pay.rig.first.operator.token}`;
  const response = await fetch(pay.rig.origin + path, { headers: { authorization } });
  expect(response.status).toBe(200);
  const pages = await readPdf(await response.bytes());
  return { headers: response.headers, pages };
}

test('numbers have no gaps, however many are issued at once and whichever fail', async () => {
  const customers = await Promise.all(Array.from({ length: 4 }, () => pay.customer()));
  const payments = await Promise.all(
    Array.from({ length: 16 }, async (_, n) => {
      const organization = customers[n % 4] as string;
      return { organization, payment: await begun(organization) };
    }),
  );
  const fail = async (payment: PaymentId) => {
    const received = { provider: 'sandbox', event: paidEvent(payment) };
    const subject = await pay.rig.store.call(findEventSubject, received);
    if (!subject) throw new Error('there is no such payment');
    const attributed = { ...received, subject, seller: SELLER, now: pay.clock.now() };
    await expect(pay.rig.store.call(applyAndFail, attributed)).rejects.toThrow();
  };
  await Promise.all(
    payments.map(async ({ payment }, n) => {
      if (n % 3 === 0) await fail(payment);
      await settle(payment);
    }),
  );
  const receipts = await Promise.all(
    payments.map(({ organization, payment }) => receiptOf(organization, payment)),
  );
  expect(new Set(receipts.map(({ number }) => number))).toEqual(
    new Set(Array.from({ length: 16 }, (_, n) => `SLUICE-${String(n + 1).padStart(6, '0')}`)),
  );
  const [first] = customers as [string];
  const other = await begun(first);
  await settle(other, { ...SELLER, series: 'OTHER' });
  expect((await receiptOf(first, other)).number).toBe('OTHER-000001');
});

test('a receipt keeps the seller and the buyer as they were when it was issued', async () => {
  const organization = await pay.customer();
  const path = `/api/v1/organizations/${organization}/billing-details`;
  expect((await pay.rig.ask('GET', path)).body).toEqual({ name: '', address: '', tax_id: '' });
  const details = { name: 'Customer GmbH', address: 'Am Wehr 2\n20095 Hamburg', tax_id: 'DE1' };
  const wanted = { ...details, address: ' Am Wehr 2 \r\n20095 Hamburg\n' };
  expect(await pay.rig.ask('PUT', path, wanted)).toMatchObject({ status: 200, body: details });
  const payment = await begun(organization);
  await settle(payment);
  const { series: _, payment_instructions: __, ...seller } = SELLER;
  const issued = await receiptOf(organization, payment);
  expect(issued).toMatchObject({ seller, buyer: details });

  await pay.rig.ask('PUT', path, { name: 'Somebody else' });
  expect(await receiptOf(organization, payment)).toEqual(issued);
  const audit = `/api/v1/organizations/${organization}/audit?action=billing-details`;
  const { data: entries } = (await pay.rig.ask('GET', audit)).body;
  const entry = entries.find(
    ({ details: { name } }: { details: { name: string } }) => name === 'Somebody else',
  );
  expect(entry).toMatchObject({
    action: 'billing-details.set',
    before: { name: 'Customer GmbH', address: 'Am Wehr 2, 20095 Hamburg', tax_id: 'DE1' },
    details: { name: 'Somebody else', address: null, tax_id: null },
  });

  // Without details the buyer is the organization, as it was called then.
  await pay.rig.ask('PUT', path, {});
  const second = await begun(organization);
  await settle(second, null);
  expect(await receiptOf(organization, second)).toMatchObject({
    number: expect.stringMatching(/^REC-/),
    seller: null,
    buyer: { name: 'Customer', address: '', tax_id: '' },
  });

  await pay.spend(organization, '45');
  const { status } = await pay.rig.ask('DELETE', `/api/v1/organizations/${organization}`, {
    name: 'Customer',
  });
  expect(status).toBeLessThan(300);
  expect(
    await pay.rig.place.sql(`SELECT * FROM billing_details WHERE organization = '${organization}'`),
  ).toEqual([]);
  expect(await receiptOf(organization, payment)).toMatchObject({ seller, buyer: details });
});

test('while PDFs of an organization are drawn, another one is refused, and the receipt is not', async () => {
  const [organization, other] = [await pay.customer(), await pay.customer()];
  const [payment, others] = [await begun(organization), await begun(other)];
  await settle(payment);
  await settle(others);
  const path = `${pathOf(organization, payment)}.pdf`;
  {
    using drawings = new DisposableStack();
    for (let n = 0; n < DRAWINGS_MAX.organization; n++) {
      const drawing = pay.rig.drawings.limit.enter(organization as OrganizationId);
      expect(drawing).not.toBeNull();
      drawings.use(drawing);
    }
    const refused = await pay.rig.ask('GET', path);
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('2');
    expect(refused.body.error).toMatchObject({
      code: 'rate_limited',
      message:
        'Too many PDFs of this organization are being drawn: request this one when you have them.',
    });
    expect(await receiptOf(organization, payment)).toMatchObject({ payment });
    expect((await pdfOf(`${pathOf(other, others)}.pdf`)).pages).toHaveLength(1);
  }
  expect((await pdfOf(path)).pages).toHaveLength(1);
});

test.each([
  ['name', 'x'.repeat(201)],
  ['name', 'two\nlines'],
  ['address', '1\n2\n3\n4\n5\n6\n7'],
  ['address', `${'x'.repeat(101)}\nTown`],
  ['address', 'Town\u202e'],
  ['tax_id', 'x'.repeat(51)],
])('billing details with a %s of %j are refused', async (field, value) => {
  const path = `/api/v1/organizations/${pay.rig.first.organization.id}/billing-details`;
  const { status, body } = await pay.rig.ask('PUT', path, { [field]: value });
  expect(status).toBe(400);
  expect(body.error.param).toBe(field);
});

test('a receipt as a PDF has what the page has, and shows what its font lacks as boxes', async () => {
  const organization = await pay.customer();
  const path = `/api/v1/organizations/${organization}/billing-details`;
  await pay.rig.ask('PUT', path, { name: 'Łódź Ωμέγα Москва 株式会社', address: 'ul. Długa 5' });
  const payment = await begun(organization);
  await settle(payment);
  const { headers, pages } = await pdfOf(`${pathOf(organization, payment)}.pdf`);
  const { number } = await receiptOf(organization, payment);
  expect(headers.get('content-type')).toBe('application/pdf');
  expect(headers.get('content-disposition')).toBe(`inline; filename="${number}.pdf"`);
  const [text = ''] = pages;
  expect(pages).toHaveLength(1);
  for (const part of [
    `Receipt ${number}`,
    'This is a test. No money moved.',
    'Sluice Inference Ltd',
    '1 Weir Road',
    'Tax ID: IE1234567X',
    'Łódź Ωμέγα Москва □□□□',
    'ul. Długa 5',
    organization,
    payment,
    'Prepaid credit, top-up',
    'Reverse charge.',
    '□ stands for a character',
  ]) {
    expect(text).toContain(part);
  }
  expect(text).toMatch(/Total paid\s+\$20\.00/);
});
