/** What the next invoice has so far: as it is issued when nothing more is spent. */
import { expect, test } from 'vitest';
import { nextInvoice, readInvoiceSoFar } from '../../../router/control/invoices/next.ts';
import { findSpanSoFar } from '../../../router/control/invoices/span.ts';
import { DAY_MS } from '../../../shared/durations.ts';
import { setBilling } from '../ledger/set-organization.ts';
import {
  adjust,
  cheap,
  clock,
  closeMonths,
  customer,
  type Customer,
  dear,
  DECEMBER,
  invoice,
  invoiced,
  invoicesOf,
  ledger,
  NOVEMBER,
  OCTOBER,
  rig,
  setNow,
  shareInvoiceRig,
  spend,
  usd,
} from './invoice-rig.ts';

shareInvoiceRig();

const next = ({ path }: Customer) => rig.ask('GET', `${path}/invoices/next`);

test('it has the lines and the amounts of the invoice that is issued when nothing more is spent', async () => {
  setNow(OCTOBER + 9 * DAY_MS);
  const lab = await invoiced();
  await spend(lab, dear, { prompt: 1_000_003, cached: 64, completion: 20 });
  const wrong = await spend(lab, dear, { prompt: 9, cached: 0, completion: 1 });
  await ledger.void({ ...wrong, status: 502, error: 'engine_failed' });
  for (let i = 0; i < 3; i++) await spend(lab, cheap, { prompt: 10, cached: 4, completion: 2 });
  await adjust(lab, -usd(2), undefined, 'Set-up');
  await adjust(lab, 1n, undefined, 'Goodwill');
  setNow(OCTOBER + 10 * DAY_MS);
  const soFar = await next(lab);
  expect(soFar.status).toBe(200);
  const { organization, period, ...rest } = soFar.body;
  expect(organization).toBe(lab.id);
  expect(period).toEqual({ start: '2026-10-01T00:00:00.000Z', end: '2026-10-11T00:00:00.000Z' });
  expect(rest).toMatchObject({ brought_forward: '5', amount_due: '18' });
  await closeMonths(NOVEMBER + 1);
  expect(await invoicesOf(lab)).toMatchObject([rest]);
  const [{ lines }] = await invoicesOf(lab);
  expect(rest.lines).toEqual(lines);
});

test('it counts what is brought forward: a void invoice, but neither an open nor a paid one', async () => {
  setNow(OCTOBER + DAY_MS);
  const lab = await invoiced();
  await adjust(lab, -usd(15));
  await closeMonths(NOVEMBER + 1);
  setNow(NOVEMBER + DAY_MS);
  await adjust(lab, -usd(3));
  expect((await next(lab)).body).toMatchObject({
    period: { start: '2026-11-01T00:00:00.000Z', end: '2026-11-02T00:00:00.000Z' },
    total: '3',
    brought_forward: '0',
    amount_due: '3',
    lines: [{ kind: 'adjustment', amount: '3' }],
  });
  const [october] = await invoicesOf(lab);
  await rig.ask('POST', `${lab.path}/invoices/${october.id}/void`, { reason: 'wrong' });
  const voided = { total: '3', brought_forward: '-10', amount_due: '13' };
  expect((await next(lab)).body).toMatchObject(voided);
  await closeMonths(DECEMBER + 1);
  const [, november] = await invoicesOf(lab);
  expect(november).toMatchObject(voided);
  await rig.ask('POST', `${lab.path}/invoices/${november.id}/paid`, { reference: 'bank' });
  expect((await next(lab)).body).toMatchObject({
    period: { start: '2026-12-01T00:00:00.000Z' },
    total: '0',
    brought_forward: '0',
    amount_due: '0',
    lines: [],
  });
});

test('with too many transfers to sum at once it has no lines, and the same amount due', async () => {
  setNow(OCTOBER + DAY_MS);
  const lab = await invoiced();
  await adjust(lab, -usd(15));
  await adjust(lab, -1n);
  const whole = await nextInvoice({ store: rig.store, clock }, lab.id, 2n);
  expect(whole).toMatchObject({ amount_due: '10', total: '15.000000000001' });
  const short = await nextInvoice({ store: rig.store, clock }, lab.id, 1n);
  expect(short).toMatchObject({
    amount_due: '10',
    total: null,
    brought_forward: null,
    carried_forward: null,
    lines: null,
  });
});

