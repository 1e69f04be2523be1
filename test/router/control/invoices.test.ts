/**
 * Invoices of organizations that do not prepay: each transfer is on exactly one invoice, to the
 * last pico-USD.
 */
import { expect, test } from 'vitest';
import { DAY_MS } from '../../../shared/durations.ts';
import { closeMonth, invoiceJob } from '../../../router/control/invoices/monthly.ts';
import { verifyLedger } from '../../../router/verify/verify.ts';
import { charge, formatUsd } from '../../../shared/money.ts';
import { seededRandom, systemRandom as random } from '../../../shared/random.ts';
import { readPdf } from '../../support/read-pdf.ts';
import {
  adjust,
  balance,
  cheap,
  clock,
  closeMonths,
  type Customer,
  dear,
  DECEMBER,
  document,
  invoiced,
  invoicesOf,
  ledger,
  NOVEMBER,
  OCTOBER,
  pico,
  rig,
  setNow,
  shareInvoiceRig,
  spend,
  usd,
} from './invoice-rig.ts';

shareInvoiceRig();

test('a month is invoiced by model and price, to the last pico-USD, and what credit covers is not due', async () => {
  setNow(OCTOBER + 10 * DAY_MS);
  const lab = await invoiced();
  await spend(lab, dear, { prompt: 1_000_003, cached: 64, completion: 20 });
  const wrong = await spend(lab, dear, { prompt: 9, cached: 0, completion: 1 });
  await ledger.void({ ...wrong, status: 502, error: 'engine_failed' });
  for (let i = 0; i < 3; i++) await spend(lab, cheap, { prompt: 10, cached: 4, completion: 2 });
  await adjust(lab, -1n);
  await closeMonths(NOVEMBER + 1);
  const [made, ...more] = await invoicesOf(lab);
  expect(more).toEqual([]);
  const large = charge(dear.price, { prompt: 1_000_003, cached: 64, completion: 20 });
  const small = 3n * charge(cheap.price, { prompt: 10, cached: 4, completion: 2 });
  const total = large + small + 1n;
  expect(made).toMatchObject({
    number: expect.stringMatching(/^INV-\d{6}$/),
    billed_to: 'Lab & <Sons>',
    period: { start: '2026-10-01T00:00:00.000Z', end: '2026-11-01T00:00:00.000Z' },
    first_transfer: 2,
    last_transfer: 8,
    total: formatUsd(total),
    // The organization had its welcome credit before it became invoiced.
    brought_forward: '5',
    carried_forward: '-0.000430000182',
    amount_due: '16',
    terms_days: 30,
    due: '2026-12-01T00:00:00.001Z',
    status: 'open',
    overdue: false,
    lines: [
      {
        kind: 'usage',
        model: 'lab/large',
        count: 1,
        prompt_tokens: 1_000_003,
        cached_tokens: 64,
        completion_tokens: 20,
        unit_prices: {
          prompt: '0.000021000003',
          cached: '0.000007000001',
          completion: '0.000063000009',
        },
        amount: formatUsd(large),
      },
      { kind: 'usage', model: 'lab/small', count: 3, amount: formatUsd(small) },
      { kind: 'adjustment', model: null, count: 1, unit_prices: null, amount: '0.000000000001' },
    ],
  });
  expect(await balance(lab)).toBe(formatUsd(usd(5) - total));
  const letters = await rig.place.sql(
    `select payload from jobs where kind = 'letter' and subject = '${lab.id}'`,
  );
  expect(letters).toEqual([
    { payload: JSON.stringify({ kind: 'invoice', organization: lab.id, invoice: made.id }) },
  ]);
});

test('MONEY 3: at the turn of the months each transfer stands on one invoice, whatever clocks say', async () => {
  const chance = seededRandom(20_261_101);
  setNow(OCTOBER + DAY_MS);
  const lab = await invoiced();
  let changed = 0n;
  // Around the turns of two months, by the clocks of routers that differ by minutes.
  for (let i = 0; i < 120; i++) {
    const at = NOVEMBER + (i < 60 ? 0 : 30 * DAY_MS) + (i % 60) * 60_000 - 30 * 60_000;
    const change = -BigInt(1 + chance.below(1_000_000));
    await adjust(lab, change, at + chance.below(300_000) - 150_000);
    changed += change;
    if (i === 20) await closeMonths(NOVEMBER + 5);
  }
  await closeMonths(DECEMBER + 31 * DAY_MS);
  const made = await invoicesOf(lab);
  expect(made.map(({ period }) => period.start.slice(0, 7))).toEqual([
    '2026-10',
    '2026-11',
    '2026-12',
  ]);
  let next = 2;
  for (const { first_transfer, last_transfer } of made) {
    expect(first_transfer).toBe(next);
    next = last_transfer + 1;
  }
  expect(next).toBe(122);
  const totals = made.map(({ total }) => pico(total)).reduce<bigint>((sum, one) => sum + one, 0n);
  expect(totals).toBe(-changed);
});

