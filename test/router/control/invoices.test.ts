/**
 * Invoices of organizations that do not prepay: each transfer is on exactly one invoice, to the
 * last pico-USD, and paid once.
 */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { amountOf } from '../../../shared/documents/words.ts';
import { enqueueInvoices } from '../../../router/control/invoices/due.ts';
import { closeMonth, invoiceJob } from '../../../router/control/invoices/monthly.ts';
import { insertTransfer } from '../../../router/ledger/credit.ts';
import { type OpenLedger, openLedger } from '../../../router/ledger/ledger.ts';
import { ensurePrices } from '../../../router/ledger/prices.ts';
import type { PriceVersion, Usage } from '../../../router/ledger/terms.ts';
import { verifyLedger } from '../../../router/verify/verify.ts';
import type { Invoice } from '../../../shared/api/invoices.ts';
import { type Clock, systemClock } from '../../../shared/clock.ts';
import { type KeyId, mintId, type OrganizationId, type RequestId } from '../../../shared/ids.ts';
import { charge, formatUsd, PICO_PER_USD, parseUsd, picoUsd } from '../../../shared/money.ts';
import { digestSecret } from '../../../shared/peppers.ts';
import { seededRandom, systemRandom as random } from '../../../shared/random.ts';
import { reservationOf, usageOf } from '../../support/ledger-requests.ts';
import { readPdf } from '../../support/read-pdf.ts';
import { SELLER } from '../../support/seller.ts';
import { setBilling } from '../ledger/set-organization.ts';
import { signIn } from './people.ts';
import { type Answer, log, PEPPER, type Rig, startRig } from './rig.ts';

/** The wall clock is set by the tests. The rest of the clock is real. */
let now = Date.UTC(2026, 9, 10);
const clock: Clock = { ...systemClock, now: () => now };
const OCTOBER = Date.UTC(2026, 9);
const NOVEMBER = Date.UTC(2026, 10);
const DECEMBER = Date.UTC(2026, 11);
const DAY_MS = 24 * 60 * 60 * 1000;

let rig: Rig;
let ledger: OpenLedger;
let cheap: PriceVersion;
let dear: PriceVersion;
beforeAll(async () => {
  rig = await startRig(clock, ['global'], { seller: SELLER });
  const parts = { store: rig.store, clock, random, log };
  ledger = await openLedger(parts, { url: null, regions: ['global'] });
  [cheap, dear] = (await ensurePrices(parts, [
    { model: 'lab/small', price: prices(1n) },
    { model: 'lab/large', price: prices(7_000_001n) },
  ])) as [PriceVersion, PriceVersion];
});
afterEach(async () => {
  expect((await rig.store.call(verifyLedger, null)).differences).toEqual([]);
});
afterAll(async () => {
  await ledger[Symbol.asyncDispose]();
  await rig[Symbol.asyncDispose]();
});

const prices = (n: bigint) => ({
  prompt: picoUsd(n * 3n),
  completion: picoUsd(n * 9n),
  cached: picoUsd(n),
});
const usd = (dollars: number) => BigInt(dollars) * PICO_PER_USD;
const pico = (text: string) => parseUsd(text) ?? picoUsd(0n);

type Customer = Readonly<{ id: OrganizationId; path: string; key: KeyId; digest: string }>;

async function customer(): Promise<Customer> {
  const opened = await rig.ask('POST', '/api/v1/organizations', { name: 'Lab & <Sons>' });
  const path = `/api/v1/organizations/${opened.body.id}`;
  const made = await rig.ask('POST', `${path}/keys`, { name: 'key' });
  const digest = digestSecret(PEPPER, made.body.key);
  return { id: opened.body.id, path, key: made.body.id, digest };
}

async function invoiced(creditLimit = 1_000): Promise<Customer> {
  const made = await customer();
  await invoice(made, creditLimit);
  return made;
}

function invoice({ id }: Customer, creditLimit = 1_000, termsDays?: number): Promise<unknown> {
  const billing = {
    billing: 'invoiced',
    creditLimit: picoUsd(usd(creditLimit)),
    termsDays,
  } as const;
  return rig.store.call(setBilling, { organization: id, ...billing });
}

