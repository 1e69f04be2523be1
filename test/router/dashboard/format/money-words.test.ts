import { expect, test } from 'vitest';
import {
  invoiceEnd,
  invoicePeriod,
  invoiceState,
  monthName,
  paymentState,
  transferKind,
} from '../../../../router/dashboard/format/money-words.ts';
import { KINDS } from '../../../../router/ledger/transfers.ts';

const PAID = {
  state: 'succeeded',
  purpose: 'top-up',
  paid: '20',
  refunded: '0',
  refund_pending: '0',
  disputed: '0',
} as const;

test('a payment is called after what became of its money last', () => {
  const nameOf = (change: object) => paymentState({ ...PAID, ...change }).name;
  expect(nameOf({})).toBe('Paid');
  expect(nameOf({ refunded: '0.01' })).toBe('Partially refunded');
  expect(nameOf({ refunded: '20' })).toBe('Refunded');
  expect(nameOf({ refunded: '20', refund_pending: '0.01' })).toBe('Refund pending');
  expect(nameOf({ refunded: '5', disputed: '15' })).toBe('Disputed');
  expect(nameOf({ state: 'failed', paid: null })).toBe('Failed');
  expect(nameOf({ purpose: 'setup', paid: null })).toBe('Saved');
});

test('every kind of transfer that the ledger has is named, and one that is new stands as it is', () => {
  const unnamed = Object.keys(KINDS).filter((kind) => transferKind(kind) === kind);
  expect(unnamed).toEqual([]);
  expect(transferKind('loyalty_bonus')).toBe('loyalty bonus');
  expect(transferKind('constructor')).toBe('constructor');
});

test('an invoice that is open after it was due is overdue', () => {
  expect(invoiceState({ status: 'open', overdue: false }).name).toBe('Open');
  expect(invoiceState({ status: 'open', overdue: true }).name).toBe('Overdue');
  expect(invoiceState({ status: 'paid', overdue: false }).name).toBe('Paid');
});

test('an invoice that was paid or voided says on which day, and one that asks for nothing says so', () => {
  const due = '2026-12-01T00:00:00.000Z';
  const ended = '2026-11-09T00:00:00.000Z';
  const open = { status: 'open', due, ended: null, amount_due: '12.34' } as const;
  expect(invoiceEnd(open)).toBe(null);
  expect(invoiceEnd({ ...open, status: 'paid', ended })).toBe('Nov 9, 2026');
  expect(invoiceEnd({ ...open, status: 'void', ended })).toBe('Nov 9, 2026');
  expect(invoiceEnd({ ...open, status: 'paid', ended, amount_due: '0' })).toBe('Nothing to pay');
});

test('the month of an invoice is that of UTC, in whatever zone it is read', () => {
  expect(monthName('2026-10-01T00:00:00.000Z')).toMatch(/10|October/);
  expect(monthName('2026-10')).toBe(monthName('2026-10-01T00:00:00.000Z'));
});

test('an invoice that ends before its month does says on which day', () => {
  const start = '2026-11-01T00:00:00.000Z';
  const month = invoicePeriod({ start, end: '2026-12-01T00:00:00.000Z' });
  expect(month).toBe(monthName(start));
  expect(invoicePeriod({ start, end: '2026-11-30T09:00:00.000Z' })).toBe(month);
  expect(invoicePeriod({ start, end: '2026-11-11T09:30:00.000Z' })).toMatch(/\b1\b.*\b11\b/);
});