test('a month is closed once, however many close it, and numbers have no gap, also after a failure', async () => {
  setNow(OCTOBER + DAY_MS);
  const labs = [await invoiced(), await invoiced(), await invoiced()];
  for (const lab of labs) await adjust(lab, -usd(9));
  setNow(NOVEMBER + 1);
  const job = invoiceJob({ store: rig.store, clock, random, seller: null });
  const month = String(2026 * 12 + 9);
  const close = (lab: Customer) => {
    const about = { id: 'job', kind: 'invoice', subject: '', idempotencyKey: '', attempts: 1 };
    return job({ ...about, payload: { organization: lab.id, month } });
  };
  await rig.place.sql('alter table audit rename to audit_away');
  await expect(close(labs[0] as Customer)).rejects.toThrow();
  await rig.place.sql('alter table audit_away rename to audit');
  expect(await invoicesOf(labs[0] as Customer)).toEqual([]);
  // Some concurrent closings find the month already closed. They may fail, and find it closed when
  // retried.
  await Promise.allSettled(Array.from({ length: 12 }, (_, i) => close(labs[i % 3] as Customer)));
  for (const lab of labs) await close(lab);
  for (const lab of labs) expect(await invoicesOf(lab)).toHaveLength(1);
  const listed = await rig.ask('GET', '/api/v1/invoices?limit=1000');
  const numbers = listed.body.data.map(({ number }: { number: string }) => number);
  expect(numbers).toEqual(
    Array.from(numbers, (_, i) => `INV-${String(numbers.length - i).padStart(6, '0')}`),
  );
});

test('whole cents are due, and less than a cent is a debt that the next invoice brings forward', async () => {
  setNow(OCTOBER + DAY_MS);
  const lab = await invoiced();
  const months = [
    // The welcome credit of five dollars is used up first.
    { at: NOVEMBER, taken: '17.345678', brought: '5', carried: '-0.005678', due: '12.34' },
    { at: DECEMBER, taken: '0.004321', brought: '-0.005678', carried: '-0.009999', due: '0' },
    {
      at: DECEMBER + 31 * DAY_MS,
      taken: '0.000001',
      brought: '-0.009999',
      carried: '0',
      due: '0.01',
    },
  ];
  for (const [n, { at, taken, brought, carried, due }] of months.entries()) {
    await adjust(lab, 0n - pico(taken), at - DAY_MS);
    await closeMonths(at + 1);
    const made = (await invoicesOf(lab))[n];
    expect(made).toMatchObject({
      total: taken,
      brought_forward: brought,
      carried_forward: carried,
      amount_due: due,
      status: due === '0' ? 'paid' : 'open',
    });
    const sum = pico(made.total) - pico(made.brought_forward) + pico(made.carried_forward);
    expect(formatUsd(sum)).toBe(made.amount_due);
    if (due !== '0') {
      const paid = await rig.ask('POST', `${lab.path}/invoices/${made.id}/paid`, {
        reference: 'x',
      });
      expect(paid.status).toBe(200);
    }
    expect(await balance(lab)).toBe(carried === '0' ? '0' : carried);
  }
});

test('an invoice of an earlier version asks for all that is owed, and the books still agree', async () => {
  setNow(OCTOBER + DAY_MS);
  const lab = await invoiced();
  await adjust(lab, 0n - pico('17.345678'));
  await closeMonths(NOVEMBER + 1);
  const [{ id }] = await invoicesOf(lab);
  const set = (due: string) =>
    rig.place.sql(`update invoices set amount_due = ${pico(due)} where id = '${id}'`);
  for (const [due, differences] of [
    ['12.345678', []],
    ['12.34', []],
    ['12.345677', [expect.stringContaining('its transfers leave 12345678000000 to be paid')]],
    ['12.33', [expect.stringContaining('its transfers leave 12345678000000 to be paid')]],
    ['12.35', [expect.stringContaining('its transfers leave 12345678000000 to be paid')]],
  ] as const) {
    await set(due);
    expect((await rig.store.call(verifyLedger, null)).differences, due).toEqual(differences);
  }
  await set('12.345678');
  await rig.ask('POST', `${lab.path}/invoices/${id}/paid`, { reference: 'exactly' });
  expect(await balance(lab)).toBe('0');
});

