/** Organizations that prepay again, or are invoiced again: each charge is on an invoice or was prepaid. */
import { expect, test } from 'vitest';
import { DAY_MS } from '../../../shared/durations.ts';
import type { PriceVersion } from '../../../router/ledger/terms.ts';
import { verifyLedger } from '../../../router/verify/verify.ts';
import { invoiceJob } from '../../../router/control/invoices/monthly.ts';
import { ensurePrices } from '../../../router/ledger/prices.ts';
import { mintId, type RequestId } from '../../../shared/ids.ts';
import { charge, formatUsd, PICO_PER_USD, picoUsd } from '../../../shared/money.ts';
import { systemRandom as random } from '../../../shared/random.ts';
import { reservationOf, usageOf } from '../../support/ledger-requests.ts';
import { setBilling } from '../ledger/set-organization.ts';
import {
  adjust,
  clock,
  closeMonths,
  customer,
  type Customer,
  dear,
  DECEMBER,
  document,
  invoice,
  invoiced,
  invoicesOf,
  ledger,
  NOVEMBER,
  now,
  OCTOBER,
  rig,
  setNow,
  shareInvoiceRig,
  spend,
  usd,
} from './invoice-rig.ts';

shareInvoiceRig();

test('who prepays gets no invoice, and who is invoiced again only for what came after', async () => {
  setNow(OCTOBER + DAY_MS);
  const lab = await customer();
  await adjust(lab, -usd(1));
  await invoice(lab);
  await rig.store.call(setBilling, { organization: lab.id, billing: 'prepaid' });
  await adjust(lab, -usd(2));
  await closeMonths(NOVEMBER + 1);
  expect(await invoicesOf(lab)).toEqual([]);
  await invoice(lab);
  await adjust(lab, -usd(4));
  await closeMonths(DECEMBER + 1);
  expect(await invoicesOf(lab)).toMatchObject([
    { total: '4', brought_forward: '2', amount_due: '2', first_transfer: 4 },
  ]);
});

const prepay = ({ id: organization }: Customer) =>
  rig.store.call(setBilling, { organization, billing: 'prepaid' });

test('who prepays again in the middle of a month has a last invoice at once, and its credit covers it', async () => {
  setNow(OCTOBER + DAY_MS);
  const lab = await invoiced();
  await adjust(lab, -usd(15));
  await closeMonths(NOVEMBER + 1);
  const spent = charge(dear.price, { prompt: 9, cached: 0, completion: 1 });
  setNow(NOVEMBER + 9 * DAY_MS);
  await spend(lab, dear, { prompt: 9, cached: 0, completion: 1 });
  // It owes ten dollars and what it has just spent.
  expect(await prepay(lab)).toMatchObject({ missing: usd(10) + spent });
  const [october] = await invoicesOf(lab);
  await rig.ask('POST', `${lab.path}/invoices/${october.id}/paid`, { reference: 'bank' });
  expect(await prepay(lab)).toMatchObject({ missing: spent });
  await adjust(lab, usd(30));
  expect(await prepay(lab)).toBe('done');
  await adjust(lab, -usd(1));
  await closeMonths(NOVEMBER + 10 * DAY_MS);
  const [, last, ...more] = await invoicesOf(lab);
  expect(more).toEqual([]);
  expect(last).toMatchObject({
    period: { start: '2026-11-01T00:00:00.000Z', end: '2026-11-11T00:00:00.000Z' },
    first_transfer: 3,
    last_transfer: 5,
    total: formatUsd(spent - usd(30)),
    amount_due: '0',
    status: 'paid',
    lines: [
      { kind: 'usage', model: 'lab/large', amount: formatUsd(spent) },
      { kind: 'adjustment', amount: '-30' },
    ],
  });
  const page = await document(`${lab.path}/invoices/${last.id}?format=html`);
  expect(await page.text()).toContain('Nov 1, 2026 to Nov 10, 2026');
  await closeMonths(DECEMBER + DAY_MS);
  expect(await invoicesOf(lab)).toHaveLength(2);
});

test('who is invoiced again in the same month has two invoices of it, with what was prepaid between them', async () => {
  setNow(OCTOBER + DAY_MS);
  const lab = await invoiced();
  await adjust(lab, -usd(1));
  await prepay(lab);
  await closeMonths(OCTOBER + 2 * DAY_MS);
  await adjust(lab, -usd(2));
  await invoice(lab);
  await adjust(lab, -usd(4));
  await closeMonths(NOVEMBER + 1);
  expect(await invoicesOf(lab)).toMatchObject([
    { total: '1', brought_forward: '5', amount_due: '0', first_transfer: 2, last_transfer: 2 },
    { total: '4', brought_forward: '2', amount_due: '2', first_transfer: 4, last_transfer: 4 },
  ]);
});