/** Serves one request from hold to charge, as the request path does. */
async function spend(
  { id: organization, key, digest }: Customer,
  price: PriceVersion,
  tokens: { prompt: number; cached: number; completion: number },
): Promise<Usage> {
  const request: RequestId = mintId('request', clock, random);
  const cost = charge(price.price, tokens);
  const found = await ledger.findKey(digest);
  const of = { request, organization, key, price: price.id };
  const hold = reservationOf({ ...of, amount: cost, epoch: found?.epoch ?? -1n });
  expect(await ledger.reserve(hold)).toHaveProperty('held');
  const usage = usageOf({ ...of, model: price.model, created: now }, tokens);
  expect(await ledger.settle(usage, cost)).toEqual({ cost });
  return usage;
}

/** Takes or gives credit at an instant. */
function adjust(
  { id: organization }: Customer,
  change: bigint,
  created = now,
  reason = 'a test',
): Promise<unknown> {
  return rig.store.call(insertTransfer, {
    id: mintId('transfer', clock, random),
    organization,
    kind: 'adjustment',
    change,
    reference: 'a test',
    reason,
    created,
  });
}

/** Runs the monthly closing and its jobs at an instant, until nothing is left to close. */
async function closeMonths(at: number, seller: typeof SELLER | null = null): Promise<void> {
  now = at;
  const job = invoiceJob({ store: rig.store, clock, random, seller });
  for (;;) {
    await rig.store.call(enqueueInvoices, { now, limit: 100 });
    const waiting = (await rig.place.sql(
      `select id, payload from jobs where kind = 'invoice' and state = 'waiting'`,
    )) as { id: string; payload: string }[];
    if (waiting.length === 0) return;
    for (const { id, payload } of waiting) {
      const about = { id, kind: 'invoice', subject: '', idempotencyKey: id, attempts: 1 };
      await job({ ...about, payload: JSON.parse(payload) as unknown });
      await rig.place.sql(`update jobs set state = 'done' where id = '${id}'`);
    }
  }
}

// `any`, because each test states the shape of the invoice that it expects.
// oxlint-disable-next-line typescript/no-explicit-any
async function invoicesOf({ path }: Customer): Promise<any[]> {
  const listed = await rig.ask('GET', `${path}/invoices`);
  expect(listed.status).toBe(200);
  const details: Answer[] = [];
  for (const { id } of listed.body.data) {
    details.push(await rig.ask('GET', `${path}/invoices/${id}`));
  }
  // Oldest first.
  return details.map(({ body }) => body).toReversed();
}

async function balance({ path }: Customer): Promise<string> {
  return (await rig.ask('GET', `${path}/credit`)).body.balance;
}

function document(path: string, headers: Record<string, string> = {}): Promise<Response> {
  const authorization = `Bearer ${rig.first.operator.token}`;
  return fetch(rig.origin + path, { headers: { authorization, ...headers } });
}