test('until a month is closed, it has the charges of that month alone', async () => {
  setNow(OCTOBER + 9 * DAY_MS);
  const lab = await invoiced();
  await adjust(lab, -usd(15));
  setNow(NOVEMBER + 1);
  await adjust(lab, -usd(2));
  const { period, ...rest } = (await next(lab)).body;
  expect(period).toEqual({ start: '2026-10-01T00:00:00.000Z', end: '2026-11-01T00:00:00.000Z' });
  expect(rest).toMatchObject({ total: '15', amount_due: '10' });
  const short = await nextInvoice({ store: rig.store, clock }, lab.id, 0n);
  expect(short).toMatchObject({ period, total: null, amount_due: '10' });
  await closeMonths(NOVEMBER + 2);
  expect(await invoicesOf(lab)).toMatchObject([{ total: '15', amount_due: '10' }]);
  expect((await next(lab)).body).toMatchObject({
    period: { start: '2026-11-01T00:00:00.000Z' },
    total: '2',
    amount_due: '2',
  });
});

test('after months of prepaying, its period is the month in which invoicing began again', async () => {
  setNow(OCTOBER + DAY_MS);
  const lab = await invoiced();
  await closeMonths(NOVEMBER + 1);
  await rig.store.call(setBilling, { organization: lab.id, billing: 'prepaid' });
  await closeMonths(NOVEMBER + DAY_MS);
  setNow(DECEMBER + 40 * DAY_MS);
  await invoice(lab);
  const start = '2027-01-01T00:00:00.000Z';
  expect((await next(lab)).body).toMatchObject({ period: { start }, lines: [] });
  await adjust(lab, -usd(7));
  expect((await next(lab)).body).toMatchObject({ period: { start }, total: '7' });
});

test('what was summed before an invoice was issued is summed again', async () => {
  setNow(OCTOBER + DAY_MS);
  const lab = await invoiced();
  await adjust(lab, -usd(15));
  const open = await rig.store.call(findSpanSoFar, { organization: lab.id, now: clock.now() });
  const { span, balance: closing } = open ?? expect.fail('nothing is open');
  await closeMonths(NOVEMBER + 1);
  const old = { organization: lab.id, span, closing, sums: [] };
  expect(await rig.store.call(readInvoiceSoFar, old)).toBe('moved');
});

test('an organization that prepays has none, also one that prepays again', async () => {
  setNow(OCTOBER + DAY_MS);
  const lab = await customer();
  const none = { status: 404, body: { error: { code: 'not_found' } } };
  expect(await next(lab)).toMatchObject(none);
  await invoice(lab);
  await adjust(lab, -usd(1));
  expect((await next(lab)).body).toMatchObject({ total: '1', amount_due: '0' });
  await rig.store.call(setBilling, { organization: lab.id, billing: 'prepaid' });
  expect(await next(lab)).toMatchObject(none);
});

test('for a token of another organization it is as unknown as the list of invoices', async () => {
  setNow(OCTOBER + DAY_MS);
  const [lab, other] = [await invoiced(), await invoiced()];
  const made = await rig.ask('POST', `${other.path}/tokens`, {
    name: 'token',
    role: 'org-admin',
  });
  expect(made.status).toBe(201);
  const authorization = `Bearer ${made.body.token}`;
  const ask = (path: string) => rig.ask('GET', path, undefined, { authorization });
  expect((await ask(`${other.path}/invoices/next`)).status).toBe(200);
  const [list, foreign] = [
    await ask(`${lab.path}/invoices`),
    await ask(`${lab.path}/invoices/next`),
  ];
  expect(foreign.status).toBe(404);
  expect(foreign.body.error).toEqual({
    ...list.body.error,
    request_id: foreign.body.error.request_id,
  });
});