test('each adjustment has its own line with its reason and its day, up to twenty, and one for the others', async () => {
  setNow(OCTOBER + DAY_MS);
  const lab = await invoiced();
  const other = await invoiced();
  for (let n = 1; n <= 23; n++) {
    const change = n === 2 ? usd(2) : -usd(n);
    if (n <= 20) await adjust(lab, change, OCTOBER + n * DAY_MS, `correction ${n}`);
    await adjust(other, change, OCTOBER + n * DAY_MS, `correction ${n}`);
  }
  await closeMonths(NOVEMBER + 1);
  const [all] = await invoicesOf(lab);
  expect(all.lines).toHaveLength(20);
  expect(all.lines[19]).toMatchObject({ reason: 'correction 20', amount: '20' });
  const [made] = await invoicesOf(other);
  expect(made.lines).toHaveLength(21);
  expect(made.lines.slice(0, 2)).toMatchObject([
    {
      kind: 'adjustment',
      count: 1,
      amount: '1',
      reason: 'correction 1',
      created: '2026-10-02T00:00:00.000Z',
    },
    { amount: '-2', reason: 'correction 2' },
  ]);
  expect(made.lines[20]).toMatchObject({ count: 3, amount: '66', reason: null, created: null });
  const sum = made.lines.reduce(
    (before: bigint, { amount }: { amount: string }) => before + pico(amount),
    0n,
  );
  expect(formatUsd(sum)).toBe(made.total);

  const path = `${other.path}/invoices/${made.id}`;
  const pdf = (await readPdf(await (await document(`${path}?format=pdf`)).bytes())).join();
  const page = await (await document(`${path}?format=html`)).text();
  for (const text of [page, pdf]) {
    for (const part of ['Adjustment: correction 20', 'Oct 21, 2026', '3 more adjustments']) {
      expect(text).toContain(part);
    }
  }
  const csv = await (await document(`${path}?format=csv`)).text();
  expect(csv.trimEnd().split('\r\n').at(1)).toMatch(/,1,correction 1,2026-10-02T00:00:00.000Z$/);
});

test('`ledger verify` finds an invoice that its transfers, its lines or its payment do not explain', async () => {
  setNow(OCTOBER + DAY_MS);
  const lab = await invoiced();
  await adjust(lab, -usd(9));
  await closeMonths(NOVEMBER + 1);
  const [{ id }] = await invoicesOf(lab);
  for (const [damage, repair, finds] of [
    ['total = total + 1', 'total = total - 1', [/its transfers took/, /lines do not add up/]],
    [
      'from_seq = 1',
      'from_seq = 2',
      [
        /its transfers took/,
        /but 0 was left from before/,
        /its lines of welcome do not match its transfers/,
        /it covers transfers 1 to 2, during which nothing was invoiced/,
        /it is recorded up to transfer 2, but its invoices end at 1/,
      ],
    ],
    [`status = 'paid'`, `status = 'open'`, [/state does not match its payment/]],
  ] as const) {
    await rig.place.sql(`update invoices set ${damage} where id = '${id}'`);
    const { differences } = await rig.store.call(verifyLedger, null);
    expect(differences).toHaveLength(finds.length);
    for (const words of finds) expect(differences.join('\n')).toMatch(words);
    await rig.place.sql(`update invoices set ${repair} where id = '${id}'`);
  }
});

test('a router that was away for months closes each by itself', async () => {
  setNow(OCTOBER + DAY_MS);
  const lab = await invoiced();
  await closeMonths(OCTOBER + 2 * DAY_MS);
  for (const at of [OCTOBER + 3 * DAY_MS, NOVEMBER + DAY_MS, DECEMBER + DAY_MS]) {
    await adjust(lab, -usd(10), at);
  }
  await closeMonths(DECEMBER + 40 * DAY_MS);
  expect(await invoicesOf(lab)).toMatchObject([
    { total: '10', brought_forward: '5', amount_due: '5' },
    { total: '10', brought_forward: '0', amount_due: '10' },
    { total: '10', brought_forward: '0', amount_due: '10' },
  ]);
});

test('a month that is not over by the time of the store is not closed, whoever put the job there', async () => {
  const lab = await invoiced();
  setNow(NOVEMBER + 10 * DAY_MS);
  await adjust(lab, -5n);
  const november = BigInt(2026 * 12 + 10);
  const parts = { store: rig.store, clock, random, seller: null };
  for (const month of [november, november + 13n]) {
    expect(await closeMonth(parts, lab.id, month)).toBe('not_over');
  }
  const [row] = (await rig.place.sql(
    `select month from invoicing where organization = '${lab.id}'`,
  )) as { month: bigint | null }[];
  expect(Number(row?.month ?? 0n)).toBeLessThan(Number(november));
});