test('who is invoiced again before the last invoice was made has one, without a gap', async () => {
  setNow(OCTOBER + DAY_MS);
  const lab = await invoiced();
  await adjust(lab, -usd(1));
  await prepay(lab);
  await adjust(lab, -usd(2));
  await invoice(lab);
  await adjust(lab, -usd(4));
  await closeMonths(NOVEMBER + 1);
  expect(await invoicesOf(lab)).toMatchObject([
    { total: '7', brought_forward: '5', amount_due: '2', first_transfer: 2, last_transfer: 4 },
  ]);
});

test('months that were not closed yet are closed before the last invoice of who prepays again', async () => {
  setNow(OCTOBER + DAY_MS);
  const lab = await invoiced();
  await adjust(lab, usd(90));
  await closeMonths(OCTOBER + 2 * DAY_MS);
  for (const at of [OCTOBER + 3 * DAY_MS, NOVEMBER + DAY_MS, DECEMBER + DAY_MS]) {
    await adjust(lab, -usd(10), at);
  }
  setNow(DECEMBER + 2 * DAY_MS);
  await prepay(lab);
  await closeMonths(DECEMBER + 2 * DAY_MS);
  expect(await invoicesOf(lab)).toMatchObject([
    { period: { start: '2026-10-01T00:00:00.000Z' }, total: '-80' },
    { period: { start: '2026-11-01T00:00:00.000Z' }, total: '10' },
    { period: { start: '2026-12-01T00:00:00.000Z' }, total: '10', last_transfer: 5 },
  ]);
});

test('switched back and forth while requests are settled, every charge stands on an invoice or was prepaid', async () => {
  setNow(OCTOBER + DAY_MS);
  const lab = await customer();
  const price = await priceOfCents();
  const job = invoiceJob({ store: rig.store, clock, random, seller: null });
  const closing = { id: 'job', kind: 'invoice', subject: '', idempotencyKey: '', attempts: 1 };
  let isDone = false;
  const settling = Promise.all(
    Array.from({ length: 4 }, async () => {
      for (let i = 0; i < 25; i++) await spendIfHeld(lab, price);
    }),
  ).finally(() => {
    isDone = true;
  });
  while (!isDone) {
    await invoice(lab);
    const last = { organization: lab.id, month: 'last' };
    await Promise.all([prepay(lab), job({ ...closing, payload: last })]);
    await job({ ...closing, payload: last }).catch(() => {});
  }
  await settling;
  await prepay(lab);
  await closeMonths(OCTOBER + 2 * DAY_MS);
  const onInvoices = (await invoicesOf(lab)).flatMap(
    ({ first_transfer: from, last_transfer: to }) =>
      Array.from({ length: to - from + 1 }, (_, i) => from + i),
  );
  expect(new Set(onInvoices).size).toBe(onInvoices.length);
});

/** A cent per token, so that five dollars pay for most of these requests. */
async function priceOfCents(): Promise<PriceVersion> {
  const cent = picoUsd(PICO_PER_USD / 100n);
  const price = { prompt: cent, completion: cent, cached: cent };
  const [made] = await ensurePrices({ store: rig.store, clock }, [{ model: 'lab/cents', price }]);
  return made as PriceVersion;
}

async function spendIfHeld(lab: Customer, price: PriceVersion): Promise<void> {
  const { id: organization, key } = lab;
  const request: RequestId = mintId('request', clock, random);
  const of = { request, organization, key, price: price.id };
  const tokens = { prompt: 3, cached: 0, completion: 1 };
  const amount = charge(price.price, tokens);
  for (let held = false; !held; ) {
    const epoch = (await ledger.findKey(lab.digest))?.epoch ?? -1n;
    const answer = await ledger.reserve(reservationOf({ ...of, amount, epoch }));
    // The switch made the cached key stale, so the admission looks it up again.
    held = answer !== 'stale';
  }
  const usage = usageOf({ ...of, model: price.model, created: now }, tokens);
  expect(await ledger.settle(usage, amount)).toEqual({ cost: amount });
}

test('`ledger verify` finds charges that stand on no invoice', async () => {
  setNow(OCTOBER + DAY_MS);
  const lab = await invoiced();
  await adjust(lab, -usd(1));
  await prepay(lab);
  await closeMonths(OCTOBER + 2 * DAY_MS);
  await adjust(lab, -usd(2));
  const where = `where organization = '${lab.id}'`;
  // As if one more transfer had been invoiced.
  await rig.place.sql(
    `update invoicing_stretches set to_seq = 3 ${where}`,
    `update invoicing set seq = 3, balance = balance - ${usd(2)} ${where}`,
  );
  const { differences } = await rig.store.call(verifyLedger, null);
  expect(differences).toContain(`invoices of ${lab.id}: transfers 3 to 3 are on no invoice`);
  await rig.place.sql(
    `update invoicing_stretches set to_seq = 2 ${where}`,
    `update invoicing set seq = 2, balance = balance + ${usd(2)} ${where}`,
  );
});
