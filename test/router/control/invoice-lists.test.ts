/** Who reads and ends invoices, and the lists and totals of all of them. */
import { expect, test } from 'vitest';
import { DAY_MS } from '../../../shared/durations.ts';
import type { Invoice } from '../../../shared/api/invoices.ts';
import { systemClock } from '../../../shared/clock.ts';
import { signIn } from './people.ts';
import {
  adjust,
  closeMonths,
  type Customer,
  DECEMBER,
  document,
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

test('operators list the invoices of all customers by month and status, sorted, page by page, and as CSV', async () => {
  setNow(OCTOBER + DAY_MS);
  const labs = [await invoiced(), await invoiced(), await invoiced(), await invoiced()];
  for (const [n, lab] of labs.entries()) await adjust(lab, -usd(10 + ((n * 7) % 4)));
  await closeMonths(NOVEMBER + 1);
  for (const lab of labs) await adjust(lab, -usd(1));
  await closeMonths(DECEMBER + 1);
  const [first, second] = labs as [Customer, Customer, Customer, Customer];
  const [, paid] = await invoicesOf(first);
  const [voided] = await invoicesOf(second);
  await rig.ask('POST', `${first.path}/invoices/${paid.id}/paid`, { reference: 'bank 3' });
  await rig.ask('POST', `${second.path}/invoices/${voided.id}/void`, { reason: 'a mistake' });

  const mine = (rows: Invoice[]) =>
    rows.filter(({ organization }) => labs.some(({ id }) => id === organization));
  const list = async (query: string, limit = 1_000) => {
    const all: Invoice[] = [];
    for (let after = ''; ; ) {
      const answer = await rig.ask('GET', `/api/v1/invoices?limit=${limit}${query}${after}`);
      expect(answer.status).toBe(200);
      all.push(...answer.body.data);
      if (answer.body.next === null) return mine(all);
      after = `&after=${answer.body.next}`;
    }
  };
  const all = await list('');
  expect(all).toHaveLength(8);
  const october = await list('&month=2026-10');
  expect(october.map(({ period }) => period.start)).toEqual(
    Array(4).fill('2026-10-01T00:00:00.000Z'),
  );
  expect((await list('&status=paid')).map(({ id }) => id)).toEqual([paid.id]);
  expect((await list('&status=void')).map(({ id }) => id)).toEqual([voided.id]);
  expect(await list('&status=open')).toHaveLength(6);
  expect(await list('&status=overdue')).toEqual([]);
  setNow(NOVEMBER + 32 * DAY_MS);
  const overdue = await list('&status=overdue');
  expect(overdue.map(({ period }) => period.start)).toEqual(
    Array(3).fill('2026-10-01T00:00:00.000Z'),
  );
  expect(await list('&status=paid&month=2026-11')).toHaveLength(1);
  expect(await list('&status=paid&month=2026-10')).toEqual([]);

  const dues = (rows: typeof all) => rows.map(({ amount_due }) => Number(amount_due));
  for (const limit of [1, 3, 1_000]) {
    for (const sort of ['number', 'amount_due', 'due']) {
      const [down, up] = [
        await list(`&sort=${sort}&order=desc&month=2026-10`, limit),
        await list(`&sort=${sort}&order=asc&month=2026-10`, limit),
      ];
      expect(down).toHaveLength(4);
      expect(up).toEqual(down.toReversed());
      if (sort === 'amount_due') expect(dues(up)).toEqual(dues(up).toSorted((a, b) => a - b));
    }
  }

  const byDue = await rig.ask('GET', '/api/v1/invoices?limit=1&sort=due');
  for (const query of ['', 'sort=amount_due', 'sort=due&order=asc']) {
    const strange = await rig.ask('GET', `/api/v1/invoices?${query}&after=${byDue.body.next}`);
    expect(strange, query).toMatchObject({
      status: 400,
      body: {
        error: { param: 'after', message: expect.stringContaining('another sort or order') },
      },
    });
  }

  const authorization = `Bearer ${rig.first.operator.token}`;
  const csv = await fetch(`${rig.origin}/api/v1/invoices?format=csv&month=2026-10&limit=1`, {
    headers: { authorization },
  });
  expect(csv.headers.get('content-disposition')).toBe('attachment; filename="invoices.csv"');
  const [head, ...records] = (await csv.text()).trimEnd().split('\r\n');
  expect(head).toMatch(/^number,period_start,period_end,organization,billed_to,status,/);
  for (const { number, amount_due } of october) {
    const record = records.find((one) => one.startsWith(`${number},`));
    expect(record).toContain(`,${amount_due},`);
  }
  for (const query of [
    'month=2026-13',
    'month=10',
    'sort=seller',
    'status=late',
    'after=x_1',
    'after=7',
  ]) {
    expect((await rig.ask('GET', `/api/v1/invoices?${query}`)).status).toBe(400);
  }
});

test('operators find invoices by their number, and by the id or a name of the organization', async () => {
  setNow(OCTOBER + DAY_MS);
  const lab = await invoiced();
  const other = await invoiced();
  for (const each of [lab, other]) await adjust(each, -usd(20));
  await closeMonths(NOVEMBER + 1);
  const [[made], [others]] = [await invoicesOf(lab), await invoicesOf(other)];
  expect((await rig.ask('PATCH', lab.path, { name: 'Renamed Ängström' })).status).toBe(200);
  const found = async (search: string, more = '') => {
    const query = `search=${encodeURIComponent(search)}&limit=1000${more}`;
    const { status, body } = await rig.ask('GET', `/api/v1/invoices?${query}`);
    expect(status, search).toBe(200);
    return body.data.map(({ id }: Invoice) => id);
  };
  const digits = String(Number(made.number.slice(4)));
  for (const search of [made.number, made.number.toLowerCase(), digits, lab.id, 'ängström']) {
    expect(await found(search), search).toEqual([made.id]);
  }
  expect(await found('lab & <SONS>')).toEqual(expect.arrayContaining([made.id, others.id]));
  expect(await found(lab.id, '&status=paid')).toEqual([]);
  for (const search of ['INV-999999', 'no such name', '%', `org_${'0'.repeat(26)}`]) {
    expect(await found(search), search).toEqual([]);
  }
  const csv = await document(`/api/v1/invoices?format=csv&search=${made.number}`);
  expect((await csv.text()).trimEnd().split('\r\n')).toHaveLength(2);
  for (const search of ['', 'x'.repeat(101), 'a%00b']) {
    expect((await rig.ask('GET', `/api/v1/invoices?search=${search}`)).status).toBe(400);
  }
});

test('the totals add up what is open, what is overdue, and what was paid in this month', async () => {
  // Years after the other tests, so that what they paid is not of this month.
  const [may, june] = [Date.UTC(2031, 4), Date.UTC(2031, 5)];
  const totals = async () => (await rig.ask('GET', '/api/v1/invoices/totals')).body;
  setNow(may);
  const labs = await Promise.all(Array.from({ length: 3 }, () => invoiced(4_000_000)));
  // Together they exceed 64 bits of pico-USD.
  for (const lab of labs) await adjust(lab, -usd(3_500_005));
  // The credit of this one covers its invoice, which nobody pays.
  const covered = await invoiced();
  await adjust(covered, -1n);
  await closeMonths(june + 1);
  const [paying, open] = labs as [Customer, Customer, Customer];
  const before = await totals();
  const [made] = await invoicesOf(paying);
  await rig.ask('POST', `${paying.path}/invoices/${made.id}/paid`, { reference: 'bank' });
  const after = await totals();
  expect(after.paid_this_month).toEqual({ count: 1, amount_due: '3500000' });
  expect(after.open.count).toBe(before.open.count - 1);
  expect(Number(before.open.amount_due) - Number(after.open.amount_due)).toBeCloseTo(3_500_000);

  setNow(june + 31 * DAY_MS);
  const late = await totals();
  expect(late.paid_this_month).toEqual({ count: 0, amount_due: '0' });
  expect(late.overdue).toEqual(late.open);
  const [voided] = await invoicesOf(open);
  await rig.ask('POST', `${open.path}/invoices/${voided.id}/void`, { reason: 'a mistake' });
  const left = await totals();
  expect(left.overdue.count).toBe(late.overdue.count - 1);
  expect(Number(late.overdue.amount_due) - Number(left.overdue.amount_due)).toBeCloseTo(3_500_000);
});

test('members read invoices, others do not, and only operators end them', async () => {
  setNow(OCTOBER + DAY_MS);
  const lab = await invoiced();
  const other = await invoiced();
  await adjust(lab, -usd(9));
  await closeMonths(NOVEMBER + 1);
  setNow(systemClock.now());
  const [made] = await invoicesOf(lab);
  const path = `${lab.path}/invoices/${made.id}`;
  const billing = await signIn(rig, { role: 'billing-admin', organization: lab.id });
  const developer = await signIn(rig, { role: 'developer', organization: lab.id });
  const stranger = await signIn(rig, { role: 'org-admin', organization: other.id });
  expect((await billing.ask('GET', path)).status).toBe(200);
  expect((await billing.ask('GET', `${lab.path}/invoices?status=paid`)).body.data).toEqual([]);
  expect((await developer.ask('GET', path)).status).toBe(200);
  expect((await stranger.ask('GET', path)).status).toBe(404);
  // The invoice is not found under the stranger's own organization, either.
  expect((await stranger.ask('GET', `${other.path}/invoices/${made.id}`)).status).toBe(404);
  expect((await billing.ask('POST', `${path}/paid`, { reference: 'me' })).status).toBe(403);
  expect((await billing.ask('POST', `${path}/void`, { reason: 'me' })).status).toBe(403);
  for (const all of ['/api/v1/invoices', '/api/v1/invoices/totals']) {
    expect((await billing.ask('GET', all)).status).toBe(403);
  }
});
