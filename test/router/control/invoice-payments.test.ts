/** An invoice is paid once, and credit and what is void count on the next. */
import { expect, test } from 'vitest';
import { DAY_MS } from '../../../shared/durations.ts';
import {
  adjust,
  balance,
  closeMonths,
  customer,
  DECEMBER,
  invoice,
  invoiced,
  invoicesOf,
  NOVEMBER,
  OCTOBER,
  rig,
  setNow,
  shareInvoiceRig,
  usd,
} from './invoice-rig.ts';

shareInvoiceRig();

test('an invoice is paid once, and its payment stands on no other', async () => {
  setNow(OCTOBER + DAY_MS);
  const lab = await invoiced();
  await adjust(lab, -usd(65));
  await closeMonths(NOVEMBER + 1);
  const [made] = await invoicesOf(lab);
  expect(made.amount_due).toBe('60');
  setNow(NOVEMBER + 40 * DAY_MS);
  expect((await invoicesOf(lab))[0]).toMatchObject({ status: 'open', overdue: true });
  setNow(NOVEMBER + 9 * DAY_MS);
  const path = `${lab.path}/invoices/${made.id}`;
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => rig.ask('POST', `${path}/paid`, { reference: 'bank 17' })),
  );
  for (const { status, body } of answers) {
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: 'paid', reference: 'bank 17', overdue: false });
  }
  expect(await balance(lab)).toBe('0');
  expect((await rig.ask('POST', `${path}/paid`, { reference: 'bank 18' })).status).toBe(409);
  expect((await rig.ask('POST', `${path}/void`, { reason: 'a mistake' })).status).toBe(409);
  await adjust(lab, -usd(3));
  await closeMonths(DECEMBER + 1);
  const [, next] = await invoicesOf(lab);
  expect(next).toMatchObject({ total: '3', brought_forward: '0', amount_due: '3' });
  expect(next.lines).toEqual([expect.objectContaining({ kind: 'adjustment', amount: '3' })]);
});

test('an invoice has the day on which it was paid, from its issue up to today', async () => {
  setNow(OCTOBER + DAY_MS);
  const lab = await invoiced();
  await adjust(lab, -usd(65));
  const issued = NOVEMBER + DAY_MS + 1;
  await closeMonths(issued);
  await adjust(lab, -usd(7));
  await closeMonths(DECEMBER + 1);
  const [first, second] = await invoicesOf(lab);
  const pay = (id: string, paid_on: string) =>
    rig.ask('POST', `${lab.path}/invoices/${id}/paid`, { reference: 'bank', paid_on });
  setNow(DECEMBER + 3 * DAY_MS + 5);
  for (const [day, code] of [
    ['2026-11-01', 'conflict'],
    ['2026-12-05', 'invalid_value'],
    ['2026-11-31', 'invalid_value'],
  ] as const) {
    const refused = await pay(first.id, day);
    expect(refused.body.error, day).toMatchObject({ code, param: 'paid_on' });
  }
  expect((await invoicesOf(lab))[0]).toMatchObject({ status: 'open', ended: null });
  const { body } = await pay(first.id, '2026-11-02');
  expect(body).toMatchObject({ status: 'paid', ended: new Date(issued).toISOString() });
  // Whoever repeats it changes nothing, and whoever names another day is told so.
  expect((await pay(first.id, '2026-11-02')).body).toEqual(body);
  for (const other of ['2026-11-05', '2026-12-04']) {
    expect((await pay(first.id, other)).status, other).toBe(409);
  }
  // The day is a part of the entry, and the time of the entry is that of the change.
  const { body: log } = await rig.ask('GET', `${lab.path}/audit?action=invoice.pay`);
  expect(log.data).toMatchObject([
    {
      details: { reference: 'bank', paid_on: '2026-11-02' },
      summary: expect.stringMatching(/ as paid on Nov 2, 2026: bank$/),
      created: '2026-12-04T00:00:00.005Z',
    },
  ]);
  expect((await pay(second.id, '2026-12-02')).body.ended).toBe('2026-12-02T00:00:00.000Z');
});

test('an invoice that is paid today was paid at this time', async () => {
  setNow(OCTOBER + DAY_MS);
  const lab = await invoiced();
  await adjust(lab, -usd(65));
  await closeMonths(NOVEMBER + 1);
  const [made] = await invoicesOf(lab);
  setNow(NOVEMBER + 2 * DAY_MS + 5);
  const paid = await rig.ask('POST', `${lab.path}/invoices/${made.id}/paid`, {
    reference: 'bank',
    paid_on: '2026-11-03',
  });
  expect(paid.body).toMatchObject({ status: 'paid', ended: '2026-11-03T00:00:00.005Z' });
});

test('an invoice that is paid after the next month began is not asked for again', async () => {
  setNow(OCTOBER + DAY_MS);
  const lab = await invoiced();
  await adjust(lab, -usd(65));
  await closeMonths(NOVEMBER + 1);
  await adjust(lab, -usd(7));
  const [made] = await invoicesOf(lab);
  // In December, before November is closed.
  setNow(DECEMBER + 1);
  await rig.ask('POST', `${lab.path}/invoices/${made.id}/paid`, { reference: 'late' });
  await closeMonths(DECEMBER + 2);
  const [, next] = await invoicesOf(lab);
  expect(next).toMatchObject({ total: '7', brought_forward: '0', amount_due: '7' });
  await closeMonths(DECEMBER + 40 * DAY_MS);
  // A payment alone creates no invoice.
  expect(await invoicesOf(lab)).toHaveLength(2);
});

test('what is void is brought forward to the next, less what was corrected', async () => {
  setNow(OCTOBER + DAY_MS);
  const lab = await invoiced();
  await adjust(lab, -usd(65));
  await closeMonths(NOVEMBER + 1);
  const [made] = await invoicesOf(lab);
  const path = `${lab.path}/invoices/${made.id}`;
  const gone = await rig.ask('POST', `${path}/void`, { reason: 'counted twice' });
  expect(gone.body).toMatchObject({ status: 'void', reference: 'counted twice' });
  expect((await rig.ask('POST', `${path}/paid`, { reference: 'x' })).status).toBe(409);
  await adjust(lab, usd(20));
  await closeMonths(DECEMBER + 1);
  const [, next] = await invoicesOf(lab);
  expect(next).toMatchObject({ total: '-20', brought_forward: '-60', amount_due: '40' });
});

test('credit from before it was invoiced is used up first, and its old charges stand on no invoice', async () => {
  setNow(OCTOBER + DAY_MS);
  const lab = await customer();
  await adjust(lab, usd(95));
  await adjust(lab, -usd(10));
  await invoice(lab, 1_000, 14);
  await adjust(lab, -usd(30));
  await closeMonths(NOVEMBER + 1);
  await adjust(lab, -usd(80));
  await closeMonths(DECEMBER + 1);
  const [first, second] = await invoicesOf(lab);
  expect(first).toMatchObject({
    total: '30',
    brought_forward: '90',
    amount_due: '0',
    status: 'paid',
    terms_days: 14,
  });
  expect(second).toMatchObject({ total: '80', brought_forward: '60', amount_due: '20' });
  expect(await balance(lab)).toBe('-20');
});