test('a month is invoiced by model and price, to the last pico-USD, and what credit covers is not due', async () => {
  now = OCTOBER + 10 * DAY_MS;
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

test('as CSV it has a record a line, whose amounts add up to its total', async () => {
  now = OCTOBER + 10 * DAY_MS;
  const lab = await invoiced();
  await spend(lab, dear, { prompt: 50, cached: 1, completion: 2 });
  await spend(lab, cheap, { prompt: 5, cached: 1, completion: 2 });
  await closeMonths(NOVEMBER + 1);
  const [made] = await invoicesOf(lab);
  const path = `${lab.path}/invoices/${made.id}`;
  for (const answer of [
    await document(`${path}?format=csv`),
    await document(path, { accept: 'text/csv' }),
    await document(path, { accept: 'text/html;q=0.2, text/csv;q=0.9, */*;q=0.1' }),
  ]) {
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const [heading = '', ...records] = (await answer.text()).trimEnd().split('\r\n');
    expect(records).toHaveLength(2);
    const at = heading.split(',').indexOf('amount');
    const amounts = records.map((record) => pico(record.split(',')[at] ?? ''));
    expect(formatUsd(amounts.reduce<bigint>((sum, amount) => sum + amount, 0n))).toBe(made.total);
  }
  expect((await document(path)).headers.get('content-type')).toMatch(/^application\/json/);

  for (const answer of [
    await document(`${path}?format=pdf`),
    await document(path, { accept: 'application/pdf' }),
  ]) {
    expect(answer.headers.get('content-type')).toBe('application/pdf');
    const [text] = await readPdf(await answer.bytes());
    for (const part of [
      `Invoice ${made.number}`,
      'Lab & <Sons>',
      `$${amountOf(made.amount_due)}`,
      'Per million tokens: $21.000003',
    ]) {
      expect(text).toContain(part);
    }
  }
});

test('an open invoice says how to pay it, unless another seller has issued it', async () => {
  now = OCTOBER + 10 * DAY_MS;
  const lab = await invoiced();
  const former = await invoiced();
  await adjust(lab, -usd(20));
  await closeMonths(NOVEMBER + 1, SELLER);
  await adjust(former, -usd(30));
  await closeMonths(DECEMBER + 1, { ...SELLER, name: 'Weir Ltd' });
  const [made] = await invoicesOf(lab);
  const [other] = await invoicesOf(former);
  expect(made.payment_instructions).toBe(SELLER.payment_instructions);
  expect(other.payment_instructions).toBeNull();

  const path = `${lab.path}/invoices/${made.id}`;
  const [iban = '', reference = ''] = SELLER.payment_instructions.split('\n');
  const page = await (await document(`${path}?format=html`)).text();
  const [pdf = ''] = await readPdf(await (await document(`${path}?format=pdf`)).bytes());
  for (const text of [page, pdf]) {
    for (const part of ['How to pay', iban, reference]) expect(text).toContain(part);
  }
  await rig.ask('POST', `${path}/paid`, { reference: 'bank 3' });
  const [paid] = await invoicesOf(lab);
  expect(paid).toMatchObject({ status: 'paid', payment_instructions: null });
  expect(await (await document(`${path}?format=html`)).text()).not.toContain('How to pay');
});

test('as a page it has no script, a policy that allows none, and a name that is no markup', async () => {
  now = OCTOBER + 10 * DAY_MS;
  const lab = await invoiced();
  await spend(lab, dear, { prompt: 50, cached: 1, completion: 2 });
  await closeMonths(NOVEMBER + 1);
  const [made] = await invoicesOf(lab);
  const answer = await document(`${lab.path}/invoices/${made.id}`, {
    accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  });
  expect(answer.headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; style-src 'sha256-/,
  );
  const page = await answer.text();
  expect(page).toContain('Lab &amp; &lt;Sons&gt;');
  expect(page).toContain(made.number);
  expect(page).toContain('Oct 1, 2026 to Oct 31, 2026');
  expect(page).toContain(
    'Per million tokens: $21.000003 prompt, $7.000001 cached, $63.000009 completion',
  );
  expect(page).not.toMatch(/<script/i);
});

test('MONEY 3: at the turn of the months each transfer stands on one invoice, whatever clocks say', async () => {
  const chance = seededRandom(20_261_101);
  now = OCTOBER + DAY_MS;
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
  now = OCTOBER + DAY_MS;
  const labs = [await invoiced(), await invoiced(), await invoiced()];
  for (const lab of labs) await adjust(lab, -usd(9));
  now = NOVEMBER + 1;
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

test('operators list the invoices of all customers by month and status, sorted, page by page, and as CSV', async () => {
  now = OCTOBER + DAY_MS;
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
  now = NOVEMBER + 32 * DAY_MS;
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
  now = OCTOBER + DAY_MS;
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
  now = may;
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

  now = june + 31 * DAY_MS;
  const late = await totals();
  expect(late.paid_this_month).toEqual({ count: 0, amount_due: '0' });
  expect(late.overdue).toEqual(late.open);
  const [voided] = await invoicesOf(open);
  await rig.ask('POST', `${open.path}/invoices/${voided.id}/void`, { reason: 'a mistake' });
  const left = await totals();
  expect(left.overdue.count).toBe(late.overdue.count - 1);
  expect(Number(late.overdue.amount_due) - Number(left.overdue.amount_due)).toBeCloseTo(3_500_000);
});

test('whole cents are due, and less than a cent is a debt that the next invoice brings forward', async () => {
  now = OCTOBER + DAY_MS;
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
  now = OCTOBER + DAY_MS;
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
  now = OCTOBER + DAY_MS;
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

test('an invoice is paid once, and its payment stands on no other', async () => {
  now = OCTOBER + DAY_MS;
  const lab = await invoiced();
  await adjust(lab, -usd(65));
  await closeMonths(NOVEMBER + 1);
  const [made] = await invoicesOf(lab);
  expect(made.amount_due).toBe('60');
  now = NOVEMBER + 40 * DAY_MS;
  expect((await invoicesOf(lab))[0]).toMatchObject({ status: 'open', overdue: true });
  now = NOVEMBER + 9 * DAY_MS;
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

test('an invoice that is paid after the next month began is not asked for again', async () => {
  now = OCTOBER + DAY_MS;
  const lab = await invoiced();
  await adjust(lab, -usd(65));
  await closeMonths(NOVEMBER + 1);
  await adjust(lab, -usd(7));
  const [made] = await invoicesOf(lab);
  // In December, before November is closed.
  now = DECEMBER + 1;
  await rig.ask('POST', `${lab.path}/invoices/${made.id}/paid`, { reference: 'late' });
  await closeMonths(DECEMBER + 2);
  const [, next] = await invoicesOf(lab);
  expect(next).toMatchObject({ total: '7', brought_forward: '0', amount_due: '7' });
  await closeMonths(DECEMBER + 40 * DAY_MS);
  // A payment alone creates no invoice.
  expect(await invoicesOf(lab)).toHaveLength(2);
});

test('what is void is brought forward to the next, less what was corrected', async () => {
  now = OCTOBER + DAY_MS;
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
  now = OCTOBER + DAY_MS;
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

test('`ledger verify` finds an invoice that its transfers, its lines or its payment do not explain', async () => {
  now = OCTOBER + DAY_MS;
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

test('who prepays gets no invoice, and who is invoiced again only for what came after', async () => {
  now = OCTOBER + DAY_MS;
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
  now = OCTOBER + DAY_MS;
  const lab = await invoiced();
  await adjust(lab, -usd(15));
  await closeMonths(NOVEMBER + 1);
  const spent = charge(dear.price, { prompt: 9, cached: 0, completion: 1 });
  now = NOVEMBER + 9 * DAY_MS;
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
  now = OCTOBER + DAY_MS;
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
  now = OCTOBER + DAY_MS;
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
  now = OCTOBER + DAY_MS;
  const lab = await invoiced();
  await adjust(lab, usd(90));
  await closeMonths(OCTOBER + 2 * DAY_MS);
  for (const at of [OCTOBER + 3 * DAY_MS, NOVEMBER + DAY_MS, DECEMBER + DAY_MS]) {
    await adjust(lab, -usd(10), at);
  }
  now = DECEMBER + 2 * DAY_MS;
  await prepay(lab);
  await closeMonths(DECEMBER + 2 * DAY_MS);
  expect(await invoicesOf(lab)).toMatchObject([
    { period: { start: '2026-10-01T00:00:00.000Z' }, total: '-80' },
    { period: { start: '2026-11-01T00:00:00.000Z' }, total: '10' },
    { period: { start: '2026-12-01T00:00:00.000Z' }, total: '10', last_transfer: 5 },
  ]);
});

test('switched back and forth while requests are settled, every charge stands on an invoice or was prepaid', async () => {
  now = OCTOBER + DAY_MS;
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
  now = OCTOBER + DAY_MS;
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

test('a router that was away for months closes each by itself', async () => {
  now = OCTOBER + DAY_MS;
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

test('members read invoices, others do not, and only operators end them', async () => {
  now = OCTOBER + DAY_MS;
  const lab = await invoiced();
  const other = await invoiced();
  await adjust(lab, -usd(9));
  await closeMonths(NOVEMBER + 1);
  now = systemClock.now();
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

test('a month that is not over by the time of the store is not closed, whoever put the job there', async () => {
  const lab = await invoiced();
  now = NOVEMBER + 10 * DAY_MS;
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
